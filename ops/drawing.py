"""Positions as text for `esporles show`: a drawing by title, or plain JSON."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from domain.kernel.loading import find_part


def plain_text(view: object) -> str:
    """Return any view as formatted JSON."""
    return msgspec.json.format(msgspec.json.encode(view), indent=1).decode()


OWN_PARTS: Final = ("farms", "players")
"""Fields of views with a part for every seat, which contains information hidden from others."""


def text_of(title: str, view: object) -> str:
    """Return the view of a title as text."""
    draw: Callable[[Any], str] = find_part(f"ops.titles.{title}.drawing", "text") or plain_text
    return draw(view)


def open_view(seat_view: Any, seat_views: tuple[Any, ...]) -> Any:
    """Return a view in which each seat's part is the one from that seat's own view, in `seat_views` by seat.

    Views without the fields of `OWN_PARTS` are returned unchanged.
    """
    for name in OWN_PARTS:
        if hasattr(seat_view, name):
            own_parts = tuple(getattr(each, name)[seat] for seat, each in enumerate(seat_views))
            seat_view = msgspec.structs.replace(seat_view, **{name: own_parts})
    return seat_view
