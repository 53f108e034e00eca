"""Measurement of the work of a request: steps of SQLite's virtual machine, and rows and bytes that are read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NamedTuple

SETTING: Final = "PRAGMA"
"""The first word of a statement that opens a connection, which is no work of a request."""


class Effort(NamedTuple):
    """The work of a block: Python and C calls, steps of SQLite's virtual machine, rows and bytes that were read."""

    calls: int
    steps: int
    rows: int
    bytes: int


class Reading:
    """The work of all SQLite connections that are opened inside `counting_connections`."""

    def __init__(self) -> None:
        self.ticks: Final[list[None]] = []
        """An item for each step. A function in Python that counts would itself be counted as calls."""
        self.rows = 0
        self.bytes = 0

    def clear(self) -> None:
        """Begin from zero."""
        self.ticks.clear()
        self.rows = self.bytes = 0

    def note(self, rows: Sequence[Sequence[Any]]) -> None:
        """Count rows that were read."""
        self.rows += len(rows)
        self.bytes += sum(len(value) if isinstance(value, str | bytes) else 8 for row in rows for value in row)


class CountedCursor(sqlite3.Cursor):
    """A cursor whose rows are counted."""

    reading: Reading

    def execute(self, sql: str, parameters: Any = (), /) -> CountedCursor:
        is_setting = sql.startswith(SETTING)
        self.connection.set_progress_handler(None if is_setting else partial(self.reading.ticks.append, None), 1)
        return super().execute(sql, parameters)

    def fetchall(self) -> list[Any]:
        rows = super().fetchall()
        self.reading.note(rows)
        return rows

    def fetchone(self) -> Any:
        row = super().fetchone()
        self.reading.note([] if row is None else [row])
        return row

    def fetchmany(self, size: int | None = 1) -> list[Any]:
        rows = super().fetchmany(size)
        self.reading.note(rows)
        return rows

    def __next__(self) -> Any:
        row = super().__next__()
        self.reading.note([row])
        return row


class CountedConnection(sqlite3.Connection):
    """A connection whose steps and rows are counted."""

    reading: Reading

    def cursor(self, factory: Any = CountedCursor) -> Any:
        cursor: Any = super().cursor(factory)
        cursor.reading = self.reading
        return cursor

    def execute(self, sql: str, parameters: Any = (), /) -> Any:
        return self.cursor().execute(sql, parameters)


@contextmanager
def counting_connections() -> Iterator[Reading]:
    """Count the work of every SQLite connection that is opened in the block."""
    reading = Reading()
    connect = sqlite3.connect

    def connect_counted(*arguments: Any, **named: Any) -> sqlite3.Connection:
        found = connect(*arguments, **named, factory=CountedConnection)
        found.reading = reading
        return found

    vars(sqlite3)["connect"] = connect_counted
    try:
        yield reading
    finally:
        vars(sqlite3)["connect"] = connect
