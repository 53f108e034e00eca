"""Of what people are to be told: the notices of every match as it stands, found by when they are due.

This is derived from the log and made again from it at will. Whether somebody has been told is no part of it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from domain.matches.log import microseconds
from domain.notifications.notices import Notice, next_notices
from projections.database import Row
from projections.follow import FollowedStep
from projections.store import ReadStore, Transaction

NAME: Final = "notices"
SHAPE: Final = "1"
SLICED: Final = True
TABLES: Final = {
    "notices": """CREATE TABLE {notices} (line_id TEXT NOT NULL, kind TEXT NOT NULL, person TEXT NOT NULL,
        version INTEGER NOT NULL, due_us INTEGER NOT NULL, PRIMARY KEY (line_id, kind, person))""",
}
INDEXES: Final = ("CREATE INDEX notices_by_time ON notices (due_us, line_id)",)

READ: Final = "SELECT kind, person, version, due_us FROM {notices} WHERE line_id = ? ORDER BY kind, person"
FORGET: Final = "DELETE FROM {notices} WHERE line_id = ? AND kind = ? AND person = ?"
WRITE: Final = (
    "INSERT INTO {notices} (line_id, kind, person, version, due_us) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (line_id, kind, person) DO UPDATE SET version = excluded.version, due_us = excluded.due_us"
)
DUE: Final = (
    "SELECT line_id, kind, person, version, due_us FROM notices WHERE due_us > ? AND due_us <= ?"
    " ORDER BY due_us, line_id, kind, person LIMIT ?"
)


class MatchNotice(msgspec.Struct, frozen=True):
    """A notice, and the match it is about."""

    line_id: UUID
    notice: Notice

    @property
    def topic(self) -> str:
        """What it is known by wherever it goes: the same however often it is handed over."""
        return f"{self.notice.kind}-{self.line_id.hex}-{self.notice.version}"


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """Keeps the notices of every match; of one that came from a file nobody is told."""
    kept: dict[UUID, tuple[Notice, ...]] = {}
    now: dict[UUID, tuple[Notice, ...]] = {}
    for step in steps:
        if step.imported:
            continue
        if step.line_id not in kept:
            rows = transaction.rows(READ, str(step.line_id))
            kept[step.line_id] = now[step.line_id] = tuple(Notice(*row) for row in rows)
        now[step.line_id] = next_notices(now[step.line_id], step.match)
    for line_id, notices in now.items():
        write(transaction, str(line_id), kept[line_id], notices)


def write(transaction: Transaction, line_id: str, before: tuple[Notice, ...], after: tuple[Notice, ...]) -> None:
    """What has changed, and nothing where nothing has."""
    stays = {(notice.kind, notice.person) for notice in after}
    for notice in before:
        if (notice.kind, notice.person) not in stays:
            transaction.change(FORGET, line_id, notice.kind, notice.person)
    for notice in after:
        if notice not in before:
            transaction.change(WRITE, line_id, notice.kind, notice.person, notice.version, notice.due)


def due(store: ReadStore, after: datetime, until: datetime, limit: int) -> tuple[MatchNotice, ...]:
    """What has become due between two times and still holds, the earliest first."""
    rows = store.rows(DUE, microseconds(after), microseconds(until), limit)
    return tuple(notice_of(row) for row in rows)


def notice_of(row: Row) -> MatchNotice:
    line_id, *notice = row
    return MatchNotice(UUID(line_id), Notice(*notice))
