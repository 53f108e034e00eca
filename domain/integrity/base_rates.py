"""Base rates: how many of all comparable figures are as unusual, and minimum sample sizes."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

from domain.kernel.values import Value

MATCHES_MIN: Final = 5
"""Minimum number of matches of a person, or of two people together, for a figure."""
OTHERS_MIN: Final = 30
"""Minimum number of others to compare with."""
OUTERMOST: Final = 100
"""The screen marks figures reached by one in this many; by chance alone ten of a thousand are."""

Measure = Literal[
    "median",
    "spread",
    "quick",
    "fit",
    "gain",
    "loss",
    "before",
    "left",
    "swaps",
    "together",
    "best",
    "good",
    "lost",
]
"""The measures (`docs/organise/integrity.md`)."""
LOW: Final[frozenset[Measure]] = frozenset({"median", "spread", "fit", "lost"})
"""Measures of which small figures are unusual; for all others large ones are."""


class Comparison(Value, frozen=True):
    """A figure compared with `count` others, of which `beyond` are at least as unusual."""

    measure: Measure
    value: int
    count: int
    beyond: int

    @property
    def stands_out(self) -> bool:
        """Whether at most one of a hundred others is as unusual."""
        return self.beyond * OUTERMOST <= self.count


class BaseRate:
    """All figures of one measure, to compare one of them with the others."""

    def __init__(self, measure: Measure, values: Iterable[int]) -> None:
        self.measure = measure
        self._values: Sequence[int] = sorted(values)

    def compare(self, value: int, own_values: Sequence[int]) -> Comparison | None:
        """Count the other values that are at least as extreme as a figure; None with fewer than `OTHERS_MIN` others.

        For measures in `LOW` low values are extreme. `own_values`: figures to leave out, because they belong to the
        same people.
        """
        count = len(self._values) - len(own_values)
        if count < OTHERS_MIN:
            return None
        if self.measure in LOW:
            extreme_count = bisect_right(self._values, value) - sum(each <= value for each in own_values)
        else:
            extreme_count = (
                len(self._values) - bisect_left(self._values, value) - sum(each >= value for each in own_values)
            )
        return Comparison(self.measure, value, count, extreme_count)


Figures = Mapping[Measure, int]
"""Figures by measure; measures without a figure are missing."""


def bases_of(figures: Iterable[Figures]) -> Mapping[Measure, BaseRate]:
    """Return the base rate of every measure that any of the figures has."""
    values: dict[Measure, list[int]] = {}
    for each in figures:
        for measure, value in each.items():
            values.setdefault(measure, []).append(value)
    return {measure: BaseRate(measure, numbers) for measure, numbers in values.items()}


def compare_figures(
    base_rates: Mapping[Measure, BaseRate], figures: Figures, own_figures: Sequence[Figures]
) -> tuple[Comparison, ...]:
    """Compare figures with others, in order; measures with too few others are left out.

    `own_figures`: figures of the same people, these included.
    """
    comparisons = (
        base_rates[measure].compare(value, [each[measure] for each in own_figures if measure in each])
        for measure, value in figures.items()
    )
    return tuple(standing for standing in comparisons if standing is not None)


def rarity(standings: Iterable[Comparison]) -> tuple[int, ...]:
    """Return the number of others per million who are as unusual, for each figure, rarest first."""
    return tuple(sorted(each.beyond * 1_000_000 // each.count for each in standings))
