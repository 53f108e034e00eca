"""The database of requested analyses: results by piece, and leases of workers.

It is separate from the read models. An analysis is not a fact of its match and can be repeated from the log, so this
file may be lost and is in no backup. Requesters are not stored.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final
from uuid import UUID

from sqlalchemy import Column, MetaData, Table, and_, bindparam, delete, func, insert, or_, select, update

from domain.analyses.report import STANDARD
from domain.kernel.values import Value
from projections.platform.database import (
    ConstraintViolated,
    Database,
    SharedDatabase,
    SqliteDatabase,
    connect_to,
    is_server,
)
from projections.platform.statements import any_of, upsert
from projections.platform.tables import BYTES, NUMBER, TEXT, creation_of

SCHEMA: Final = "analyses"
METADATA: Final = MetaData()
ANALYSES: Final = Table(
    "analyses",
    METADATA,
    Column("match_id", TEXT, primary_key=True),
    Column("head", TEXT, nullable=False),
    Column("entries", NUMBER, nullable=False),
    Column("version", NUMBER, nullable=False),
    Column("tries", NUMBER, nullable=False),
    Column("document", BYTES),
)
PIECES: Final = Table(
    "analysis_pieces",
    METADATA,
    Column("match_id", TEXT, primary_key=True),
    Column("first", NUMBER, primary_key=True),
    Column("last", NUMBER, nullable=False),
    Column("attempt", NUMBER, nullable=False),
    Column("leased_us", NUMBER, nullable=False),
    Column("result", BYTES),
)
AGREEMENTS: Final = Table(
    "analysis_agreements",
    METADATA,
    Column("match_id", TEXT, primary_key=True),
    Column("version", NUMBER, nullable=False),
    Column("detail", BYTES, nullable=False),
)
"""The part of a finished analysis that integrity measures need; `version` is the analysis's."""

WHOLE: Final = ANALYSES.c
PIECE: Final = PIECES.c
OF_MATCH: Final = WHOLE.match_id == bindparam("match_id")
PIECES_OF_MATCH: Final = PIECE.match_id == bindparam("match_id")
UNKNOWN: Final = PIECE.result.is_(None)
DUE: Final = (
    select(PIECE.match_id, PIECE.first, PIECE.last, PIECE.attempt, WHOLE.tries)
    .join(ANALYSES, WHOLE.match_id == PIECE.match_id)
    .where(UNKNOWN, or_(PIECE.leased_us <= bindparam("now"), PIECE.leased_us > bindparam("longest")))
    .order_by(PIECE.leased_us, PIECE.match_id, PIECE.first)
    .limit(bindparam("limit"))
)
OF_LEASED_PIECE: Final = and_(
    PIECES_OF_MATCH, PIECE.first == bindparam("first"), PIECE.attempt == bindparam("attempt"), UNKNOWN
)
EXTEND: Final = update(PIECES).where(OF_LEASED_PIECE).values(leased_us=bindparam("until"))
LEASE: Final = EXTEND.values(attempt=PIECE.attempt + 1)
KEEP: Final = (
    update(PIECES).where(PIECES_OF_MATCH, PIECE.first == bindparam("first"), UNKNOWN).values(result=bindparam("result"))
)
COUNT: Final = select(func.count()).select_from(PIECES).where(PIECE.match_id == WHOLE.match_id)
STANDING: Final = select(
    WHOLE.head,
    WHOLE.entries,
    WHOLE.version,
    WHOLE.tries,
    WHOLE.document.is_not(None),
    COUNT.scalar_subquery(),
    COUNT.where(PIECE.result.is_not(None)).scalar_subquery(),
).where(OF_MATCH)
READ: Final = select(WHOLE.document).where(OF_MATCH)
READ_KEY: Final = select(WHOLE.head, WHOLE.version).where(OF_MATCH)
READ_UNFINISHED: Final = select(WHOLE.head).where(OF_MATCH, WHOLE.document.is_(None))
ASK: Final = insert(ANALYSES).values(
    {name: bindparam(name) for name in ("match_id", "head", "entries", "version", "tries")}
)
ASK_PIECE: Final = insert(PIECES).values(
    match_id=bindparam("match_id"), first=bindparam("first"), last=bindparam("last"), attempt=0, leased_us=0
)
FORGET: Final = delete(ANALYSES).where(OF_MATCH)
FORGET_PIECES: Final = delete(PIECES).where(PIECES_OF_MATCH)
FORGET_AGREEMENT: Final = delete(AGREEMENTS).where(AGREEMENTS.c.match_id == bindparam("match_id"))
COUNT_UNKNOWN: Final = select(func.count()).select_from(PIECES).where(PIECES_OF_MATCH, UNKNOWN)
RESULTS: Final = select(PIECE.result).where(PIECES_OF_MATCH, PIECE.result.is_not(None)).order_by(PIECE.first)
FINISH: Final = update(ANALYSES).where(OF_MATCH, WHOLE.head == bindparam("head")).values(document=bindparam("document"))
KEEP_AGREEMENT: Final = upsert(AGREEMENTS)
IS_COMPARED: Final = (
    select(AGREEMENTS.c.match_id)
    .where(AGREEMENTS.c.match_id == WHOLE.match_id, AGREEMENTS.c.version == WHOLE.version)
    .exists()
)
UNCOMPARED: Final = select(WHOLE.match_id).where(
    WHOLE.document.is_not(None), WHOLE.version == bindparam("version"), ~IS_COMPARED
)
COMPARED: Final = select(AGREEMENTS.c.match_id, AGREEMENTS.c.detail).where(
    AGREEMENTS.c.version == bindparam("version"), AGREEMENTS.c.match_id.in_(any_of("match_ids"))
)
ROWS: Final = 500
"""Matches per statement."""


