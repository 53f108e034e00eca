"""The connection to the accounts database, shared by all threads of a process."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Hashable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from api.accounts.database_schema import schema_at
from domain.eventstore.circuit_breaker import ANSWER_SECONDS, EVENT_LOOP_SECONDS, RESPONSE_TIMEOUT
from projections.platform.database import (
    Database,
    Row,
    SharedDatabase,
    SqliteDatabase,
    connect_to,
    is_server,
)
from projections.platform.statements import Statement

SCHEMA: Final = "people"
"""PostgreSQL schema of the tables, because the database may also hold the log."""
WRITER: Final = 0x50454F50
"""Key of the PostgreSQL advisory lock of writers, which serialises writes as in a file."""
FILE_VERSION: Final = "PRAGMA data_version"
"""Query for a number that changes with every transaction of another connection to the file."""
JOURNAL_SECONDS: Final = 1.0
"""Seconds to wait for readers before truncating the journal of a file."""


def open_database(location: Path | str) -> Database:
    """Connect to a file (readable only by its owner) or server and upgrade it.

    Raises `StoreTooNew` if a later version wrote it. Deleted content of a file is overwritten.
    """
    at_server = is_server(location)
    database: Database = connect_to(str(location), SCHEMA, WRITER) if at_server else SqliteDatabase(Path(location))
    try:
        if not at_server:
            Path(location).chmod(0o600)
        schema_at(location).migrate(database)
        if not at_server:
            database.change("PRAGMA foreign_keys=ON")
            # Overwrite deleted content, so that erased people cannot be recovered from the file.
            database.change("PRAGMA secure_delete=ON")
    except BaseException:
        database.close()
        raise
    return database


class Connections:
    """The connections of a store: on a server one for changes and one for reads, in a file one for both."""

    def __init__(self, location: Path | str) -> None:
        with ExitStack() as undo:
            self.writing: Final = open_shared(location, undo)
            self.reading: Final = open_shared(location, undo) if is_server(location) else self.writing
            self._undo: Final = undo.pop_all()

    def close(self) -> None:
        """Close the connections."""
        self._undo.close()


def open_shared(location: Path | str, undo: ExitStack) -> SharedDatabase:
    """Connect to a file or server, until the stack closes."""
    database = SharedDatabase(partial(open_database, location))
    undo.callback(database.close)
    return database


class Store:
    """The open database. On a server, readers never wait for writers."""

    def __init__(self, location: Path | str, *, beside: Store | None = None) -> None:
        """Open the database.

        On a server, use the connections of the store `beside`, which must be closed after this one: a server has room
        for few connections.
        """
        self._location: Final = location
        self.is_at_server: Final = is_server(location)
        self._changes = 0
        shared = beside.connections if beside is not None and self.is_at_server else None
        self.connections: Connections = Connections(location) if shared is None else shared
        self._is_owner: Final = shared is None
        self._database: Final = self.connections.writing
        self._reading: Final = self.connections.reading

    def close(self) -> None:
        """Close the connections that this store opened."""
        if self._is_owner:
            self.connections.close()

    def state(self) -> Hashable:
        """Return a value that differs after each change, or attempted change, by this process.

        On a file it also differs after a change by another connection.
        """
        return self._changes if self.is_at_server else (self._changes, self._reading.rows(FILE_VERSION)[0])

    def row(self, statement: Statement, /, *values: object, **parameters: object) -> Any:
        """Return the first row; None if there is none."""
        rows = self.rows(statement, *values, **parameters)
        return rows[0] if rows else None

    def rows(self, statement: Statement, /, *values: object, **parameters: object) -> list[Row]:
        """Return all rows; on the event loop, a server must answer within `EVENT_LOOP_SECONDS`."""
        if not self.is_at_server or not is_on_loop():
            return self._reading.rows(statement, values, **parameters)
        return self._rows_within(EVENT_LOOP_SECONDS, statement, *values, **parameters)

    def rows_in_background(self, statement: Statement, /, **parameters: object) -> list[Row]:
        """Return all rows; a server must answer within `ANSWER_SECONDS`.

        For short queries of threads without a timeout: a thread that waits for a hanging server would block the
        connection, and each request would wait for it.
        """
        if not self.is_at_server:
            return self._reading.rows(statement, (), **parameters)
        return self._rows_within(ANSWER_SECONDS, statement, **parameters)

    def _rows_within(self, seconds: float, statement: Statement, /, *values: object, **parameters: object) -> list[Row]:
        """Return all rows; a server must answer within these seconds."""
        token = RESPONSE_TIMEOUT.set(seconds)
        try:
            return self._reading.rows(statement, values, **parameters)
        finally:
            RESPONSE_TIMEOUT.reset(token)

    @contextmanager
    def transaction(self) -> Iterator[Database]:
        """Run the block in a transaction, which an error rolls back, and count a change in any case.

        A database that does not answer is `DatabaseUnavailable` or `DatabaseTimeout`.
        """
        try:
            with self._database.transaction() as database:
                yield database
        finally:
            self._changes += 1

    def empty_journal(self) -> None:
        """Truncate the journal of a file, which still contains erased data; nothing to do on a server.

        Waits a short time for readers; otherwise the next call or the end of the service truncates it.
        """
        if not self.is_at_server:
            with closing(sqlite3.connect(self._location, timeout=JOURNAL_SECONDS)) as file:
                file.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def is_on_loop() -> bool:
    """Return whether this thread runs an event loop, which must not block."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
