"""Numbers that come from a log: whoever folds it makes no more room than any match needs."""


def bounded(what: str, number: int, most: int) -> int:
    """The number; `ValueError` names one that no match could have brought about."""
    if not 0 <= number <= most:
        raise ValueError(f"{what}: {number} is not a number from 0 to {most}")
    return number
