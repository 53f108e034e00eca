"""Means, spreads and confidence intervals of whole numbers."""

import math
from collections.abc import Iterable

import msgspec

CERTAINTY: float = 1.96
"""Half-width of a 95 % interval in standard errors."""


class Mean(msgspec.Struct, frozen=True, rename="camel"):
    """A mean of `count` values with the half-width of its 95 % interval."""

    count: int
    mean: float
    within: float | None
    """None for fewer than two values."""


class Spread(msgspec.Struct, frozen=True, rename="camel"):
    """A distribution of values."""

    count: int
    mean: float
    deviation: float
    lowest: int
    quarter: int
    median: int
    three_quarters: int
    highest: int


def mean_of(values: Iterable[float]) -> Mean:
    """Return the mean, to hundredths, with its interval, for values that are independent between matches.

    The interval is None below two values; the mean of none is 0.
    """
    known = tuple(values)
    if not known:
        return Mean(0, 0.0, None)
    mean = math.fsum(known) / len(known)
    if len(known) == 1:
        return Mean(1, round_hundredths(mean), None)
    return Mean(
        len(known), round_hundredths(mean), round_hundredths(CERTAINTY * math.sqrt(_variance(known, mean) / len(known)))
    )


def spread_of(values: Iterable[int]) -> Spread:
    """Return the distribution of at least one value; quartiles are values that occur."""
    known = sorted(values)
    mean = math.fsum(known) / len(known)
    low, middle, high = (known[round(part * (len(known) - 1))] for part in (0.25, 0.5, 0.75))
    deviation = math.sqrt(_variance(known, mean)) if len(known) > 1 else 0.0
    return Spread(
        len(known), round_hundredths(mean), round_hundredths(deviation), known[0], low, middle, high, known[-1]
    )


def difference(one: Mean, other: Mean) -> Mean:
    """Return `one` minus `other` with its interval (Welch), None if either has none; the count is the smaller one."""
    if one.within is None or other.within is None:
        return Mean(min(one.count, other.count), round_hundredths(one.mean - other.mean), None)
    within = math.hypot(one.within, other.within)
    return Mean(min(one.count, other.count), round_hundredths(one.mean - other.mean), round_hundredths(within))


def round_hundredths(value: float) -> float:
    """Round to hundredths; runs of bots do not support more digits."""
    return round(value, 2)


def _variance(values: Iterable[float], mean: float) -> float:
    known = tuple(values)
    return math.fsum((value - mean) ** 2 for value in known) / (len(known) - 1)
