"""Requested hints and verdicts with their results, and the time until which bots wait for a verdict.

A table in the database of analyses: it contains no facts of matches and may be lost.
"""

from functools import partial
from pathlib import Path
from typing import Final
from uuid import UUID

from sqlalchemy import (
    Column,
    ColumnElement,
    Index,
    MetaData,
    Table,
    and_,
    bindparam,
    delete,
    literal_column,
    or_,
    select,
    update,
)

from domain.hints import Kind
from domain.kernel.values import Value
from projections.analyses import open_database
from projections.platform.database import SharedDatabase
from projections.platform.statements import insert_new
from projections.platform.tables import BYTES, NUMBER, TEXT, partial_index

METADATA: Final = MetaData()
HINTS: Final = Table(
    "hints",
    METADATA,
    Column("match_id", TEXT, primary_key=True),
    Column("version", NUMBER, primary_key=True),
    Column("kind", TEXT, primary_key=True),
    Column("seat", NUMBER, nullable=False),
    Column("attempt", NUMBER, nullable=False),
    Column("leased_us", NUMBER, nullable=False),
    Column("document", BYTES),
    Column("held_us", NUMBER, nullable=False),
)
COLUMNS: Final = HINTS.c
VERDICT: Final[ColumnElement[str]] = literal_column("'verdict'")
"""A literal in the statement, because a partial index has it as a condition."""
IS_UNKNOWN: Final = COLUMNS.document.is_(None)
IS_DECIDED: Final = and_(COLUMNS.kind == VERDICT, COLUMNS.document.is_not(None))
partial_index("hints_waiting", COLUMNS.leased_us, where=IS_UNKNOWN)
Index("hints_by_lease", COLUMNS.leased_us)
partial_index("hints_decided", COLUMNS.held_us, where=IS_DECIDED)
ATTEMPTS: Final = 5
"""Attempts after which a hint is given up until it is requested again."""
KEPT_US: Final = 86_400 * 1_000_000
"""Age of the last lease after which a hint is deleted, in microseconds."""
OF_VERSION: Final = and_(COLUMNS.match_id == bindparam("match_id"), COLUMNS.version == bindparam("version"))
OF_HINT: Final = and_(OF_VERSION, COLUMNS.kind == bindparam("kind"))
ASK: Final = insert_new(HINTS, "match_id", "version", "kind", "seat").values(attempt=0, leased_us=0, held_us=0)
ASK_AGAIN: Final = update(HINTS).where(OF_HINT, IS_UNKNOWN, COLUMNS.attempt >= ATTEMPTS).values(attempt=0, leased_us=0)
FORGET_OTHERS: Final = delete(HINTS).where(
    COLUMNS.match_id == bindparam("match_id"),
    COLUMNS.kind == bindparam("kind"),
    COLUMNS.version != bindparam("version"),
    IS_UNKNOWN,
)
FIND: Final = select(COLUMNS.seat, COLUMNS.document, COLUMNS.attempt, COLUMNS.held_us).where(OF_HINT)
DUE: Final = (
    select(COLUMNS.match_id, COLUMNS.version, COLUMNS.kind, COLUMNS.attempt)
    .where(
        IS_UNKNOWN,
        or_(COLUMNS.leased_us <= bindparam("now"), COLUMNS.leased_us > bindparam("longest")),
        COLUMNS.attempt < ATTEMPTS,
    )
    .order_by(COLUMNS.leased_us)
    .limit(bindparam("limit"))
)
EXTEND: Final = (
    update(HINTS)
    .where(OF_HINT, COLUMNS.attempt == bindparam("given_out"), IS_UNKNOWN)
    .values(leased_us=bindparam("until"))
)
LEASE: Final = EXTEND.values(attempt=COLUMNS.attempt + 1)
FORGET_OLD: Final = delete(HINTS).where(COLUMNS.leased_us > 0, COLUMNS.leased_us < bindparam("until"))
KEEP: Final = (
    update(HINTS).where(OF_HINT, IS_UNKNOWN).values(document=bindparam("document"), held_us=bindparam("held_us"))
)


NEVER_HELD: Final = 0
LET_GO: Final = -1
TOLD: Final = {NEVER_HELD: -2, LET_GO: -3}
"""Values in place of a wait's end once bots need not wait: before and after `decided` has reported it."""
KEPT: Final = frozenset({LET_GO, TOLD[LET_GO]})
"""The values for a choice that the player kept."""
IS_HELD: Final = COLUMNS.held_us.in_([NEVER_HELD, LET_GO])
DECIDED: Final = (
    select(COLUMNS.match_id, COLUMNS.version, COLUMNS.held_us).where(IS_DECIDED, IS_HELD).limit(bindparam("limit"))
)
OF_VERDICT: Final = and_(OF_VERSION, COLUMNS.kind == VERDICT)
TELL: Final = update(HINTS).where(OF_VERDICT, COLUMNS.held_us == bindparam("held")).values(held_us=bindparam("told"))
READ_HELD: Final = select(COLUMNS.held_us).where(OF_VERDICT)
RELEASE: Final = update(HINTS).where(OF_VERDICT, COLUMNS.held_us > 0).values(held_us=LET_GO)


