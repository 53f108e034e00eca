"""What comes in about lessons and goes out."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from api.http.wire import Asked, Wire
from api.matches.wire import LegalAction

Standing = Literal["on", "solved", "missed", "over"]


class BeginForm(Asked, frozen=True):
    """A lesson is begun or gone on with; `given_up`: the practice match that is not gone on with."""

    given_up: UUID | None = None


class LessonOffered(Wire, frozen=True):
    """A lesson as it is offered to a reader."""

    title: str
    name: str
    heading: str
    about: str
    is_task: bool
    minutes: tuple[int, int]
    standing: Standing | None
    """How the reader's newest practice match of it stands; `None`: there is none."""
    is_done: bool
    """The reader has solved it, or played it to its end."""


class LessonsOffered(Wire, frozen=True):
    lessons: tuple[LessonOffered, ...]


class LessonBegun(Wire, frozen=True):
    """The practice match of a lesson, and the caller's seat in it."""

    match_id: UUID
    version: int
    head: str
    seat: int


class LessonSaid(Wire, frozen=True):
    """What the guide says: to the last action (`answer`) and to the position (`words`), in the
    markup of the rules; the parts of the table it points at; the actions it lets choose. `lesson` is empty where the
    match is for none."""

    match_id: UUID
    version: int
    head: str
    lesson: str
    standing: Standing | None
    answer: str = ""
    words: str = ""
    points: tuple[str, ...] = ()
    choices: tuple[LegalAction, ...] = ()
