"""Positions as text, for `esporles show`: one drawing per title, and a plain one for any other."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from ops.titles.el_grande import drawing
from ops.titles.la_granja import drawing as la_granja_drawing


def plain_text(view: Any) -> str:
    """Any view, as what it is on the wire."""
    return msgspec.json.format(msgspec.json.encode(view), indent=1).decode()


DRAWINGS: Final[Mapping[str, Callable[[Any], str]]] = {"el_grande": drawing.text, "la_granja": la_granja_drawing.text}

OWN_PARTS: Final = ("farms", "players")
"""Fields of views that hold a part for every seat, each with what only that seat may see."""


def text_of(title: str, view: Any) -> str:
    """The view of a title as text."""
    return DRAWINGS.get(title, plain_text)(view)


def opened(seen: Any, every: tuple[Any, ...]) -> Any:
    """The spectator's view with each seat's own part of the table put back, where the title has such parts."""
    for name in OWN_PARTS:
        if hasattr(seen, name):
            own = tuple(getattr(each, name)[seat] for seat, each in enumerate(every))
            seen = msgspec.structs.replace(seen, **{name: own})
    return seen
