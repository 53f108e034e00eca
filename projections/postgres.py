"""The read models' database as PostgreSQL."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import psycopg
from psycopg import sql

from projections.store import ReadsAway, Row

CONNECT_SECONDS: Final = 1
WRITER: Final = 0x4553504F
"""The number of the lock writers take; any number nobody else uses."""


@contextmanager
def answered() -> Iterator[None]:
    """`ReadsAway` where the server does not answer."""
    try:
        yield
    except (psycopg.OperationalError, psycopg.InterfaceError) as away:
        raise ReadsAway(str(away)) from away


class PostgresDatabase:
    """A PostgreSQL connection; our statements are translated from `?` and SQLite's type names."""

    def __init__(self, url: str) -> None:
        with answered():
            self._connection = psycopg.connect(url, autocommit=True, connect_timeout=CONNECT_SECONDS)

    @property
    def is_closed(self) -> bool:
        return self._connection.closed

    def rows(self, statement: str, values: Sequence[Any]) -> list[Row]:
        with answered():
            return self._connection.execute(translate(statement), values).fetchall()

    def change(self, statement: str, values: Sequence[Any]) -> int:
        with answered():
            return self._connection.execute(translate(statement), values).rowcount

    @contextmanager
    def transaction(self) -> Iterator[None]:
        # One writer at a time, as with SQLite: of two that make the same tables one would fail.
        with answered(), self._connection.transaction():
            self._connection.execute("SELECT pg_advisory_xact_lock(%s)", (WRITER,))
            yield

    def close(self) -> None:
        self._connection.close()


def translate(statement: str) -> sql.SQL:
    """The statement as PostgreSQL wants it; ours are constants of this package, never a caller's text."""
    if statement.startswith("CREATE TABLE"):
        statement = statement.replace(" INTEGER", " BIGINT").replace(" BLOB", " BYTEA")
    return sql.SQL(statement.replace("?", "%s"))
