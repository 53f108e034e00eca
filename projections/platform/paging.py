"""Pagination of long lists by key."""

from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

import msgspec

Item = TypeVar("Item")
Made = TypeVar("Made")

LIMIT: Final = 50
"""Default number of items per page."""
LIMIT_MAX: Final = 100
KEY_MAX: Final = 2**53 - 1
"""Largest integer that every JSON parser preserves; greater than any position of a log."""


class Page(msgspec.Struct, Generic[Item], frozen=True):
    """A page of a list; `next` is the key to continue before, or None on the last page."""

    items: tuple[Item, ...]
    next: int | None = None

    def of(self, items: Sequence[Made]) -> "Page[Made]":
        """Return the same page with items derived from its own."""
        return Page(tuple(items), self.next)


def page_of(items: Sequence[Item], limit: int, key: Callable[[Item], int]) -> Page[Item]:
    """Return a page of items with falling keys, read with a limit of `limit + 1`."""
    page_items = tuple(items[:limit])
    return Page(page_items, key(page_items[-1]) if page_items and len(items) > limit else None)


def end_of(before: int | None) -> int:
    """Return the key before which a page starts; None means the first page."""
    return KEY_MAX if before is None else before
