"""Tables opened per day and how many of them started.

The figures reveal a server that discards unwanted seeds, or players who never open their share.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final
from uuid import UUID

import msgspec
from sqlalchemy import Column, bindparam, delete, insert, select, update

from domain.matches.facts import MatchOpened, MatchStarted
from domain.matches.log.entries import EPOCH
from projections.follow import FollowedStep
from projections.platform.merging import Merge
from projections.platform.paging import LIMIT, Page, end_of, page_of
from projections.platform.statements import upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import NUMBER, TEXT, by_name, read_model

NAME: Final = "transparency"
SHAPE: Final = "1"
OPENING_DAYS: Final = read_model(
    "opening_days",
    Column("day", NUMBER, primary_key=True),
    Column("opened", NUMBER, nullable=False),
    Column("begun", NUMBER, nullable=False),
)
NOT_BEGUN: Final = read_model(
    "not_begun",
    Column("match_id", TEXT, primary_key=True),
    Column("day", NUMBER, nullable=False),
)
TABLES: Final = by_name(OPENING_DAYS, NOT_BEGUN)

MERGED: Final = {"opening_days": Merge(added=("opened", "begun"))}

DAYS: Final = OPENING_DAYS.c
OF_MATCH: Final = NOT_BEGUN.c.match_id == bindparam("match_id")
OPEN: Final = upsert(OPENING_DAYS, added=("opened", "begun"))
NOTE_OPENED: Final = insert(NOT_BEGUN)
READ_DAY: Final = select(NOT_BEGUN.c.day).where(OF_MATCH)
FORGET: Final = delete(NOT_BEGUN).where(OF_MATCH)
BEGIN: Final = update(OPENING_DAYS).where(DAYS.day == bindparam("opened_on")).values(begun=DAYS.begun + 1)
READ: Final = (
    select(OPENING_DAYS).where(DAYS.day < bindparam("before")).order_by(DAYS.day.desc()).limit(bindparam("limit"))
)


class OpeningDay(msgspec.Struct, frozen=True):
    """A day (UTC): tables opened on it, and how many of them have started since."""

    day: date
    opened: int
    begun: int

    @property
    def never_begun(self) -> int:
        """Return the number of tables that never started."""
        return self.opened - self.begun


def number_of(at: datetime) -> int:
    """Return whole days since 1970."""
    return (at - EPOCH).days


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """Count opened and started tables on the day of their opening, without forks and imported matches."""
    for step in steps:
        if step.imported:
            continue
        if isinstance(step.fact, MatchOpened):
            note_opened(transaction, step.line_id, number_of(step.entry.timestamp))
        elif isinstance(step.fact, MatchStarted):
            note_begun(transaction, step.line_id)


def note_opened(transaction: Transaction, match_id: UUID, day: int) -> None:
    """Count an opened table."""
    transaction.change(OPEN, day=day, opened=1, begun=0)
    transaction.change(NOTE_OPENED, match_id=str(match_id), day=day)


def note_begun(transaction: Transaction, match_id: UUID) -> None:
    """Count a started match on the day its table was opened, once."""
    for (day,) in transaction.rows(READ_DAY, match_id=str(match_id)):
        transaction.change(FORGET, match_id=str(match_id))
        transaction.change(BEGIN, opened_on=day)


def days(store: ReadStore, limit: int = LIMIT, before: int | None = None) -> Page[OpeningDay]:
    """Return a page of days on which tables were opened, latest first; the key is the day number since 1970."""
    rows = store.rows(READ, before=end_of(before), limit=limit + 1)
    page = page_of(rows, limit, lambda row: int(row[0]))
    return page.of(
        [OpeningDay(EPOCH.date() + timedelta(days=day), opened, started) for day, opened, started in page.items]
    )
