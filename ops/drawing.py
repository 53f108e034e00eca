"""Positions as text, for `esporles show`: one drawing per title, and a plain one for any other."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from domain.kernel.loading import find_part


def plain_text(view: object) -> str:
    """Any view, as what it is on the wire."""
    return msgspec.json.format(msgspec.json.encode(view), indent=1).decode()


OWN_PARTS: Final = ("farms", "players")
"""Fields of views that hold a part for every seat, each with what only that seat may see."""


def text_of(title: str, view: object) -> str:
    """The view of a title as text."""
    draw: Callable[[Any], str] = find_part(f"ops.titles.{title}.drawing", "text") or plain_text
    return draw(view)


def open_view(seen: Any, every: tuple[Any, ...]) -> Any:
    """The spectator's view with each seat's own part of the table put back, where the title has such parts."""
    for name in OWN_PARTS:
        if hasattr(seen, name):
            own = tuple(getattr(each, name)[seat] for seat, each in enumerate(every))
            seen = msgspec.structs.replace(seen, **{name: own})
    return seen
