"""Lists that people type into one text field: words, or names of people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from domain.kernel.messages import N_
from domain.kernel.texts import name_key

IdsByName = Mapping[str, tuple[str, ...]]
"""People by the key of their name (`key_of`); several people can share a name."""

NOBODY: Final = N_("No one here is called “{value}”. Check the spelling.")
SEVERAL: Final = N_("Several people are called “{value}”. Enter {choices}.")
NAMED_MAX: Final = 5
"""Number of people offered as choices if a name is ambiguous."""


def words_of(text: str) -> list[str]:
    """Split a text at spaces and commas."""
    return text.replace(",", " ").split()


def names_of(text: str, ids_by_name: IdsByName) -> Iterator[str]:
    """Split a text at commas, and at spaces if a part is not a known name."""
    for part in text.split(","):
        yield from (part,) if key_of(part) in ids_by_name else part.split()


def key_of(name: str) -> str:
    """Return the key by which names are compared."""
    return name_key(name)
