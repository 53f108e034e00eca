"""Requests and responses about tables at which bots play on after a deadline, for the service's workers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec

from api.http.structs import RequestStruct, ResponseStruct, Short
from domain.contests.adjudication import LINE_COUNT, BotLines, TableLeft
from domain.matches.apply import SEATS_MAX

Line = Annotated[tuple[int, ...], msgspec.Meta(max_length=SEATS_MAX)]


class AnswerLines(RequestStruct, frozen=True):
    """The lines that a bot played from the last position of a table, with the points of each by seat.

    Empty once the time of the bots is over: then the scores decide.
    """

    bot: Short = ""
    lines: Annotated[tuple[Line, ...], msgspec.Meta(max_length=LINE_COUNT)] = ()

    @property
    def answer(self) -> BotLines | None:
        """The lines, or None without a bot."""
        return BotLines(self.bot, self.lines) if self.bot else None


class TableLeftShown(ResponseStruct, frozen=True):
    """A table at which bots play on: its address within the event, and its match, whose log is public.

    `is_late`: the time of the bots is over.
    """

    address: str
    match: UUID
    is_late: bool


def encode_tables(tables: Iterable[TableLeft], at: datetime) -> tuple[TableLeftShown, ...]:
    """Return the tables for a response, those whose time is over first."""
    shown = [TableLeftShown(each.address, each.match, at >= each.until) for each in tables]
    return tuple(sorted(shown, key=lambda each: not each.is_late))
