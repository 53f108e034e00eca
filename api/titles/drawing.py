"""The drawing of views as HTML. Pages are generic and receive a title's drawing; other titles are shown as lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from api.http.app_state import AppKey
from api.http.languages import say
from api.http.parts import PagePart
from api.titles.gallery import Gallery
from api.titles.rulebook import Rulebook
from domain.kernel.loading import find_part
from domain.kernel.messages import Message
from domain.kernel.title import Titles


def plain_target(_: object) -> str:
    """Return no part: a plain drawing has no clickable parts."""
    return ""


def plain_closes(_: object) -> bool:
    """Return False for every action."""
    return False


class Miniature(msgspec.Struct, frozen=True):
    """The small drawing of a board, for lists of matches."""

    template: str
    picture: Callable[[Any], Mapping[str, Any]]
    """Return the template context for a spectator's view; `standing` is a one-line summary of the match."""


class Trace(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event at a part of the board (`data-part`): an arrival from another part, or points scored."""

    part: str
    source: str = ""
    """The part of origin; "court" and "province" belong to `seat`."""
    seat: int | None = None
    """The seat concerned; `None` for none or all."""
    count: int = 0
    """The number of pieces that arrived."""
    points: tuple[tuple[int, int], ...] = ()
    """Seats and the points they received."""
    opens: bool = False
    """Whether hidden contents become visible."""
    inside: tuple[tuple[int | None, int], ...] = ()
    """The contents that become visible: seats (`None` for the dummy) and counts."""
    piece: str = ""
    """A unique piece that moved (`data-piece`); the page knows its previous position."""


class Brief(msgspec.Struct, frozen=True):
    """A short button among many, without the words that its heading or neighbours already state."""

    how: tuple[Message | int, ...]
    of: Message | None = None
    """The object, if the heading covers several objects."""
    shown: str = ""
    """The address of the object's large form."""

    @property
    def label(self) -> tuple[str, str]:
        """Return description and object in the current language."""
        parts = (str(each) if isinstance(each, int) else say(each) for each in self.how)
        return " · ".join(parts), say(self.of) if self.of else ""


class Drawing(msgspec.Struct, frozen=True):
    """The drawing of a title: from a view to fragments of a page."""

    templates: tuple[tuple[str, str], ...]
    """Id and template of every fragment, in page order."""
    picture: Callable[[Any], Mapping[str, Any]]
    """Return the template context in addition to the view; `standing` is a one-line summary of the match."""
    heading: Callable[[Any], str]
    """Return the heading for the button of an action."""
    style: str | None = None
    target: Callable[[Any], str] = plain_target
    """Return the parts of the board (`data-part`) an action belongs to, separated by spaces; "" for none."""
    closes: Callable[[Any], bool] = plain_closes
    """Return whether the action only ends or declines a step."""
    script: str | None = None
    prompt: Callable[[Any, Sequence[Any]], Message] | None = None
    """Return a sentence about the available actions from view and legal actions; without it the headings are listed."""
    detail: Callable[[Any, Any], Message | None] | None = None
    """Return further text about an action, such as the text of a card, or `None`."""
    brief: Callable[[Any, Any], Brief | None] | None = None
    """Return the short button of an action beneath a board, or `None` for the whole sentence."""
    paragraph: Callable[[Any], str] | None = None
    """Return the anchor in the rules page for the pending decision, or ""."""
    phases: Mapping[str, str] = {}
    """Message ids of the phase names, by the phase in `Rules.phase`."""
    strips: Callable[[Any], Sequence[PagePart]] | None = None
    """Return by seat the fragment shown below the player's name."""
    gallery: Gallery | None = None
    """The large forms of cards; without it cards are described in words."""
    miniature: Miniature | None = None
    traces: Callable[[Sequence[Message]], Sequence[Trace]] | None = None
    """Return the events on the board for the narration of an entry, in order."""
    cover: str = ""
    """The address of a 16:9 picture of the board; `python -m ops.dev.screenshots --covers` creates it."""
    details: tuple[str, ...] = ()
    """Id prefixes of fragments that only players need; they are omitted where a match is only previewed."""
    rules: Rulebook | None = None
    """The rules; without them the title has no rules page."""


def plain_picture(view: object) -> Mapping[str, Any]:
    """Return the fields of the view."""
    return {"fields": msgspec.to_builtins(view)}


def plain_heading(_: object) -> str:
    """Return the same heading for every action."""
    return "Actions"


PLAIN: Final = Drawing((("board", "titles/board.html"),), plain_picture, plain_heading)

Drawings = Mapping[str, Drawing]
"""The drawing of every title."""
DRAWINGS: Final = AppKey[Drawings]("drawings")


def load_drawings(titles: Titles) -> Drawings:
    """Return the drawing of each title's package, or the plain drawing for a title without one."""
    return {name: find_part(f"api.titles.{name}.title", "DRAWING") or PLAIN for name in titles}
