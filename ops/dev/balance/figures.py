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
    numbers = tuple(values)
    if not numbers:
        return Mean(0, 0.0, None)
    mean = math.fsum(numbers) / len(numbers)
    if len(numbers) == 1:
        return Mean(1, round_hundredths(mean), None)
    return Mean(
        len(numbers),
        round_hundredths(mean),
        round_hundredths(CERTAINTY * math.sqrt(_variance(numbers, mean) / len(numbers))),
    )


def spread_of(values: Iterable[int]) -> Spread:
    """Return the distribution of at least one value; quartiles are values that occur."""
    numbers = sorted(values)
    mean = math.fsum(numbers) / len(numbers)
    low, median, high = (numbers[round(part * (len(numbers) - 1))] for part in (0.25, 0.5, 0.75))
    deviation = math.sqrt(_variance(numbers, mean)) if len(numbers) > 1 else 0.0
    return Spread(
        len(numbers), round_hundredths(mean), round_hundredths(deviation), numbers[0], low, median, high, numbers[-1]
    )


def difference(first: Mean, second: Mean) -> Mean:
    """Return `first` minus `second` with its interval (Welch), None if either has none; the count is the smaller."""
    if first.within is None or second.within is None:
        return Mean(min(first.count, second.count), round_hundredths(first.mean - second.mean), None)
    margin = math.hypot(first.within, second.within)
    return Mean(min(first.count, second.count), round_hundredths(first.mean - second.mean), round_hundredths(margin))


def round_hundredths(value: float) -> float:
    """Round to hundredths; runs of bots do not support more digits."""
    return round(value, 2)


def _variance(values: Iterable[float], mean: float) -> float:
    numbers = tuple(values)
    return math.fsum((value - mean) ** 2 for value in numbers) / (len(numbers) - 1)
