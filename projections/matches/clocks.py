"""Clocks of all matches as folded from the log: running seat, remaining time and deadline."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Column, Index, bindparam, select

from domain.kernel.title import Titles
from domain.kernel.values import Value
from domain.matches.aggregate import Match
from domain.matches.apply import apply, begin
from domain.matches.log.entries import Entry, microseconds, peek_fact_type
from domain.matches.play.absences import wall_time
from domain.matches.play.clocks import expiry_time, times_left_ms
from domain.matches.titles import read_fact
from projections.follow import FollowedStep, moment
from projections.platform.database import Row
from projections.platform.statements import any_of, upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import NUMBER, TEXT, by_name, read_model

NAME: Final = "clocks"
SHAPE: Final = "2"
SLICED: Final = True
CLOCKS: Final = read_model(
    "clocks",
    Column("match_id", TEXT, primary_key=True),
    Column("seat", NUMBER, primary_key=True),
    Column("version", NUMBER, nullable=False),
    Column("left_us", NUMBER, nullable=False),
    Column("since_us", NUMBER),
    Column("deadline_us", NUMBER),
)
TABLES: Final = by_name(CLOCKS)
Index("clocks_by_deadline", CLOCKS.c.deadline_us)

COLUMNS: Final = CLOCKS.c
WRITE: Final = upsert(CLOCKS)
READ: Final = select(CLOCKS).where(COLUMNS.match_id == bindparam("match_id")).order_by(COLUMNS.seat)
READ_RUNNING: Final = (
    select(CLOCKS)
    .where(COLUMNS.deadline_us.is_not(None), COLUMNS.match_id.in_(any_of("match_ids")))
    .order_by(COLUMNS.deadline_us)
)
READ_OVER: Final = (
    select(CLOCKS)
    .where(COLUMNS.deadline_us <= bindparam("now"))
    .order_by(COLUMNS.deadline_us)
    .limit(bindparam("limit"))
)


class Clock(Value, frozen=True):
    """A seat's clock after entry `version`; `deadline` is the time at which a running clock expires."""

    match_id: UUID
    seat: int
    version: int
    left_ms: int
    running_since: datetime | None
    deadline: datetime | None


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """Store the clocks of every started match that has any."""
    last_steps = {step.line_id: step for step in steps}
    for line_id, step in last_steps.items():
        for seat, clock in enumerate(step.match.clocks):
            since_us = None if clock.since is None else wall_time(step.match.absences, seat, clock.since)
            deadline_us = expiry_time(step.match, seat)
            transaction.change(
                WRITE,
                match_id=str(line_id),
                seat=seat,
                version=step.version,
                left_us=clock.left,
                since_us=since_us,
                deadline_us=deadline_us,
            )


def get(store: ReadStore, match_id: UUID) -> tuple[Clock, ...]:
    """Return the clocks of a match by seat; empty without clocks."""
    return tuple(clock_of(row) for row in store.rows(READ, match_id=str(match_id)))


def over(store: ReadStore, now: datetime, limit: int) -> tuple[Clock, ...]:
    """Return expired clocks, earliest first."""
    return tuple(clock_of(row) for row in store.rows(READ_OVER, now=microseconds(now), limit=limit))


def running(store: ReadStore, matches: Sequence[UUID]) -> tuple[Clock, ...]:
    """Return the running clocks of these matches, by deadline."""
    return tuple(clock_of(row) for row in store.rows(READ_RUNNING, match_ids=[str(each) for each in matches]))


def clock_of(row: Row) -> Clock:
    """Convert a row into a clock."""
    match_id, seat, version, left_us, since_us, deadline = row
    return Clock(
        match_id=UUID(match_id),
        seat=seat,
        version=version,
        left_ms=left_us // 1_000,
        running_since=None if since_us is None else moment(since_us),
        deadline=None if deadline is None else moment(deadline),
    )


class Timed(Value, frozen=True):
    """An entry and the remaining time of every seat after it, in milliseconds."""

    version: int
    at: datetime
    seat: int | None
    kind: str
    left_ms: tuple[int, ...]


def record(titles: Titles, entries: Sequence[Entry]) -> tuple[Timed, ...]:
    """Return the time left at every entry of a line that has clocks, computed from its entries."""
    match: Match | None = None
    timed: list[Timed] = []
    for entry in entries:
        match = begin(titles, entry) if match is None else apply(match, entry)
        if match.clocks:
            seat = getattr(read_fact(match.definition, entry), "seat", None)
            timed.append(Timed(entry.version, entry.timestamp, seat, peek_fact_type(entry).type, times_left_ms(match)))
    return tuple(timed)
