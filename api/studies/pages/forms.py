"""The forms of studies. Besides the wire's fields they say through whose eyes the page is seen, to come back to it."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec

from api.studies.wire import ChangeStudy, Number, OpenStudy, PlayVariation, WriteComment
from api.web.form_faults import UNREADABLE, FieldFault, excerpt
from api.web.forms import Form, FormRefused
from api.web.wire import Asked
from domain.kernel.messages import Message
from domain.roles.errors import NoSuchPerson
from domain.studies.rules import COMMENT_MAX
from domain.studies.state import Glyph, Shape, StudyPlace

Eyes = Annotated[str, msgspec.Meta(max_length=8)]
EVERYBODY: Final = "all"


class OpenStudyAt(OpenStudy, frozen=True):
    """A study, begun at an entry."""

    at: Number = 0


class CommentForm(WriteComment, frozen=True, kw_only=True):
    """`back`: `replay` where it is written beside the replay, which the page goes back to."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=COMMENT_MAX)]
    eyes: Eyes = EVERYBODY
    back: Literal["", "replay"] = ""


class PlaceForm(Asked, frozen=True, kw_only=True):
    entry: Number
    variation: Number = 0
    step: Number = 0
    eyes: Eyes = EVERYBODY

    @property
    def place(self) -> StudyPlace:
        return StudyPlace(self.entry, self.variation, self.step)


class CommentRemoval(PlaceForm, frozen=True, kw_only=True):
    """A comment by its number, which the API has in its address."""

    number: Number


class VariationCutting(PlaceForm, frozen=True, kw_only=True):
    """So many steps of a variation are kept; which one the API has in its address."""

    number: Number
    keep: Number = 0


class MarkForm(PlaceForm, frozen=True, kw_only=True):
    """`MarkPlace` with its shapes as text, as they are drawn and typed: `region-3` is a ring, `region-3>court` an
    arrow."""

    glyphs: tuple[Glyph, ...] = ()
    shapes: str = ""

    def shape_list(self) -> tuple[Shape, ...]:
        return tuple(shape_of(word) for word in self.shapes.replace(",", " ").split())


def shape_of(word: str) -> Shape:
    part, arrow, to = word.partition(">")
    shape: dict[str, Any] = {"part": part, "to": to} if arrow else {"part": part}
    try:
        return msgspec.convert(shape, Shape)
    except msgspec.ValidationError as error:
        raise FormRefused([FieldFault("shapes", Message(UNREADABLE, {"value": excerpt(word)}))]) from error


class StepForm(PlayVariation, frozen=True, kw_only=True):
    eyes: Eyes = EVERYBODY


OPEN: Final = Form("study", OpenStudyAt)
SETTINGS: Final = Form("settings", ChangeStudy, beside={NoSuchPerson: "add"})
COMMENT: Final = Form("comment", CommentForm)
MARKS: Final = Form("marks", MarkForm)
REMOVAL: Final = Form("button", CommentRemoval)
CUTTING: Final = Form("button", VariationCutting)
STEP: Final = Form("button", StepForm)
