"""Requests and responses of the chat API."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

import msgspec

from api.http.languages import _
from api.http.structs import Listing, RequestStruct, ResponseStruct, Short
from api.matches.schemas import PlayerShown
from api.talk.store import Boundary
from domain.talk import PHRASES, REASON_MAX, WORDS_MAX, RoomKind

Reason = Annotated[str, msgspec.Meta(max_length=REASON_MAX)]
SENT_MAX: Final = 4 * WORDS_MAX
"""Above the limit of messages, so that the error can name the actual length."""


class Say(RequestStruct, frozen=True):
    """Text, or a ready-made phrase by name."""

    words: Annotated[str, msgspec.Meta(max_length=SENT_MAX)] = ""
    phrase: Short = ""


class ReportMessage(RequestStruct, frozen=True):
    """The reason of a report."""

    reason: Reason = ""


class RemoveMessage(RequestStruct, frozen=True):
    """The reason of a removal, shown to the author and in the audit trail."""

    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=REASON_MAX)]


class SetBoundary(RequestStruct, frozen=True):
    """`mute`: the caller no longer sees the person's messages.

    `block`: in addition, the person cannot challenge or follow the caller, nor see their presence.
    """

    kind: Boundary = "mute"


class MessageShown(ResponseStruct, frozen=True):
    """A message.

    A ready-made phrase also has its name, so that pages can localise it; a message without text and phrase was removed.
    """

    id: str
    person: PlayerShown
    words: str
    phrase: str
    at: datetime
    is_removed: bool


class TalkShown(Listing, frozen=True):
    """The messages of a room, latest first."""

    kind: RoomKind
    about: UUID
    may_write: bool
    is_silent: bool
    messages: tuple[MessageShown, ...]


class PhraseShown(ResponseStruct, frozen=True):
    """A ready-made phrase."""

    name: str
    words: str


def phrases() -> tuple[PhraseShown, ...]:
    """Return the ready-made phrases in the reader's language."""
    return tuple(PhraseShown(name, _(text)) for name, text in PHRASES.items())


class BoundaryShown(ResponseStruct, frozen=True):
    """A mute or block of the caller."""

    person: PlayerShown
    kind: Boundary
    since: datetime


class ReportShown(ResponseStruct, frozen=True):
    """A report of a message, with its room and event."""

    kind: RoomKind
    about: UUID
    event: str | None
    message: MessageShown
    by: PlayerShown
    reason: str
    at: datetime
