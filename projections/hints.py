"""Hints and verdicts that were asked for, what was found, and how long the bots of a table hold on for one.

A table in the database of analyses: nothing here is a fact of a match, and all of it may be lost.
"""

from functools import partial
from pathlib import Path
from typing import Final
from uuid import UUID

from domain.hints import Kind
from domain.kernel.values import Value
from projections.analyses import SCHEMA
from projections.platform.database import Database, SharedDatabase, SqliteDatabase, connect_to, is_server

TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS hints (match_id TEXT NOT NULL, version INTEGER NOT NULL, kind TEXT NOT NULL,"
    " seat INTEGER NOT NULL, attempt INTEGER NOT NULL, leased_us INTEGER NOT NULL, document BLOB,"
    " held_us INTEGER NOT NULL, PRIMARY KEY (match_id, version, kind))"
)
INDEXES: Final = (
    "CREATE INDEX IF NOT EXISTS hints_waiting ON hints (leased_us) WHERE document IS NULL",
    "CREATE INDEX IF NOT EXISTS hints_by_lease ON hints (leased_us)",
    "CREATE INDEX IF NOT EXISTS hints_decided ON hints (held_us) WHERE kind = 'verdict' AND document IS NOT NULL",
)
ATTEMPTS: Final = 5
"""After so many nobody waits for it any more, unless it is asked for again."""
KEPT_US: Final = 86_400 * 1_000_000
"""What was last given out longer ago is forgotten."""
ASK: Final = (
    "INSERT INTO hints (match_id, version, kind, seat, attempt, leased_us, held_us) VALUES (?, ?, ?, ?, 0, 0, 0)"
    " ON CONFLICT DO NOTHING"
)
ASK_AGAIN: Final = (
    "UPDATE hints SET attempt = 0, leased_us = 0"
    " WHERE match_id = ? AND version = ? AND kind = ? AND document IS NULL AND attempt >= ?"
)
DUE: Final = (
    "SELECT match_id, version, kind, attempt FROM hints WHERE document IS NULL AND (leased_us <= ? OR leased_us > ?)"
    " AND attempt < ? ORDER BY leased_us LIMIT ?"
)
LEASE: Final = (
    "UPDATE hints SET attempt = attempt + 1, leased_us = ?"
    " WHERE match_id = ? AND version = ? AND kind = ? AND attempt = ? AND document IS NULL"
)
EXTEND: Final = (
    "UPDATE hints SET leased_us = ?"
    " WHERE match_id = ? AND version = ? AND kind = ? AND attempt = ? AND document IS NULL"
)
KEEP: Final = (
    "UPDATE hints SET document = ?, held_us = ? WHERE match_id = ? AND version = ? AND kind = ? AND document IS NULL"
)


NEVER_HELD: Final = 0
LET_GO: Final = -1
TOLD: Final = {NEVER_HELD: -2, LET_GO: -3}
"""In the place of a time until which bots hold on, once they need not: `decided` has not said so yet, or has."""
KEPT: Final = frozenset({LET_GO, TOLD[LET_GO]})
"""What stands there for a choice that was kept."""
DECIDED: Final = (
    "SELECT match_id, version, held_us FROM hints"
    " WHERE kind = 'verdict' AND document IS NOT NULL AND held_us IN (?, ?) LIMIT ?"
)
TELL: Final = "UPDATE hints SET held_us = ? WHERE match_id = ? AND version = ? AND kind = 'verdict' AND held_us = ?"


class Decided(Value, frozen=True):
    """A choice after this entry that stands; `was_held`: the bots were told to hold on for it."""

    match_id: UUID
    version: int
    was_held: bool


class DueHint(Value, frozen=True):
    """One that waits to be thought about; `attempt`: how often it has been given out."""

    match_id: UUID
    version: int
    kind: Kind
    attempt: int


class Asked(Value, frozen=True):
    """One that was asked for: whose, and what was found; `is_given_up` when nobody looks for it any more."""

    seat: int
    document: bytes | None
    is_given_up: bool = False
    is_kept: bool = False
    """The choice is kept by whoever made it."""