class Standing(Value, frozen=True):
    """The progress of an analysis."""

    head: str
    entries: int
    version: int
    tries: int
    is_done: bool
    pieces: int
    pieces_done: int


class DuePiece(Value, frozen=True):
    """A range of entries to analyse; `attempt` counts previous leases."""

    match_id: UUID
    first: int
    last: int
    attempt: int
    tries: int


def open_database(location: Path | str, tables: MetaData = METADATA) -> Database:
    """Open the database at a path or the address of a server, and create missing tables and indexes."""
    database: Database = connect_to(str(location), SCHEMA) if is_server(location) else SqliteDatabase(Path(location))
    try:
        with database.transaction():
            for table in tables.sorted_tables:
                for statement in creation_of(table, if_not_exists=True):
                    database.change(statement)
    except BaseException:
        database.close()
        raise
    return database


class Analyses:
    """The database of analyses; thread-safe."""

    def __init__(self, location: Path | str) -> None:
        self._database: Final = SharedDatabase(partial(open_database, location))

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def standing(self, match_id: UUID) -> Standing | None:
        """Return the progress of a match's analysis, or None without one."""
        rows = self._database.rows(STANDING, match_id=str(match_id))
        if not rows:
            return None
        head, entries, version, tries, is_done, pieces, pieces_done = rows[0]
        return Standing(head, entries, version, tries, bool(is_done), pieces, pieces_done)

    def document(self, match_id: UUID) -> bytes | None:
        """Return the finished analysis as JSON, or None."""
        rows = self._database.rows(READ, match_id=str(match_id))
        return bytes(rows[0][0]) if rows and rows[0][0] is not None else None

    def ask(
        self,
        match_id: UUID,
        head: str,
        version: int,
        spans: Sequence[tuple[int, int]],
        tries: int = STANDARD.tries,
    ) -> bool:
        """Request an analysis of the match with this head, in pieces of (first, last) entry; return False if it exists.

        It takes this many tries per decision. An analysis of another head or version is replaced, one with other
        `tries` is not.
        """
        name = str(match_id)
        with self._database.transaction() as database:
            rows = database.rows(READ_KEY, match_id=name)
            if rows and tuple(rows[0]) == (head, version):
                return False
            database.change(FORGET, match_id=name)
            database.change(FORGET_PIECES, match_id=name)
            with suppress(ConstraintViolated):
                database.change(ASK, match_id=name, head=head, entries=spans[-1][1], version=version, tries=tries)
            pieces = ({"match_id": name, "first": first, "last": last} for first, last in spans)
            database.change_all(ASK_PIECE, pieces)
        return True

    def due(self, now_us: int, longest_us: int, limit: int) -> list[DuePiece]:
        """Return at most `limit` unfinished pieces without a valid lease, the least recently leased first.

        A lease that ends more than `longest_us` from now is invalid: it was taken before the clock was set back.
        """
        rows = self._database.rows(DUE, now=now_us, longest=now_us + longest_us, limit=limit)
        return [DuePiece(UUID(match_id), *piece) for match_id, *piece in rows]

    def lease(self, piece: DuePiece, until_us: int) -> bool:
        """Lease the piece; return False if another process has leased it."""
        with self._database.transaction() as database:
            return database.change(LEASE, until=until_us, **key_of(piece)) == 1

    def extend(self, piece: DuePiece, until_us: int) -> None:
        """Extend the lease of the piece in its current attempt."""
        with self._database.transaction() as database:
            database.change(EXTEND, until=until_us, **key_of(piece))

    def store_result(self, match_id: UUID, head: str, first: int, result: bytes) -> bool:
        """Store the first result of a piece; return whether all pieces are known and the analysis is to be assembled.

        A job for another head, or for a finished analysis, has no effect and returns False.
        """
        with self._database.transaction() as database:
            if database.rows(READ_UNFINISHED, match_id=str(match_id)) != [(head,)]:
                return False
            database.change(KEEP, match_id=str(match_id), first=first, result=result)
            return database.rows(COUNT_UNKNOWN, match_id=str(match_id)) == [(0,)]

    def results(self, match_id: UUID) -> list[bytes]:
        """Return the known results in order of the pieces."""
        return [bytes(result) for (result,) in self._database.rows(RESULTS, match_id=str(match_id))]

    def finish(self, match_id: UUID, head: str, document: bytes) -> None:
        """Store the complete analysis and delete its pieces and agreement; nothing happens if the head differs."""
        with self._database.transaction() as database:
            if database.change(FINISH, match_id=str(match_id), head=head, document=document) == 1:
                database.change(FORGET_PIECES, match_id=str(match_id))
                database.change(FORGET_AGREEMENT, match_id=str(match_id))

    def list_uncompared(self, version: int) -> list[UUID]:
        """Return matches with a finished analysis of this version that was not compared with the played actions."""
        return [UUID(match_id) for (match_id,) in self._database.rows(UNCOMPARED, version=version)]

    def store_agreement(self, match_id: UUID, version: int, detail: bytes) -> None:
        """Store how well the played actions agree with the analysis."""
        with self._database.transaction() as database:
            database.change(KEEP_AGREEMENT, match_id=str(match_id), version=version, detail=detail)

    def agreements(self, match_ids: Sequence[str], version: int) -> dict[str, bytes]:
        """Return the stored agreements of these matches in this version, by match; missing ones are left out."""
        found: dict[str, bytes] = {}
        for start in range(0, len(match_ids), ROWS):
            batch = match_ids[start : start + ROWS]
            rows = self._database.rows(COMPARED, version=version, match_ids=batch)
            found |= {match_id: bytes(detail) for match_id, detail in rows}
        return found


def key_of(piece: DuePiece) -> dict[str, str | int]:
    """Return the values of `OF_LEASED_PIECE`."""
    return {"match_id": str(piece.match_id), "first": piece.first, "attempt": piece.attempt}
