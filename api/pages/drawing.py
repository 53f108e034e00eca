"""Drawing a view: the kernel of a page knows no title, it asks here; a title without a drawing is shown as a list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from api.pages.el_grande import drawing as el_grande
from api.pages.la_granja import drawing as la_granja


class Drawing(msgspec.Struct, frozen=True):
    """How a title is drawn: view -> fragments of a page."""

    templates: tuple[tuple[str, str], ...]
    """Id and template of every fragment, in the order in which they stand on the page."""
    picture: Callable[[Any], Mapping[str, Any]]
    """What the templates need beside the view itself; `standing` says where the match stands, in one line."""
    heading: Callable[[Any], str]
    """Under which heading the button of an action stands."""
    style: str | None = None


def plain_picture(view: Any) -> Mapping[str, Any]:
    """The fields of the view, one after the other."""
    return {"fields": msgspec.to_builtins(view)}


def plain_heading(_: Any) -> str:
    return "Actions"


PLAIN: Final = Drawing((("board", "plain/board.html"),), plain_picture, plain_heading)

DRAWINGS: Final[Mapping[str, Drawing]] = {
    "el_grande": Drawing(
        (("board", "el_grande/board.html"), ("players", "el_grande/players.html")),
        el_grande.picture,
        el_grande.heading,
        "/static/el_grande.css",
    ),
    "la_granja": Drawing(
        (("board", "la_granja/board.html"), ("farms", "la_granja/farms.html")),
        la_granja.picture,
        la_granja.heading,
        "/static/la_granja.css",
    ),
}


def drawing_of(title: str) -> Drawing:
    return DRAWINGS.get(title, PLAIN)
