"""Requests and responses about calls."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec

from api.http.structs import RequestStruct, ResponseStruct
from domain.disputes.calls import WORDS_MAX
from domain.kernel.texts import ONE_LINE

CallWords = Annotated[str, msgspec.Meta(max_length=WORDS_MAX, pattern=ONE_LINE)]


class CallArbiter(RequestStruct, frozen=True):
    """A call for an arbiter, with an optional message."""

    words: CallWords = ""


class ComeToTable(RequestStruct, frozen=True):
    """An official handles the call; `here`: they are at the table."""

    here: bool = False


class AnswerCall(RequestStruct, frozen=True):
    """An official's answer that closes the call."""

    words: CallWords = ""


class CallShown(ResponseStruct, frozen=True, kw_only=True):
    """A call about a match, made at `entry` of `line`.

    `status`: open, looking or here (an official handles it or is at the table), withdrawn, answered. `leftSeconds`:
    time left on the running clock, if any.
    """

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


class CallsShown(ResponseStruct, frozen=True):
    """Waiting calls at tables of the caller's events, oldest first."""

    calls: tuple[CallShown, ...]
