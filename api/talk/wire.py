"""What requests about talk and their answers look like."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

import msgspec

from api.http.languages import _
from api.http.wire import Asked, Listing, Short, Wire
from api.matches.wire import PlayerShown
from api.talk.store import Boundary
from domain.talk import PHRASES, REASON_MAX, WORDS_MAX, RoomKind

Reason = Annotated[str, msgspec.Meta(max_length=REASON_MAX)]
SENT_MAX: Final = 4 * WORDS_MAX
"""Longer than what can be said, so that who writes too much is told how much it was."""


class Say(Asked, frozen=True):
    """Words, or a ready sentence by its name."""

    words: Annotated[str, msgspec.Meta(max_length=SENT_MAX)] = ""
    phrase: Short = ""


class ReportMessage(Asked, frozen=True):
    """Why the officials are to look at it."""

    reason: Reason = ""


class RemoveMessage(Asked, frozen=True):
    """Why it is taken out; its author and the audit trail are told."""

    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=REASON_MAX)]


class SetBoundary(Asked, frozen=True):
    """`mute`: the caller no longer sees what the person says. `block`: and the person cannot challenge or follow the
    caller either, nor see whether they are there."""

    kind: Boundary = "mute"


class MessageShown(Wire, frozen=True):
    """What somebody said. A ready sentence comes by its name too, which pages say in the language of their reader;
    without either it was taken out by an official."""

    id: str
    person: PlayerShown
    words: str
    phrase: str
    at: datetime
    is_removed: bool


class TalkShown(Listing, frozen=True):
    """The newest messages of a room first."""

    kind: RoomKind
    about: UUID
    may_write: bool
    is_silent: bool
    messages: tuple[MessageShown, ...]


class PhraseShown(Wire, frozen=True):
    name: str
    words: str


def phrases() -> tuple[PhraseShown, ...]:
    """The ready sentences in the reader's language."""
    return tuple(PhraseShown(name, _(words)) for name, words in PHRASES.items())


class BoundaryShown(Wire, frozen=True):
    """Somebody whom the caller does not want to hear."""

    person: PlayerShown
    kind: Boundary
    since: datetime


class ReportShown(Wire, frozen=True):
    """A message that somebody wants the officials to look at, where it was said, and in which event."""

    kind: RoomKind
    about: UUID
    event: str | None
    message: MessageShown
    by: PlayerShown
    reason: str
    at: datetime
