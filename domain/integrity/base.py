"""Base rates: how many of all who can be compared stand as far out, and for how little nothing is said at all."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

from domain.kernel.values import Value

MATCHES_MIN: Final = 5
"""Nothing is said of somebody, or of two people, who have played (with each other) fewer matches than this."""
OTHERS_MIN: Final = 30
"""Nothing is said where fewer others can be compared."""
OUTERMOST: Final = 100
"""The screen marks what one in so many reaches: of a thousand, ten do by chance alone."""

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
"""What is measured (`docs/organise/integrity.md`)."""
LOW: Final[frozenset[Measure]] = frozenset({"median", "spread", "fit", "lost"})
"""Of these the small figures are the unusual ones, of all others the large."""


class Standing(Value, frozen=True):
    """A figure among others of its kind: `count` others, `beyond` of which are at least as unusual."""

    measure: Measure
    value: int
    count: int
    beyond: int

    @property
    def stands_out(self) -> bool:
        """At most one of a hundred others is as unusual."""
        return self.beyond * OUTERMOST <= self.count


class Base:
    """All figures of one kind, to hold one of them against the others."""

    def __init__(self, measure: Measure, values: Iterable[int]) -> None:
        self.measure = measure
        self._values: Sequence[int] = sorted(values)

    def stand(self, value: int, own: Sequence[int]) -> Standing | None:
        """A figure among those of others; nothing where they are too few. `own`: figures that are left out, because
        they are of the same people."""
        count = len(self._values) - len(own)
        if count < OTHERS_MIN:
            return None
        if self.measure in LOW:
            beyond = bisect_right(self._values, value) - sum(each <= value for each in own)
        else:
            beyond = len(self._values) - bisect_left(self._values, value) - sum(each >= value for each in own)
        return Standing(self.measure, value, count, beyond)


Figures = Mapping[Measure, int]
"""The measures that could be taken."""


def bases_of(figures: Iterable[Figures]) -> Mapping[Measure, Base]:
    """The base of every measure that was taken."""
    values: dict[Measure, list[int]] = {}
    for each in figures:
        for measure, value in each.items():
            values.setdefault(measure, []).append(value)
    return {measure: Base(measure, found) for measure, found in values.items()}


def standings_of(bases: Mapping[Measure, Base], figures: Figures, own: Sequence[Figures]) -> tuple[Standing, ...]:
    """The figures among those of others, in their order; `own`: of the same people, those themselves among them."""
    found = (
        bases[measure].stand(value, [each[measure] for each in own if measure in each])
        for measure, value in figures.items()
    )
    return tuple(standing for standing in found if standing is not None)


def rarity(standings: Iterable[Standing]) -> tuple[int, ...]:
    """How unusual they are, the most unusual first: of each, others per million who are as far out."""
    return tuple(sorted(each.beyond * 1_000_000 // each.count for each in standings))
