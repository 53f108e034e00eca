"""Bounds: for texts of people, and for numbers from a log, so that folding it reserves no more memory than any match
needs."""

from typing import Final

NAME_MAX: Final = 120
"""Characters of a name, of a tournament or a season."""
TEXT_MAX: Final = 4_000
"""Characters of an announcement, or of what a tournament is about."""


def check_bounds(what: str, number: int, most: int) -> int:
    """The number; `ValueError` names one that no match could have brought about."""
    if not 0 <= number <= most:
        raise ValueError(f"{what}: {number} is not a number from 0 to {most}")
    return number
