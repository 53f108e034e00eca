"""Facts of a study, and the values that they hold."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal
from uuid import UUID

import msgspec

from domain.kernel.messages import Message
from domain.kernel.values import Value, tagger
from domain.matches.facts import Actor

Visibility = Literal["public", "unlisted", "private"]
StudyKind = Literal["notes", "analysis"]
"""Notes by people, or an engine analysis for people to annotate."""
Glyph = Literal["good", "brilliant", "doubtful", "mistake", "blunder", "forced", "interesting"]
GLYPH_SIGNS: Final[Mapping[str, str]] = {
    "good": "!",
    "brilliant": "!!",
    "doubtful": "?!",
    "mistake": "?",
    "blunder": "??",
    "forced": "□",
    "interesting": "!?",
}
"""The usual signs of annotators."""
Part = Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern=r"^[a-z0-9_-]+$")]
"""A part of a board, as its drawing names it."""
Colour = Literal["green", "red", "blue", "yellow"]
COLOURS: Final[tuple[Colour, ...]] = ("green", "red", "blue", "yellow")


class StudyPlace(Value, frozen=True, omit_defaults=True):
    """A position: after entry `entry` of the match, or after a step of a variation."""

    entry: int
    variation: int = 0
    step: int = 0


class Shape(Value, frozen=True, omit_defaults=True):
    """A ring around a board part, or with `to` an arrow from it to another."""

    part: Part
    to: Part | None = None
    colour: Colour = "green"


class StudyStep(Value, frozen=True):
    """An action of a variation with its effects, as in a log, and its description."""

    seat: int
    action: msgspec.Raw
    effects: msgspec.Raw
    told: Message


class StudyFact(Value, frozen=True, tag_field="type", tag=tagger("study"), omit_defaults=True, kw_only=True):
    """Base of the facts of a study."""

    by: Actor


class StudyOpened(StudyFact, frozen=True, kw_only=True):
    """A study of a match was opened; entry `entries` had the digest `head`."""

    match: UUID
    head: str
    entries: int
    title: str
    visibility: Visibility = "private"
    kind: StudyKind = "notes"


class StudyRenamed(StudyFact, frozen=True, kw_only=True):
    """The title changed."""

    title: str


class VisibilityChanged(StudyFact, frozen=True, kw_only=True):
    """The visibility changed."""

    visibility: Visibility


class CollaboratorAdded(StudyFact, frozen=True, kw_only=True):
    """A collaborator was added."""

    person: Actor


class CollaboratorRemoved(StudyFact, frozen=True, kw_only=True):
    """A collaborator was removed, by the owner or themselves."""

    person: Actor


class CommentWritten(StudyFact, frozen=True, kw_only=True):
    """A comment was written at a place; with a known number, its text changed."""

    comment: int
    at: StudyPlace
    text: str


class CommentRemoved(StudyFact, frozen=True, kw_only=True):
    """A comment was removed."""

    comment: int


class PlaceMarked(StudyFact, frozen=True, kw_only=True):
    """All marks of a place; empty: they were removed."""

    at: StudyPlace
    glyphs: tuple[Glyph, ...] = ()
    shapes: tuple[Shape, ...] = ()


class VariationAdded(StudyFact, frozen=True, kw_only=True):
    """A variation was added at a place."""

    variation: int
    at: StudyPlace
    steps: tuple[StudyStep, ...]


class StepsAdded(StudyFact, frozen=True, kw_only=True):
    """A variation was extended."""

    variation: int
    steps: tuple[StudyStep, ...]


class VariationCut(StudyFact, frozen=True, kw_only=True):
    """A variation was cut to its first steps; 0 removes it with its nested content."""

    variation: int
    steps: int = 0


class VariationPromoted(StudyFact, frozen=True, kw_only=True):
    """A variation was moved before its siblings.

    The first sibling in another variation is swapped with the continuation of that variation.
    """

    variation: int


class ChapterNamed(StudyFact, frozen=True, kw_only=True):
    """A chapter was named at an entry; an empty title removes it."""

    entry: int
    title: str = ""


Fact = (
    StudyOpened
    | StudyRenamed
    | VisibilityChanged
    | CollaboratorAdded
    | CollaboratorRemoved
    | CommentWritten
    | CommentRemoved
    | PlaceMarked
    | VariationAdded
    | StepsAdded
    | VariationCut
    | VariationPromoted
    | ChapterNamed
)
