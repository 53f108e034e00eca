"""Drawing a view: pages know no title, they are given its drawing; a title without one is shown as a list."""

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
    return ""


def plain_closes(_: object) -> bool:
    return False


class Miniature(msgspec.Struct, frozen=True):
    """How a board is drawn small, among others: who stands where, at a glance."""

    template: str
    picture: Callable[[Any], Mapping[str, Any]]
    """The spectator's view -> what the template needs; `standing` says where the match stands, in one line."""


class Trace(msgspec.Struct, frozen=True, omit_defaults=True):
    """What happened at a part of the board (`data-part`): something came there from another part, or brought points."""

    part: str
    source: str = ""
    """The part it came from; "court" and "province" are those of `seat`."""
    seat: int | None = None
    """Whose it is; `None`: nobody's, or everybody's."""
    count: int = 0
    """How many came."""
    points: tuple[tuple[int, int], ...] = ()
    """Seats and what they got for it."""
    opens: bool = False
    """What was shut is seen from now on."""
    inside: tuple[tuple[int | None, int], ...] = ()
    """What is seen then: seats, `None` for nobody's, and how many."""
    piece: str = ""
    """What there is one of and what moves there itself (`data-piece`); the page knows where it stood before."""


class Brief(msgspec.Struct, frozen=True):
    """A button among many: what is left of its sentence under its heading, beside others of the same thing."""

    how: tuple[Message | int, ...]
    of: Message | None = None
    """The thing, where there are several of them."""
    shown: str = ""
    """The address at which the thing is shown in large."""

    @property
    def said(self) -> tuple[str, str]:
        """How, and with what, in the language that is spoken."""
        how = (str(each) if isinstance(each, int) else say(each) for each in self.how)
        return " · ".join(how), say(self.of) if self.of else ""


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
    detail: Callable[[Any, Any], Message | None] | None = None
    """View and action -> what is read before it is chosen, such as the text of a card; `None` for nothing."""
    brief: Callable[[Any, Any], Brief | None] | None = None
    """View and action -> its button beside a board; `None` for one that is said whole everywhere."""
    paragraph: Callable[[Any], str] | None = None
    """View -> where the rules tell of what its reader is asked: an anchor of their page, "" for nowhere."""
    phases: Mapping[str, str] = {}
    """What the phases of the title's rounds are called: the word of `Rules.phase` -> message id."""
    strips: Callable[[Any], Sequence[PagePart]] | None = None
    """View -> by seat, what stands in a line below its name."""
    gallery: Gallery | None = None
    """Without it the cards are described in words."""
    miniature: Miniature | None = None
    traces: Callable[[Sequence[Message]], Sequence[Trace]] | None = None
    """What is told of an entry -> what of it can be shown on the board, in order."""
    cover: str = ""
    """The address of a picture of the board, 16 wide by 9 high; `python -m ops.dev.screenshots --covers` makes it."""
    details: tuple[str, ...] = ()
    """How the ids of the pieces begin that only players study: where a match is shown in passing they are left out."""
    rules: Rulebook | None = None
    """Without it there is no page of the rules."""


def plain_picture(view: object) -> Mapping[str, Any]:
    """The fields of the view, one after the other."""
    return {"fields": msgspec.to_builtins(view)}


def plain_heading(_: object) -> str:
    return "Actions"


PLAIN: Final = Drawing((("board", "titles/board.html"),), plain_picture, plain_heading)

Drawings = Mapping[str, Drawing]
"""The drawing of every title."""
DRAWINGS: Final = AppKey[Drawings]("drawings")


def load_drawings(titles: Titles) -> Drawings:
    """The drawing that each title's folder here brings, the plain one for a title without a folder."""
    return {name: find_part(f"api.titles.{name}.title", "DRAWING") or PLAIN for name in titles}
