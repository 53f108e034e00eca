"""Requests and responses about studies."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final, TypeVar, get_args
from uuid import UUID

import msgspec

from api.accounts.schemas import Account
from api.http.structs import Listing, RequestStruct, ResponseStruct, Short, ShortGiven
from api.matches.schemas import AnyAction, KnownView
from api.titles.actions import redeclare, with_action
from domain.kernel.title import Titles
from domain.studies.admission import COLLABORATORS_MAX, SHAPES_MAX
from domain.studies.facts import Glyph, Shape, StudyKind, Visibility
from domain.titles import TITLES

S = TypeVar("S", bound=msgspec.Struct)

FILE_BYTES_MAX: Final = 8 * 1024 * 1024
"""Maximum size of an uploaded study file: several long logs with all their comments."""


class OpenStudy(RequestStruct, frozen=True):
    """A study to open."""

    title: ShortGiven
    visibility: Visibility = "private"


People = Annotated[tuple[Short, ...], msgspec.Meta(max_length=COLLABORATORS_MAX)]


class ChangeStudy(RequestStruct, frozen=True):
    """Changes of a study: title, visibility, and collaborators by id or name."""

    title: ShortGiven | None = None
    visibility: Visibility | None = None
    add: People = ()
    remove: People = ()


Number = Annotated[int, msgspec.Meta(ge=0, le=2**31)]


class WriteComment(RequestStruct, frozen=True):
    """A comment in Markdown, at an entry or a step of a variation; `comment`: the number of one to change."""

    entry: Number
    text: str
    variation: Number = 0
    step: Number = 0
    comment: Number | None = None


class MarkPlace(RequestStruct, frozen=True):
    """All marks of a place: glyphs about the action, and rings and arrows on parts of the board."""

    entry: Number
    variation: Number = 0
    step: Number = 0
    glyphs: Annotated[tuple[Glyph, ...], msgspec.Meta(max_length=len(get_args(Glyph)))] = ()
    shapes: Annotated[tuple[Shape, ...], msgspec.Meta(max_length=SHAPES_MAX)] = ()


class NameChapter(RequestStruct, frozen=True):
    """The chapter at an entry; an empty title removes it."""

    entry: Number
    title: Short = ""


STEPS_MAX: Final = 200
"""Maximum number of steps in one request."""


class WantedStep(RequestStruct, frozen=True):
    """An action of a variation; `seat` is required if several act at once."""

    action: AnyAction
    seat: int | None = None


class PlayVariation(RequestStruct, frozen=True):
    """A line of play from a place: a new variation, or from its last step a longer one."""

    entry: Number
    steps: Annotated[tuple[WantedStep, ...], msgspec.Meta(min_length=1, max_length=STEPS_MAX)]
    variation: Number = 0
    step: Number = 0


def with_steps(base: type[S], titles: Titles) -> type[S]:
    """Return the request or form with `steps` of these titles, as `with_action` does for one action."""
    if titles is TITLES:
        return base
    step = with_action(WantedStep, titles)
    kind = Annotated[tuple[step, ...], msgspec.Meta(min_length=1, max_length=STEPS_MAX)]  # type: ignore[valid-type]  # made here
    return redeclare(base, "steps", kind)


class CommentShown(ResponseStruct, frozen=True):
    """A comment."""

    number: int
    entry: int
    variation: int
    step: int
    text: str
    by: str
    name: str


class MarksShown(ResponseStruct, frozen=True):
    """The marks of a place."""

    entry: int
    variation: int
    step: int
    glyphs: tuple[Glyph, ...]
    shapes: tuple[Shape, ...]


class StepShown(ResponseStruct, frozen=True):
    """A step of a variation."""

    seat: int
    action: dict[str, Any]
    text: str


class VariationShown(ResponseStruct, frozen=True):
    """A variation and the place it starts from."""

    number: int
    entry: int
    variation: int
    step: int
    by: str
    steps: tuple[StepShown, ...]


class ChapterShown(ResponseStruct, frozen=True):
    """A chapter."""

    entry: int
    title: str


class StudyShown(ResponseStruct, frozen=True, kw_only=True):
    """A study; `matchHead` is the digest of entry `entries` of its match."""

    id: UUID
    version: int
    head: str
    match_id: UUID
    match_head: str
    entries: int
    title: str
    owner: str
    owner_name: str
    visibility: Visibility
    kind: StudyKind
    collaborators: tuple[Account, ...]
    comments: tuple[CommentShown, ...]
    marks: tuple[MarksShown, ...]
    variations: tuple[VariationShown, ...]
    chapters: tuple[ChapterShown, ...]
    may_write: bool


class StudyListed(ResponseStruct, frozen=True):
    """A study in a list; `byAnnotator`: its owner is an annotator of the service."""

    id: UUID
    match_id: UUID
    title: str
    owner: str
    owner_name: str
    visibility: Visibility
    opened_at: datetime
    changed_at: datetime
    comments: int
    variations: int
    by_annotator: bool


class StudiesShown(Listing, frozen=True):
    """Studies, last changed first."""

    studies: tuple[StudyListed, ...]


class VariationPosition(ResponseStruct, frozen=True):
    """The position at a place of a study: every seat's view and legal actions."""

    entry: int
    variation: int
    step: int
    to_act: tuple[int, ...]
    knew: tuple[KnownView, ...]
