"""Long lists are read a page at a time, from their beginning or from where a page ended."""

from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

import msgspec

Item = TypeVar("Item")
Made = TypeVar("Made")

LIMIT: Final = 50
"""The items of a page whose reader says nothing else."""
LIMIT_MAX: Final = 100
KEY_MAX: Final = 2**53 - 1
"""Every program reads a number up to this one as it was written; greater than any position of a log."""


class Page(msgspec.Struct, Generic[Item], frozen=True):
    """Some items of a list. `next` is the key of the last one where others follow: they come `before` it."""

    items: tuple[Item, ...]
    next: int | None = None

    def of(self, items: Sequence[Made]) -> "Page[Made]":
        """The same page of what was made of its items."""
        return Page(tuple(items), self.next)


def page_of(items: Sequence[Item], limit: int, key: Callable[[Item], int]) -> Page[Item]:
    """The page of these items, of which one more than `limit` was read if there was one; their keys fall."""
    shown = tuple(items[:limit])
    return Page(shown, key(shown[-1]) if shown and len(items) > limit else None)


def end_of(before: int | None) -> int:
    """The key before which a page begins; nobody names one for the first."""
    return KEY_MAX if before is None else before
