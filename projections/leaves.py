"""Read access to the leaves of the transparency tree: the digests of streams when they were included."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import structlog
from sqlalchemy import ClauseElement, bindparam, select

from domain.eventstore.guard import SaltedLeaf, SaltedLeaves
from domain.eventstore.write_ahead import WAIT_SECONDS
from domain.matches.errors import Tampered
from domain.transparency.announcements import STREAM as ANNOUNCEMENTS
from projections.platform.database import SharedDatabase, connect_to
from projections.platform.migrations.schema import SERVER_TABLES
from projections.platform.statements import SQLITE_DIALECT, bind
from projections.tree import LEAVES, SCHEMA

COVERS: Final = select(LEAVES.c.version, LEAVES.c.salt, LEAVES.c.leaf).where(
    LEAVES.c.stream == bindparam("stream"),
    LEAVES.c.version > bindparam("after"),
    LEAVES.c.version <= bindparam("upto"),
)
STREAMS: Final = select(LEAVES.c.stream).distinct().where(LEAVES.c.stream != ANNOUNCEMENTS.bytes)
REPORTED_MAX: Final = 1_000
"""Tampered streams that are remembered by name."""
VERSION_MAX: Final = 2**63 - 1

logger = structlog.get_logger("transparency")


def log_tampering(tampered: Tampered) -> None:
    """Log a tampered stream for operators."""
    logger.error("differs from the signed tree, blocked", stream=str(tampered.stream), why=tampered.why)


class TreeLeaves:
    """The guard of a store, which compares streams with the leaves of the tree, if a tree exists.

    An unreadable file gives no leaves; the process that extends the tree reports it. An unreachable server raises
    `DatabaseUnavailable`, because streams that cannot be compared are not served.
    """

    def __init__(self, location: Path | str, report: Callable[[Tampered], None] = log_tampering) -> None:
        """Create the guard; `report` is called once per tampered stream."""
        self.reported: Final[dict[UUID, Tampered]] = {}
        """Tampered streams found here."""
        self._location = location
        self._server: SharedDatabase | None = None
        self._is_there = False
        """Whether the server has a table of leaves."""
        self._report = report
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    def read_leaves(self, stream: UUID, after: int = 0, upto: int | None = None) -> SaltedLeaves:
        """Return the leaves of a stream in (after, upto], by version.

        Empty without a tree or with an unreadable file; raise `DatabaseUnavailable` if the server cannot be
        reached.
        """
        last = VERSION_MAX if upto is None else upto
        rows = self._rows(COVERS, stream=stream.bytes, after=after, upto=last)
        return {version: SaltedLeaf(salt, leaf) for version, salt, leaf in rows}

    def _rows(self, statement: ClauseElement, **named: object) -> list[Any]:
        """Return the rows of a query; none without a file or if it cannot be read."""
        if not isinstance(self._location, Path):
            return self._rows_at_server(self._location, statement, **named)
        with self._lock:
            try:
                connection = self._connection or self._connect()
                if connection is None:
                    return []
                return connection.execute(*bind(statement, SQLITE_DIALECT, (), named)).fetchall()
            except sqlite3.Error:
                return []

    def _rows_at_server(self, url: str, statement: ClauseElement, **named: object) -> list[Any]:
        """Return the rows of a query of the server; none until it has the table of leaves."""
        with self._lock:
            if self._server is None:
                self._server = SharedDatabase(partial(connect_to, url, SCHEMA))
            server = self._server
            self._is_there = self._is_there or (LEAVES.name,) in server.rows(SERVER_TABLES)
        return server.rows(statement, **named) if self._is_there else []

    def report_tampering(self, tampered: Tampered) -> None:
        """Remember a tampered stream and report it, once per stream and for at most `REPORTED_MAX` streams."""
        with self._lock:
            if tampered.stream in self.reported or len(self.reported) >= REPORTED_MAX:
                return
            self.reported[tampered.stream] = tampered
        self._report(tampered)

    def streams(self) -> list[UUID]:
        """Return all streams of the log that have leaves."""
        return [UUID(bytes=stream) for (stream,) in self._rows(STREAMS)]

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            if self._server is not None:
                self._server.close()
            self._connection = self._server = None

    def _connect(self) -> sqlite3.Connection | None:
        """Connect to the file, read-only, or return None without one.

        Only the process that extends the tree creates it.
        """
        if not Path(self._location).exists():
            return None
        self._connection = sqlite3.connect(
            self._location, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._connection.execute("PRAGMA query_only=ON")
        return self._connection