class FinalChoice(Value, frozen=True):
    """A choice after this entry that is final; `was_held`: bots had to wait for it."""

    match_id: UUID
    version: int
    was_held: bool


class DueHint(Value, frozen=True):
    """A hint to compute; `attempt` counts previous leases."""

    match_id: UUID
    version: int
    kind: Kind
    attempt: int


class RequestedHint(Value, frozen=True):
    """A requested hint with its seat and result; `is_given_up` after too many attempts."""

    seat: int
    document: bytes | None
    is_given_up: bool = False
    is_kept: bool = False
    """Whether the player kept the choice."""


class Hints:
    """The table of hints; thread-safe."""

    def __init__(self, location: Path | str) -> None:
        self._database: Final = SharedDatabase(partial(open_database, location, METADATA))

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def request_hint(self, match_id: UUID, version: int, kind: Kind, seat: int) -> None:
        """Request a hint of a kind at the position after this entry; idempotent, but a given-up one is tried again.

        A new request deletes unfinished requests of this kind for other positions of the match.
        """
        existing = self.find(match_id, version, kind)
        if existing is not None and not existing.is_given_up:
            return
        with self._database.transaction() as database:
            key = {"match_id": str(match_id), "version": version, "kind": kind}
            if database.change(ASK, seat=seat, **key) == 1:
                database.change(FORGET_OTHERS, **key)
            else:
                database.change(ASK_AGAIN, **key)

    def find(self, match_id: UUID, version: int, kind: Kind) -> RequestedHint | None:
        """Return a requested hint with its result, if any; None unless it was requested.

        Without a result it is given up after `ATTEMPTS` attempts.
        """
        rows = self._database.rows(FIND, match_id=str(match_id), version=version, kind=kind)
        if not rows:
            return None
        seat, document, attempt, held_us = rows[0]
        if document is None:
            return RequestedHint(seat, None, attempt >= ATTEMPTS)
        return RequestedHint(seat, bytes(document), is_kept=held_us in KEPT)

    def due(self, now_us: int, longest_us: int, limit: int) -> list[DueHint]:
        """Return hints without a valid lease and with attempts left."""
        rows = self._database.rows(DUE, now=now_us, longest=now_us + longest_us, limit=limit)
        return [DueHint(UUID(match_id), version, kind, attempt) for match_id, version, kind, attempt in rows]

    def lease(self, hint: DueHint, until_us: int) -> bool:
        """Lease the hint and count the attempt; return False if another process has leased it or it has a result.

        Also delete all hints last leased a day (`KEPT_US`) before the end of this lease.
        """
        with self._database.transaction() as database:
            database.change(FORGET_OLD, until=until_us - KEPT_US)
            return database.change(LEASE, until=until_us, **key_of(hint)) == 1

    def extend(self, hint: DueHint, until_us: int) -> None:
        """Extend the lease of the hint in its current attempt."""
        with self._database.transaction() as database:
            database.change(EXTEND, until=until_us, **key_of(hint))

    def store_hint(self, match_id: UUID, version: int, kind: Kind, document: bytes, held_us: int) -> None:
        """Store the result of a hint, unless it has one, and the time until which bots wait for the player."""
        with self._database.transaction() as database:
            key = {"match_id": str(match_id), "version": version, "kind": kind}
            database.change(KEEP, document=document, held_us=held_us, **key)

    def holds(self, match_id: UUID, version: int, now_us: int) -> bool:
        """Return whether bots wait, because the choice after this entry may still be taken back."""
        rows = self._database.rows(READ_HELD, match_id=str(match_id), version=version)
        return bool(rows) and rows[0][0] > now_us

    def release(self, match_id: UUID, version: int) -> None:
        """End the wait of the bots."""
        with self._database.transaction() as database:
            database.change(RELEASE, match_id=str(match_id), version=version)

    def take_final_choices(self, limit: int) -> list[FinalChoice]:
        """Return at most `limit` choices that bots need not wait for any longer, each once over all processes."""
        found = self._database.rows(DECIDED, limit=limit)
        if not found:
            return []
        with self._database.transaction() as database:
            newly_final = [
                (match_id, version, held)
                for match_id, version, held in found
                if database.change(TELL, match_id=match_id, version=version, held=held, told=TOLD[held]) == 1
            ]
        return [FinalChoice(UUID(match_id), version, held == LET_GO) for match_id, version, held in newly_final]


def key_of(hint: DueHint) -> dict[str, str | int]:
    """Return the values by which `EXTEND` and `LEASE` find a leased hint."""
    return {
        "match_id": str(hint.match_id),
        "version": hint.version,
        "kind": hint.kind,
        "given_out": hint.attempt,
    }
