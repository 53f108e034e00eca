"""Forms of studies. They also hold the chosen view, to return to the same page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, get_args

import msgspec

from api.http.form_faults import UNREADABLE, FieldFault, excerpt
from api.http.forms import Form, FormRejected
from api.http.structs import RequestStruct
from api.studies.schemas import ChangeStudy, NameChapter, Number, OpenStudy, PlayVariation, WriteComment
from domain.kernel.messages import Message
from domain.roles.errors import NoSuchPerson
from domain.studies.admission import COMMENT_MAX
from domain.studies.facts import Glyph, Shape, StudyPlace

Eyes = Annotated[str, msgspec.Meta(max_length=8, pattern="^(all|[0-4])$")]
"""The chosen view in a replay: a seat by number, or all."""
EVERYBODY: Final = "all"


class OpenStudyAt(OpenStudy, frozen=True):
    """A study to open at an entry."""

    at: Number = 0


class CommentForm(WriteComment, frozen=True, kw_only=True):
    """A comment."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=COMMENT_MAX)]
    eyes: Eyes = EVERYBODY


class PlaceForm(RequestStruct, frozen=True, kw_only=True):
    """A form about a place of a study."""

    entry: Number
    variation: Number = 0
    step: Number = 0
    eyes: Eyes = EVERYBODY

    @property
    def place(self) -> StudyPlace:
        """The place."""
        return StudyPlace(self.entry, self.variation, self.step)


class CommentRemoval(PlaceForm, frozen=True, kw_only=True):
    """The removal of a comment by number."""

    number: Number


class VariationCutting(PlaceForm, frozen=True, kw_only=True):
    """A cut of a variation to `keep` steps."""

    number: Number
    keep: Number = 0


class Promotion(PlaceForm, frozen=True, kw_only=True):
    """A promotion of a variation."""

    number: Number


class ChapterForm(NameChapter, frozen=True, kw_only=True):
    """A chapter."""

    variation: Number = 0
    step: Number = 0
    eyes: Eyes = EVERYBODY


class PresentForm(PlaceForm, frozen=True, kw_only=True):
    """The place presented now, or the end of the presentation."""

    ended: bool = False


class MarkForm(PlaceForm, frozen=True, kw_only=True):
    """`MarkPlace` with its shapes as text: `region-3` ring, `region-3>court` arrow, `red:region-3` red ring."""

    glyphs: Annotated[tuple[Glyph, ...], msgspec.Meta(max_length=len(get_args(Glyph)))] = ()
    shapes: str = ""

    def shape_list(self) -> tuple[Shape, ...]:
        """Return the shapes; raise `FormRejected` for an unreadable one."""
        return tuple(shape_of(text) for text in self.shapes.replace(",", " ").split())


def sent_eyes(fields: Mapping[str, list[Any]]) -> str:
    """Return the view chosen on the page of a refused form; all if missing or invalid."""
    try:
        return msgspec.convert(next(iter(fields.get("eyes", ())), EVERYBODY), Eyes)
    except msgspec.ValidationError:
        return EVERYBODY


def shape_of(text: str) -> Shape:
    """Parse a shape, `[COLOUR:]PART[>PART]`; raise `FormRejected` if it is unreadable."""
    colour, coloured, name = text.rpartition(":")
    part, arrow, to = name.partition(">")
    shape: dict[str, Any] = {"part": part, "to": to} if arrow else {"part": part}
    shape |= {"colour": colour} if coloured else {}
    try:
        return msgspec.convert(shape, Shape)
    except msgspec.ValidationError as error:
        raise FormRejected([FieldFault("shapes", Message(UNREADABLE, {"value": excerpt(text)}))]) from error


class StepForm(PlayVariation, frozen=True, kw_only=True):
    """A step of a variation."""

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
