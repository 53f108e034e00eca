"""The forms of studies. Besides the wire's fields they say through whose eyes the page is seen, to come back to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, get_args

import msgspec

from api.http.form_faults import UNREADABLE, FieldFault, excerpt
from api.http.forms import Form, FormRefused
from api.http.wire import Asked
from api.studies.wire import ChangeStudy, NameChapter, Number, OpenStudy, PlayVariation, WriteComment
from domain.kernel.messages import Message
from domain.roles.errors import NoSuchPerson
from domain.studies.rules import COMMENT_MAX
from domain.studies.state import Glyph, Shape, StudyPlace

Eyes = Annotated[str, msgspec.Meta(max_length=8, pattern="^(all|[0-4])$")]
"""A seat by its number, or everybody: what the replay is asked for."""
EVERYBODY: Final = "all"


class OpenStudyAt(OpenStudy, frozen=True):
    """A study, begun at an entry."""

    at: Number = 0


class CommentForm(WriteComment, frozen=True, kw_only=True):
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=COMMENT_MAX)]
    eyes: Eyes = EVERYBODY


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


class Promotion(PlaceForm, frozen=True, kw_only=True):
    """A variation comes further to the front."""

    number: Number


class ChapterForm(NameChapter, frozen=True, kw_only=True):
    variation: Number = 0
    step: Number = 0
    eyes: Eyes = EVERYBODY


class PresentForm(PlaceForm, frozen=True, kw_only=True):
    """The place that is presented now, or that it has ended."""

    ended: bool = False


class MarkForm(PlaceForm, frozen=True, kw_only=True):
    """`MarkPlace` with its shapes in one field, as the page draws them: `region-3` is a ring, `region-3>court` an
    arrow, `red:region-3` a red ring."""

    glyphs: Annotated[tuple[Glyph, ...], msgspec.Meta(max_length=len(get_args(Glyph)))] = ()
    shapes: str = ""

    def shape_list(self) -> tuple[Shape, ...]:
        return tuple(shape_of(word) for word in self.shapes.replace(",", " ").split())


def sent_eyes(fields: Mapping[str, list[Any]]) -> str:
    """Through whose eyes a page was seen whose form was refused; everybody's where the field says nothing or is itself
    what was wrong: the page is to come back and tell it."""
    try:
        return msgspec.convert(next(iter(fields.get("eyes", ())), EVERYBODY), Eyes)
    except msgspec.ValidationError:
        return EVERYBODY


def shape_of(word: str) -> Shape:
    colour, coloured, name = word.rpartition(":")
    part, arrow, to = name.partition(">")
    shape: dict[str, Any] = {"part": part, "to": to} if arrow else {"part": part}
    shape |= {"colour": colour} if coloured else {}
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
PROMOTION: Final = Form("button", Promotion)
CHAPTER: Final = Form("chapter", ChapterForm)
PRESENT: Final = Form("button", PresentForm)
STEP: Final = Form("button", StepForm)