def open_database(place: Path | str) -> Database:
    database: Database = connect_to(str(place), SCHEMA) if is_server(place) else SqliteDatabase(Path(place))
    try:
        with database.transaction():
            database.change(TABLE)
            for index in INDEXES:
                database.change(index)
    except BaseException:
        database.close()
        raise
    return database


class Hints:
    """The table; for all threads of a process."""

    def __init__(self, place: Path | str) -> None:
        self._database: Final = SharedDatabase(partial(open_database, place))

    def close(self) -> None:
        self._database.close()

    def ask(self, match_id: UUID, version: int, kind: Kind, seat: int) -> None:
        """What is to be thought about, at the position after this entry; asked twice, it is once. What the match has
        waited for of this kind before is waited for no longer."""
        known = self.find(match_id, version, kind)
        if known is not None and not known.is_given_up:
            return
        with self._database.transaction() as database:
            if database.change(ASK, (str(match_id), version, kind, seat)) == 1:
                sql = "DELETE FROM hints WHERE match_id = ? AND kind = ? AND version <> ? AND document IS NULL"
                database.change(sql, (str(match_id), kind, version))
            else:
                database.change(ASK_AGAIN, (str(match_id), version, kind, ATTEMPTS))

    def find(self, match_id: UUID, version: int, kind: Kind) -> Asked | None:
        sql = "SELECT seat, document, attempt, held_us FROM hints WHERE match_id = ? AND version = ? AND kind = ?"
        rows = self._database.rows(sql, (str(match_id), version, kind))
        if not rows:
            return None
        seat, document, attempt, held_us = rows[0]
        if document is None:
            return Asked(seat, None, attempt >= ATTEMPTS)
        return Asked(seat, bytes(document), is_kept=held_us in KEPT)

    def due(self, now_us: int, longest_us: int, limit: int) -> list[DueHint]:
        """Those nobody is at work on; after `ATTEMPTS` one is given up."""
        rows = self._database.rows(DUE, (now_us, now_us + longest_us, ATTEMPTS, limit))
        return [DueHint(UUID(match_id), version, kind, attempt) for match_id, version, kind, attempt in rows]

    def lease(self, hint: DueHint, until_us: int) -> bool:
        """Whether it is this caller's to give out now."""
        with self._database.transaction() as database:
            database.change("DELETE FROM hints WHERE leased_us > 0 AND leased_us < ?", (until_us - KEPT_US,))
            values = (until_us, str(hint.match_id), hint.version, hint.kind, hint.attempt)
            return database.change(LEASE, values) == 1

    def extend(self, hint: DueHint, until_us: int) -> None:
        """It stays given out as it is, for longer."""
        with self._database.transaction() as database:
            database.change(EXTEND, (until_us, str(hint.match_id), hint.version, hint.kind, hint.attempt))

    def keep(self, match_id: UUID, version: int, kind: Kind, document: bytes, held_us: int) -> None:
        """What was found, and until when the bots hold on for it; the first answer stays."""
        with self._database.transaction() as database:
            database.change(KEEP, (document, held_us, str(match_id), version, kind))

    def holds(self, match_id: UUID, version: int, now_us: int) -> bool:
        """Whether the bots hold on, because the choice made after this entry may still be taken back."""
        sql = "SELECT held_us FROM hints WHERE match_id = ? AND version = ? AND kind = 'verdict'"
        rows = self._database.rows(sql, (str(match_id), version))
        return bool(rows) and rows[0][0] > now_us

    def release(self, match_id: UUID, version: int) -> None:
        """The bots hold on no longer."""
        with self._database.transaction() as database:
            sql = "UPDATE hints SET held_us = ? WHERE match_id = ? AND version = ? AND kind = 'verdict' AND held_us > 0"
            database.change(sql, (LET_GO, str(match_id), version))

    def decided(self, limit: int) -> list[Decided]:
        """Choices that bots need not wait for any more; each is said once."""
        found = self._database.rows(DECIDED, (NEVER_HELD, LET_GO, limit))
        with self._database.transaction() as database:
            told = [row for row in found if database.change(TELL, (TOLD[row[2]], *row)) == 1] if found else []
        return [Decided(UUID(match_id), version, held == LET_GO) for match_id, version, held in told]
