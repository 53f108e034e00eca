"""Drawing a view: the kernel of a page knows no title, it asks here; a title without a drawing is shown as a list."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from api.titles.el_grande import drawing as el_grande
from api.titles.el_grande import wording
from api.titles.el_grande.miniature import picture as el_grande_small
from api.titles.el_grande.prompts import prompt
from api.titles.el_grande.targets import target
from api.titles.la_granja import drawing as la_granja
from api.titles.la_granja.miniature import picture as la_granja_small
from api.titles.la_granja.phases import PHASES
from domain.kernel.messages import Message


def plain_target(_: Any) -> str:
    return ""


def plain_closes(_: Any) -> bool:
    return False


class Gallery(msgspec.Struct, frozen=True):
    """How the cards of a title are drawn for whoever reads them."""

    preface: str
    """The template of what stands on the page once."""
    template: str
    """The template of one card; it finds its `card` in the context."""
    picture: Callable[[Mapping[str, str]], Mapping[str, Any]]
    """Options of a table -> what the template needs beside."""


class Miniature(msgspec.Struct, frozen=True):
    """How a board is drawn small, among others: who stands where, at a glance."""

    template: str
    picture: Callable[[Any], Mapping[str, Any]]
    """The spectator's view -> what the template needs; `standing` says where the match stands, in one line."""


class Drawing(msgspec.Struct, frozen=True):
    """How a title is drawn: view -> fragments of a page."""

    templates: tuple[tuple[str, str], ...]
    """Id and template of every fragment, in the order in which they stand on the page."""
    picture: Callable[[Any], Mapping[str, Any]]
    """What the templates need beside the view itself; `standing` says where the match stands, in one line."""
    heading: Callable[[Any], str]
    """Under which heading the button of an action stands."""
    style: str | None = None
    target: Callable[[Any], str] = plain_target
    """The part of the board an action belongs to (`data-part` there), several with spaces between; "" for none."""
    closes: Callable[[Any], bool] = plain_closes
    """Whether the action only ends what the reader is doing."""
    script: str | None = None
    prompt: Callable[[Any, Sequence[Any]], Message] | None = None
    """View and legal actions -> what the reader can do now, in one sentence; without it the headings are named."""
    phases: Mapping[str, str] = {}
    """What the phases of the title's rounds are called: the word of `Rules.phase` -> message id."""
    gallery: Gallery | None = None
    """Without it the cards are told in words."""
    miniature: Miniature | None = None


def plain_picture(view: Any) -> Mapping[str, Any]:
    """The fields of the view, one after the other."""
    return {"fields": msgspec.to_builtins(view)}


def plain_heading(_: Any) -> str:
    return "Actions"


PLAIN: Final = Drawing((("board", "titles/board.html"),), plain_picture, plain_heading)

DRAWINGS: Final[Mapping[str, Drawing]] = {
    "el_grande": Drawing(
        (("board", "el_grande/board.html"), ("players", "el_grande/players.html")),
        el_grande.picture,
        wording.heading,
        "/static/el_grande.css",
        target=target,
        closes=wording.closes,
        prompt=prompt,
        phases=wording.PHASES,
        miniature=Miniature("el_grande/miniature.html", el_grande_small),
    ),
    "la_granja": Drawing(
        la_granja.TEMPLATES,
        la_granja.picture,
        la_granja.heading,
        "/static/la_granja.css",
        target=la_granja.target,
        closes=la_granja.closes,
        script="/static/la_granja.js",
        prompt=la_granja.prompt,
        phases=PHASES,
        gallery=Gallery("la_granja/gallery.html", "la_granja/catalogued.html", la_granja.gallery),
        miniature=Miniature("la_granja/miniature.html", la_granja_small),
    ),
}


def drawing_of(title: str) -> Drawing:
    return DRAWINGS.get(title, PLAIN)
