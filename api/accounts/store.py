"""The database of people: one for all threads of a process, and what is kept of secrets."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from api.accounts.schema import schema_at
from domain.eventstore.circuit_breaker import LOOP_SECONDS, PATIENCE
from projections.platform.database import (
    Database,
    Row,
    SharedDatabase,
    SqliteDatabase,
    SqliteReader,
    connect_to,
    is_server,
)
from projections.platform.statements import Statement

SCHEMA: Final = "people"
"""What the tables stand under in PostgreSQL, where the database may be that of the log too."""
WRITER: Final = 0x50454F50
"""The number of the lock that who writes them takes there: people are written one after the other, as in a file."""
JOURNAL_SECONDS: Final = 1.0
"""So long the journal of a file waits for its readers before it is emptied."""


def open_database(place: Path | str) -> Database:
    """A connection to the people in a file or at the url of a server, brought to the newest version; `StoreTooNew`
    where a later version of the service has written them."""
    if is_server(place):
        server = connect_to(str(place), SCHEMA, WRITER)
        try:
            schema_at(place).bring_up(server)
        except BaseException:
            server.close()
            raise
        return server
    file = SqliteDatabase(Path(place))
    Path(place).chmod(0o600)
    try:
        schema_at(place).bring_up(file)
    except BaseException:
        file.close()
        raise
    file.change("PRAGMA foreign_keys=ON")
    # Whoever is erased is overwritten in the file, not only taken out of its lists.
    file.change("PRAGMA secure_delete=ON")
    return file


def require_readable(place: Path | str) -> None:
    """`StoreTooNew` when people are there and of a later version; nothing is changed."""
    if is_server(place):
        with closing(connect_to(str(place), SCHEMA, WRITER)) as server:
            schema_at(place).find_revision(server)
    elif Path(place).exists():
        with closing(SqliteReader(Path(place))) as file:
            schema_at(place).find_revision(file)


class Store:
    """The open database. At a server nobody who reads waits for who writes."""

    def __init__(self, place: Path | str) -> None:
        self._place: Final = place
        self.is_at_server: Final = is_server(place)
        self.changes = 0
        """How often something was changed, or may have been."""
        self._database: Final = SharedDatabase(partial(open_database, place))
        self._reading: Final = SharedDatabase(partial(open_database, place)) if is_server(place) else self._database

    def close(self) -> None:
        self._database.close()
        self._reading.close()

    def row(self, statement: Statement, /, *values: object, **named: object) -> Any:
        rows = self.rows(statement, *values, **named)
        return rows[0] if rows else None

    def rows(self, statement: Statement, /, *values: object, **named: object) -> list[Row]:
        if not self.is_at_server or not is_on_loop():
            return self._reading.rows(statement, values, **named)
        before = PATIENCE.set(LOOP_SECONDS)
        try:
            return self._reading.rows(statement, values, **named)
        finally:
            PATIENCE.reset(before)

    @contextmanager
    def writing(self) -> Iterator[Database]:
        try:
            with self._database.transaction() as database:
                yield database
        finally:
            self.changes += 1

    def empty_journal(self) -> None:
        """What was taken out of a file stands in its journal until that is emptied. Who reads the file meanwhile is
        waited for a short time; where that is not enough, the next time does it, or the end of the service."""
        if not self.is_at_server:
            with closing(sqlite3.connect(self._place, timeout=JOURNAL_SECONDS)) as file:
                file.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def is_on_loop() -> bool:
    """Whether this thread runs an event loop, and everybody waits who is served by it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
