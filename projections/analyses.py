"""Analyses of matches that were asked for: what is known of them piece by piece, and who is at work.

A database of its own beside the read models. No analysis is a fact of its match: each can be made again from the log,
so that this file may be lost, and is in no backup. Who asked is not kept.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final
from uuid import UUID

from domain.analyses.report import STANDARD
from domain.kernel.values import Value
from projections.platform.database import Database, SharedDatabase, SqliteDatabase, Taken, connect_to, is_server

SCHEMA: Final = "analyses"
TABLES: Final = (
    """CREATE TABLE IF NOT EXISTS analyses (match_id TEXT PRIMARY KEY, head TEXT NOT NULL, entries INTEGER NOT NULL,
        version INTEGER NOT NULL, tries INTEGER NOT NULL, document BLOB)""",
    """CREATE TABLE IF NOT EXISTS analysis_pieces (match_id TEXT NOT NULL, first INTEGER NOT NULL,
        last INTEGER NOT NULL, attempt INTEGER NOT NULL, leased_us INTEGER NOT NULL, result BLOB,
        PRIMARY KEY (match_id, first))""",
    """CREATE TABLE IF NOT EXISTS analysis_agreements (match_id TEXT PRIMARY KEY, version INTEGER NOT NULL,
        detail BLOB NOT NULL)""",
)
"""`analysis_agreements`: what integrity measures need of a finished analysis; its `version` is that of the analysis."""
DUE: Final = (
    "SELECT match_id, first, last, attempt, tries FROM analysis_pieces JOIN analyses USING (match_id)"
    " WHERE result IS NULL AND (leased_us <= ? OR leased_us > ?) ORDER BY leased_us, match_id, first LIMIT ?"
)
LEASE: Final = (
    "UPDATE analysis_pieces SET attempt = attempt + 1, leased_us = ?"
    " WHERE match_id = ? AND first = ? AND attempt = ? AND result IS NULL"
)
STANDING: Final = (
    "SELECT head, entries, version, tries, document IS NOT NULL,"
    " (SELECT count(*) FROM analysis_pieces WHERE match_id = analyses.match_id),"
    " (SELECT count(*) FROM analysis_pieces WHERE match_id = analyses.match_id AND result IS NOT NULL)"
    " FROM analyses WHERE match_id = ?"
)
EXTEND: Final = (
    "UPDATE analysis_pieces SET leased_us = ? WHERE match_id = ? AND first = ? AND attempt = ? AND result IS NULL"
)
KEEP: Final = "UPDATE analysis_pieces SET result = ? WHERE match_id = ? AND first = ? AND result IS NULL"
KEEP_AGREEMENT: Final = (
    "INSERT INTO analysis_agreements (match_id, version, detail) VALUES (?, ?, ?)"
    " ON CONFLICT (match_id) DO UPDATE SET version = excluded.version, detail = excluded.detail"
)
UNCOMPARED: Final = (
    "SELECT match_id FROM analyses WHERE document IS NOT NULL AND version = ? AND NOT EXISTS (SELECT 1"
    " FROM analysis_agreements AS known WHERE known.match_id = analyses.match_id AND known.version = analyses.version)"
)
ROWS: Final = 500
"""So many matches are asked for with one statement."""


class Standing(Value, frozen=True):
    """How far an analysis is."""

    head: str
    entries: int
    version: int
    tries: int
    is_done: bool
    pieces: int
    pieces_done: int


class DuePiece(Value, frozen=True):
    """A range of entries that waits to be looked at; `attempt`: how often it has been given out."""

    match_id: UUID
    first: int
    last: int
    attempt: int
    tries: int


def open_database(place: Path | str) -> Database:
    database: Database = connect_to(str(place), SCHEMA) if is_server(place) else SqliteDatabase(Path(place))
    try:
        with database.transaction():
            for table in TABLES:
                database.change(table)
    except BaseException:
        database.close()
        raise
    return database


class Analyses:
    """The database; for all threads of a process."""

    def __init__(self, place: Path | str) -> None:
        self._database: Final = SharedDatabase(partial(open_database, place))

    def close(self) -> None:
        self._database.close()

    def standing(self, match_id: UUID) -> Standing | None:
        """How far the analysis of a match is; nothing where none was asked for."""
        rows = self._database.rows(STANDING, (str(match_id),))
        if not rows:
            return None
        head, entries, version, tries, is_done, pieces, pieces_done = rows[0]
        return Standing(head, entries, version, tries, bool(is_done), pieces, pieces_done)

    def document(self, match_id: UUID) -> bytes | None:
        """The finished analysis, in JSON."""
        rows = self._database.rows("SELECT document FROM analyses WHERE match_id = ?", (str(match_id),))
        return bytes(rows[0][0]) if rows and rows[0][0] is not None else None

    def ask(
        self,
        match_id: UUID,
        head: str,
        version: int,
        spans: Sequence[tuple[int, int]],
        tries: int = STANDARD.tries,
    ) -> bool:
        """An analysis of the match with this head, with so many tries for a decision; whether it was not asked for yet.
        One of another head or version is made anew."""
        with self._database.transaction() as database:
            known = database.rows("SELECT head, version FROM analyses WHERE match_id = ?", (str(match_id),))
            if known and tuple(known[0]) == (head, version):
                return False
            database.change("DELETE FROM analyses WHERE match_id = ?", (str(match_id),))
            database.change("DELETE FROM analysis_pieces WHERE match_id = ?", (str(match_id),))
            with suppress(Taken):
                database.change(
                    "INSERT INTO analyses (match_id, head, entries, version, tries) VALUES (?, ?, ?, ?, ?)",
                    (str(match_id), head, spans[-1][1], version, tries),
                )
            database.change_all(
                "INSERT INTO analysis_pieces (match_id, first, last, attempt, leased_us) VALUES (?, ?, ?, 0, 0)",
                ((str(match_id), *span) for span in spans),
            )
        return True

    def due(self, now_us: int, longest_us: int, limit: int) -> list[DuePiece]:
        """Pieces nobody is at work on; a lease that is longer than any is was taken before the clock was set back."""
        rows = self._database.rows(DUE, (now_us, now_us + longest_us, limit))
        return [DuePiece(UUID(match_id), *piece) for match_id, *piece in rows]

    def lease(self, piece: DuePiece, until_us: int) -> bool:
        """Whether the piece is this caller's to give out now."""
        values = (until_us, str(piece.match_id), piece.first, piece.attempt)
        with self._database.transaction() as database:
            return database.change(LEASE, values) == 1

    def extend(self, piece: DuePiece, until_us: int) -> None:
        """The piece stays given out as it is, for longer."""
        with self._database.transaction() as database:
            database.change(EXTEND, (until_us, str(piece.match_id), piece.first, piece.attempt))

    def keep(self, match_id: UUID, head: str, first: int, result: bytes) -> bool:
        """What is known of a piece; the first result stays. Whether all pieces are known now and the whole is still to
        be made: a job that was done twice comes late."""
        with self._database.transaction() as database:
            sql = "SELECT head FROM analyses WHERE match_id = ? AND document IS NULL"
            if database.rows(sql, (str(match_id),)) != [(head,)]:
                return False
            database.change(KEEP, (result, str(match_id), first))
            sql = "SELECT count(*) FROM analysis_pieces WHERE match_id = ? AND result IS NULL"
            return database.rows(sql, (str(match_id),)) == [(0,)]

    def results(self, match_id: UUID) -> list[bytes]:
        """What is known of all pieces, in order."""
        sql = "SELECT result FROM analysis_pieces WHERE match_id = ? AND result IS NOT NULL ORDER BY first"
        return [bytes(result) for (result,) in self._database.rows(sql, (str(match_id),))]

    def finish(self, match_id: UUID, head: str, document: bytes) -> None:
        """The whole, in the place of its pieces."""
        with self._database.transaction() as database:
            sql = "UPDATE analyses SET document = ? WHERE match_id = ? AND head = ?"
            if database.change(sql, (document, str(match_id), head)) == 1:
                database.change("DELETE FROM analysis_pieces WHERE match_id = ?", (str(match_id),))
                database.change("DELETE FROM analysis_agreements WHERE match_id = ?", (str(match_id),))

    # What is compared with them

    def uncompared(self, version: int) -> list[UUID]:
        """The matches whose analysis is finished and has not been compared with what was played."""
        return [UUID(match_id) for (match_id,) in self._database.rows(UNCOMPARED, (version,))]

    def keep_agreement(self, match_id: UUID, version: int, detail: bytes) -> None:
        with self._database.transaction() as database:
            database.change(KEEP_AGREEMENT, (str(match_id), version, detail))

    def agreements(self, match_ids: Sequence[str], version: int) -> dict[str, bytes]:
        """Of those among these matches that have been compared."""
        found: dict[str, bytes] = {}
        for start in range(0, len(match_ids), ROWS):
            some = match_ids[start : start + ROWS]
            marks = ", ".join("?" * len(some))
            sql = f"SELECT match_id, detail FROM analysis_agreements WHERE version = ? AND match_id IN ({marks})"  # noqa: S608
            found |= {match_id: bytes(detail) for match_id, detail in self._database.rows(sql, (version, *some))}
        return found
