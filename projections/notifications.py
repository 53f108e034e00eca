"""Notices for people in order of the log, from matches and from records of events, clubs and disputes.

Notices are derived from the log and can be rebuilt; whether they were delivered is stored elsewhere. A row has the
position of its entry. Rows of one position are written together and never after rows of a later one, so that a reader
that continues from a position misses nothing.
"""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Column, Index, bindparam, delete, select

from domain.clubs.state import CLUB
from domain.disputes.state import DISPUTE
from domain.leagues.state import LEAGUE
from domain.matches.facts import Actor, is_live
from domain.matches.log.entries import microseconds
from domain.matches.log.records import Kind as RecordKind
from domain.notifications.kinds import Kind
from domain.notifications.records import notification_of
from domain.notifications.turns import Notice, next_notices
from domain.tournaments.state import TOURNAMENT
from projections.follow import FollowedRecord, FollowedStep, LogEvent
from projections.platform.database import Row
from projections.platform.statements import upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import NUMBER, TEXT, by_name, read_model

NAME: Final = "notices"
SHAPE: Final = "3"
NOTICES: Final = read_model(
    "notices",
    Column("stream_id", TEXT, primary_key=True),
    Column("kind", TEXT, primary_key=True),
    Column("person", TEXT, primary_key=True),
    Column("version", NUMBER, primary_key=True),
    Column("position", NUMBER, nullable=False),
    Column("due_us", NUMBER, nullable=False),
    Column("live", NUMBER, nullable=False),
    Column("what", TEXT, nullable=False),
    Column("number", NUMBER, nullable=False),
)
TABLES: Final = by_name(NOTICES)
"""`person` is empty for a record that names no one; recipients are then determined at delivery.

`live` marks tables with players present at the same time.
"""
Index("notices_by_position", NOTICES.c.position)

COLUMNS: Final = NOTICES.c
OF_STREAM: Final = COLUMNS.stream_id == bindparam("stream_id")
READ: Final = select(COLUMNS.kind, COLUMNS.person, COLUMNS.version, COLUMNS.due_us).where(OF_STREAM)
FORGET: Final = delete(NOTICES).where(
    OF_STREAM,
    COLUMNS.kind == bindparam("kind"),
    COLUMNS.person == bindparam("person"),
    COLUMNS.version == bindparam("version"),
)
WRITE: Final = upsert(NOTICES, kept=("live", "what", "number"))
AFTER: Final = (
    select(NOTICES)
    .where(COLUMNS.position > bindparam("position"))
    .order_by(COLUMNS.position, COLUMNS.stream_id, COLUMNS.kind, COLUMNS.person)
    .limit(bindparam("limit"))
)
KINDS: Final[tuple[RecordKind[Any, Any], ...]] = (TOURNAMENT, LEAGUE, CLUB, DISPUTE)


class NotedNotice(msgspec.Struct, frozen=True):
    """A notice for people, with its position in the log."""

    stream_id: UUID
    kind: Kind
    person: Actor
    version: int
    position: int
    due: int
    live: bool
    what: str
    number: int

    @property
    def fact(self) -> str:
        """Return the identity of the notice, which is the same for every delivery."""
        return f"{self.kind}-{self.stream_id.hex}-{self.version}"


class LineNotices:
    """The notices of a line before and after a batch of the log."""

    def __init__(self, transaction: Transaction, line_id: UUID) -> None:
        self.before = tuple(sorted(Notice(*row) for row in transaction.rows(READ, stream_id=str(line_id))))
        self.now = self.before
        self.positions = dict[Notice, int]()
        self.live = False

    def follow(self, step: FollowedStep) -> None:
        """Apply an entry; new notices get its position."""
        self.live = is_live(step.match.table.clock)
        notices = next_notices(self.now, step.match)
        self.positions |= {notice: step.position for notice in notices if notice not in self.now}
        self.now = notices

    def write(self, transaction: Transaction, line_id: str) -> None:
        """Delete notices that no longer apply, and write new or changed ones."""
        current_keys = {(notice.kind, notice.person, notice.version) for notice in self.now}
        for notice in self.before:
            if (notice.kind, notice.person, notice.version) not in current_keys:
                transaction.change(
                    FORGET, stream_id=line_id, kind=notice.kind, person=notice.person, version=notice.version
                )
        for notice in self.now:
            if notice not in self.positions:
                continue
            transaction.change(
                WRITE,
                stream_id=line_id,
                kind=notice.kind,
                person=notice.person,
                version=notice.version,
                position=self.positions[notice],
                due_us=notice.due,
                live=int(self.live),
                what="",
                number=0,
            )


def follow_all(transaction: Transaction, events: Sequence[LogEvent]) -> None:
    """Store the notices of every match and notable record; imported matches give none."""
    notices_by_line: dict[UUID, LineNotices] = {}
    for event in events:
        if isinstance(event, FollowedRecord):
            follow_record(transaction, event)
        elif not event.imported:
            if event.line_id not in notices_by_line:
                notices_by_line[event.line_id] = LineNotices(transaction, event.line_id)
            notices_by_line[event.line_id].follow(event)
    for line_id, notices in notices_by_line.items():
        notices.write(transaction, str(line_id))


def follow_record(transaction: Transaction, event: FollowedRecord) -> None:
    """Write a row for each person that a notable record names, or one without a person; other records are ignored."""
    record = event.record
    kind = next((each for each in KINDS if each.owns(record)), None)
    notification = None if kind is None else notification_of(kind.read(record))
    if notification is None:
        return
    for person in notification.people or ("",):
        transaction.change(
            WRITE,
            stream_id=str(record.stream_id),
            kind=notification.kind,
            person=person,
            version=record.version,
            position=event.position,
            due_us=microseconds(record.timestamp),
            live=0,
            what=notification.what,
            number=notification.number,
        )


def list_notices_after(store: ReadStore, position: int, limit: int) -> tuple[tuple[NotedNotice, ...], int]:
    """Return about `limit` notices after a position, and the position they reach.

    Rows of one position are never split: the last one is left out if it may be incomplete.
    """
    rows = [notice_of(row) for row in store.rows(AFTER, position=position, limit=limit)]
    if len(rows) == limit and rows[0].position != rows[-1].position:
        rows = [row for row in rows if row.position != rows[-1].position]
    return tuple(rows), rows[-1].position if rows else position


def notice_of(row: Row) -> NotedNotice:
    """Convert a row into a notice."""
    stream_id, kind, person, version, position, due, live, what, number = row
    return NotedNotice(UUID(stream_id), kind, person, version, position, due, bool(live), what, number)
