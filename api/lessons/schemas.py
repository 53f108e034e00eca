"""Requests and responses of the lessons API."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from api.http.structs import RequestStruct, ResponseStruct
from api.matches.schemas import LegalAction

Standing = Literal["on", "solved", "missed", "over"]


class BeginForm(RequestStruct, frozen=True):
    """A request to begin or continue a lesson; `given_up`: a practice match not to continue."""

    given_up: UUID | None = None


class LessonOffered(ResponseStruct, frozen=True):
    """A lesson in the list."""

    title: str
    name: str
    heading: str
    about: str
    is_task: bool
    minutes: tuple[int, int]
    standing: Standing | None
    """State of the reader's latest practice match; null if there is none."""
    is_done: bool
    """Whether the reader has solved it or played it to its end."""


class LessonsOffered(ResponseStruct, frozen=True):
    """All lessons."""

    lessons: tuple[LessonOffered, ...]


class LessonBegun(ResponseStruct, frozen=True):
    """The practice match of a lesson, and the caller's seat in it."""

    match_id: UUID
    version: int
    head: str
    seat: int


class LessonSaid(ResponseStruct, frozen=True):
    """Guidance about the last action (`answer`) and the position (`words`), in the markup of the rules.

    `points`: parts of the table it refers to; `choices`: allowed actions; `lesson` is empty if the match has none.
    """

    match_id: UUID
    version: int
    head: str
    lesson: str
    standing: Standing | None
    answer: str = ""
    words: str = ""
    points: tuple[str, ...] = ()
    choices: tuple[LegalAction, ...] = ()
