"""Locations of the tree: an SQLite file or PostgreSQL for several hosts, and the lock of its keeper.

One process leads at a time. On PostgreSQL the lock belongs to the connection that writes: a process that loses the lock
also loses the connection, so no late write can follow.
"""

from __future__ import annotations

import fcntl
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from sqlalchemy import literal, select

from domain.eventstore.writer_lock import open_lock
from projections.platform.database import Database, DatabaseUnavailable, Server, SqliteDatabase, connect_to, is_server
from projections.platform.migrations.schema import tables_in
from projections.platform.tables import creation_of
from projections.tree import CHECKPOINTS, LEAVES, METADATA, SCHEMA, TILES

WRITER: Final = 0x54524545
"""Advisory lock of a write transaction in PostgreSQL."""
LEADER: Final = 0x54524546
"""Advisory lock of the keeper in PostgreSQL."""
STANDSTILL: Final = "SET idle_session_timeout = '4s'"
"""A keeper that stops sending heartbeats loses its session, and another takes over."""
LOCK: Final = "tree.lock"
"""Name of the keeper's lock file, in the folder of the tree."""
PING: Final = select(literal(1))
NEEDED_TABLES: Final = frozenset({LEAVES.name, TILES.name, CHECKPOINTS.name})
"""Required tables of a tree."""


def connect(location: Path | str) -> Database:
    """Open a connection to an existing tree."""
    if is_server(location):
        return connect_to(str(location), SCHEMA, WRITER)
    # Signed checkpoints must survive a power failure.
    return SqliteDatabase(Path(location), is_durable=True)


def open_tree(location: Path | str) -> Database:
    """Open a connection to the tree, and create missing tables."""
    database = connect(location)
    try:
        with database.transaction():
            for table in METADATA.sorted_tables:
                for definition in creation_of(table, if_not_exists=True):
                    database.change(definition)
    except BaseException:
        database.close()
        raise
    return database


def has_tables(database: Database) -> bool:
    """Return whether all tables of a tree exist."""
    return tables_in(database) >= NEEDED_TABLES


class LeaderLock:
    """The keeper's lock, as one process sees it."""

    def __init__(self, location: Path | str) -> None:
        self._location = location
        self._file: IO[str] | None = None
        self._server: Server | None = None

    def take(self, writer: Database) -> bool:
        """Try to take the lock, on PostgreSQL through this connection; return whether it was free."""
        if isinstance(self._location, Path):
            return self._take_file(self._location.with_name(LOCK))
        assert isinstance(writer, Server)
        if writer.try_lock(LEADER):
            self._server = writer
            writer.change(STANDSTILL)
        return self.is_held

    def _take_file(self, path: Path) -> bool:
        """Try to lock the file; return whether it was free."""
        file = open_lock(path)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            return False
        self._file = file
        return True

    @property
    def is_held(self) -> bool:
        """Whether this process has the lock; on PostgreSQL, as long as the connection is open."""
        return self._file is not None or (self._server is not None and not self._server.is_closed)

    def send_heartbeat(self) -> None:
        """Send a heartbeat, at least every two seconds; raise `DatabaseUnavailable` if the connection is lost."""
        if self._server is not None:
            self._server.rows(PING)

    def release(self) -> None:
        """Release the lock, if held, and close its file or server connection."""
        if self._file is not None:
            self._file.close()
        if self._server is not None:
            # Unlock explicitly: the server notices a closed connection only after a moment.
            with suppress(DatabaseUnavailable):
                self._server.unlock(LEADER)
            self._server.close()
        self._file = self._server = None
