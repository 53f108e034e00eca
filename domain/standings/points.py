"""Points in sixtieths, so that shares of two to five players are whole numbers."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

SIXTIETHS_PER_POINT: Final = 60
"""Sixtieths in one point."""
DEFAULT_POINTS: Final = 12


@lru_cache(maxsize=16)
def default_points(size: int) -> tuple[int, ...]:
    """Return twelve points for first place, none for last, and evenly spaced points between, for any table size."""
    return tuple(DEFAULT_POINTS * SIXTIETHS_PER_POINT * (size - 1 - place) // max(1, size - 1) for place in range(size))


def share_points(points: Sequence[int], places: Sequence[int]) -> tuple[int, ...]:
    """Return the points of every seat by place, 1 the best; shared places divide the points of the places covered.

    Places beyond the list earn 0; fractions are dropped.
    """
    shares = []
    for place in places:
        tied_count = places.count(place)
        covered = [points[at] if at < len(points) else 0 for at in range(place - 1, place - 1 + tied_count)]
        shares.append(sum(covered) // tied_count)
    return tuple(shares)


def points_text(sixtieths: int) -> str:
    """Return sixtieths of points as text with up to two decimals."""
    whole, rest = divmod(abs(sixtieths), SIXTIETHS_PER_POINT)
    sign = "-" if sixtieths < 0 else ""
    hundredths = (rest * 100 + SIXTIETHS_PER_POINT // 2) // SIXTIETHS_PER_POINT
    return f"{sign}{whole}" if rest == 0 else f"{sign}{whole}.{hundredths:02}".rstrip("0")
