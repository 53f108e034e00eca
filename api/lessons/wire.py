"""What comes in about lessons and goes out."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

import msgspec

from api.web.wire import Asked

Standing = Literal["on", "solved", "missed", "over"]


class BeginForm(Asked, frozen=True):
    """A lesson is begun or gone on with; `given_up`: the practice match that is not gone on with."""

    given_up: UUID | None = None


class LessonOffered(msgspec.Struct, frozen=True):
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
