"""Where the tree is: a file of the data folder, or PostgreSQL for several hosts; and who of them continues it.

One process leads at a time. At a server the lock is held by the same connection that writes: whoever has lost the one
has lost the other, and nothing that is still on its way is written after somebody else leads.
"""

from __future__ import annotations

import fcntl
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from sqlalchemy import literal, select

from domain.eventstore.writer_lock import open_lock
from projections.platform.database import Database, DatabaseAway, Server, SqliteDatabase, connect_to, is_server
from projections.platform.migrations.schema import tables_in
from projections.platform.tables import creation_of
from projections.tree import CHECKPOINTS, LEAVES, METADATA, SCHEMA, TILES

WRITER: Final = 0x54524545
"""The number of the lock of a transaction there."""
LEADER: Final = 0x54524546
"""The number of the lock of the one who continues the tree there."""
STANDSTILL: Final = "SET idle_session_timeout = '4s'"
"""Who does not say any more that it leads stands still: another takes its place."""
LOCK: Final = "tree.lock"
"""The file beside that of the tree that is locked by who continues it."""
PING: Final = select(literal(1))
NEEDED: Final = frozenset({LEAVES.name, TILES.name, CHECKPOINTS.name})
"""The tables without which there is no tree."""


def connect(place: Path | str) -> Database:
    """One connection to the tree, as it is."""
    if is_server(place):
        return connect_to(str(place), SCHEMA, WRITER)
    # What was signed must be there after a power cut too.
    return SqliteDatabase(Path(place), is_durable=True)


def open_tree(place: Path | str) -> Database:
    """One connection to the tree, with tables."""
    database = connect(place)
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
    """Return whether there is a tree."""
    return tables_in(database) >= NEEDED


class Lead:
    """Who continues the tree, as one process sees it."""

    def __init__(self, place: Path | str) -> None:
        self._place = place
        self._file: IO[str] | None = None
        self._server: Server | None = None

    def take(self, writer: Database) -> bool:
        """Whether this process continues the tree from now on, by this connection: nobody else does."""
        if isinstance(self._place, Path):
            return self._take_file(self._place.with_name(LOCK))
        assert isinstance(writer, Server)
        if writer.try_lock(LEADER):
            self._server = writer
            writer.change(STANDSTILL)
        return self.is_held

    def _take_file(self, path: Path) -> bool:
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
        """At a server it is held for as long as the connection that writes."""
        return self._file is not None or (self._server is not None and not self._server.is_closed)

    def hold(self) -> None:
        """Says that it still leads; `DatabaseAway` where it does not any more. To be said every second or two."""
        if self._server is not None:
            self._server.rows(PING)

    def give_up(self) -> None:
        if self._file is not None:
            self._file.close()
        if self._server is not None:
            # At once: a server that is left takes a moment to notice it.
            with suppress(DatabaseAway):
                self._server.unlock(LEADER)
            self._server.close()
        self._file = self._server = None
