"""Calls for an arbiter on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec

from api.http.wire import Asked, Wire
from domain.disputes.calls import WORDS_MAX
from domain.kernel.texts import ONE_LINE

CallWords = Annotated[str, msgspec.Meta(max_length=WORDS_MAX, pattern=ONE_LINE)]


class CallArbiter(Asked, frozen=True):
    """A player calls an arbiter to their table, with a sentence or without."""

    words: CallWords = ""


class ComeToTable(Asked, frozen=True):
    """An official looks after the call; `here`: they have come."""

    here: bool = False


class AnswerCall(Asked, frozen=True):
    """An official has dealt with the call."""

    words: CallWords = ""


class CallShown(Wire, frozen=True, kw_only=True):
    """A call about a match, at which entry of which line. `status`: `open`, `looking` or `here` (the official, by
    name), `withdrawn` or `answered`. `leftSeconds`: how long the clock has left that runs there, where one does."""

    line: UUID
    event: str
    entry: int
    seat: int
    by: str
    name: str
    words: str
    at: datetime
    status: str
    changed_at: datetime
    official_name: str | None
    answer: str
    left_seconds: int | None = None


class CallsShown(Wire, frozen=True):
    """Calls that wait at tables of the caller's events, the oldest first."""

    calls: tuple[CallShown, ...]
