"""Lists that people type into one field: words, or those who are meant by their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from domain.kernel.messages import N_
from domain.kernel.texts import name_key

Called = Mapping[str, tuple[str, ...]]
"""Names as `key_of` has them, and who is called so; several may be."""

NOBODY: Final = N_("Nobody here is called “{value}”.")
SEVERAL: Final = N_("Several are called “{value}”: say {choices}.")
NAMED_MAX: Final = 5
"""As many of several entries with one name are offered as choices."""


def words_of(text: str) -> list[str]:
    """What stands in a field with blanks or commas between."""
    return text.replace(",", " ").split()


def names_of(text: str, called: Called) -> Iterator[str]:
    """Who stands in a field with commas between. Names of one word need none."""
    for part in text.split(","):
        yield from (part,) if key_of(part) in called else part.split()


def key_of(name: str) -> str:
    """Return the key by which names are compared."""
    return name_key(name)
