"""Bounds for numbers from a log, so that folding it reserves no more memory than any match needs."""


def check_bounds(what: str, number: int, most: int) -> int:
    """The number; `ValueError` names one that no match could have brought about."""
    if not 0 <= number <= most:
        raise ValueError(f"{what}: {number} is not a number from 0 to {most}")
    return number
