"""Limits for texts, and for numbers read from a log, which must not make folding reserve excessive memory."""

from typing import Final

NAME_MAX: Final = 120
"""Maximum characters of a name, a tournament's or a season's."""
TEXT_MAX: Final = 4_000
"""Maximum characters of an announcement or a tournament's description."""


def check_bounds(what: str, number: int, maximum: int) -> int:
    """Return the number; raise `ValueError` if it is not between 0 and `maximum`."""
    if not 0 <= number <= maximum:
        raise ValueError(f"{what}: {number} is not a number from 0 to {maximum}")
    return number
