"""The waiting list of a contest with a limited number of places."""

from collections.abc import Sequence


def has_place(cap: int, taken: int) -> bool:
    """Return whether one more entry gets a place; `cap` 0: there is no limit."""
    return not cap or taken < cap


def next_from_list(cap: int, taken: int, waiting: Sequence[str]) -> tuple[str, ...]:
    """Return the waiting entries, in their order, that get the free places."""
    return tuple(waiting[: max(0, cap - taken)] if cap else waiting)
