"""The PostgreSQL implementation of databases."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import select

from domain.eventstore.circuit_breaker import LOCK_MILLISECONDS, RESPONSE_TIMEOUT, CircuitBreaker
from domain.eventstore.postgres_connection import CONNECT_TIMEOUTS, BoundedConnection, server_breaker
from domain.eventstore.retry import ResponseTimeout
from projections.platform.database import ChangeUnknown, ConstraintViolated, DatabaseTimeout, DatabaseUnavailable, Row
from projections.platform.merging import CopiedTable, CopyTable
from projections.platform.statements import (
    POSTGRES_DIALECT,
    SQLITE_DIALECT,
    Statement,
    bind,
    bind_all,
    compile_statement,
)

CONNECT_SECONDS: Final = 1
UNANSWERED_MILLISECONDS: Final = 2_000
"""Milliseconds for which sent data may stay unacknowledged before the connection is dropped."""
WRITER: Final = 0x45535052
"""The number of the advisory lock of read model writers; arbitrary but unique."""
SESSION: Final = (
    # The server detects dead clients quickly, so that they do not hold locks for long.
    "SET tcp_keepalives_idle = 1",
    "SET tcp_keepalives_interval = 1",
    "SET tcp_keepalives_count = 3",
)
IDLE: Final = "SET idle_in_transaction_session_timeout = '5s'"
"""For short transactions: a stopped process blocks others for at most five seconds."""
SHORT: Final = "SET LOCAL idle_in_transaction_session_timeout = '5s'"
SOON: Final = sql.SQL("SET LOCAL lock_timeout = '{0}ms'").format(LOCK_MILLISECONDS)
NUL: Final = "\x00"
NUL_SHOWN: Final = "\u2400"
"""A replacement for NUL, which PostgreSQL text cannot contain."""


@contextmanager
def translate_errors(breaker: CircuitBreaker) -> Iterator[None]:
    """Translate errors of the driver, and count them in the circuit breaker.

    Raise `DatabaseUnavailable` if the server is unreachable, `DatabaseTimeout` on a timeout or an open circuit
    breaker, and `ConstraintViolated` on a violated constraint.
    """
    try:
        with breaker.guard_request():
            try:
                yield
            except CONNECT_TIMEOUTS as fault:
                raise ResponseTimeout(str(fault)) from fault
    except ResponseTimeout as error:
        raise DatabaseTimeout(str(error)) from error
    except psycopg.IntegrityError as error:
        raise ConstraintViolated(str(error)) from error
    except (psycopg.OperationalError, psycopg.InterfaceError) as error:
        raise DatabaseUnavailable(str(error)) from error


def connect(url: str) -> psycopg.Connection[Row]:
    """Connect in autocommit mode, with timeouts by which client and server quickly detect a lost connection."""
    connection = BoundedConnection[Row].connect(
        url,
        autocommit=True,
        connect_timeout=CONNECT_SECONDS,
        tcp_user_timeout=UNANSWERED_MILLISECONDS,
        keepalives_idle=1,
        keepalives_interval=1,
        keepalives_count=3,
    )
    with closed_on_failure(connection):
        for setting in SESSION:
            connection.execute(sql.SQL(setting))
    return connection


@contextmanager
def closed_on_failure(connection: psycopg.Connection[Row]) -> Iterator[None]:
    """Close a new connection if the block that prepares it fails."""
    with ExitStack() as undo:
        undo.callback(connection.close)
        yield
        undo.pop_all()


class PostgresDatabase:
    """A PostgreSQL connection."""

    dialect: Final = POSTGRES_DIALECT

    def __init__(self, url: str, schema: str = "", writer: int = WRITER) -> None:
        """Connect to the server.

        `schema`: the schema of its tables, created if missing; the server's default otherwise. `writer`: the number of
        the lock that writers to these tables acquire. Transactions in a schema must be short.
        """
        self._writer = writer
        self._breaker = server_breaker(conninfo_to_dict(url))
        with self._translate_errors():
            self.connection = connect(url)
            if schema:
                with closed_on_failure(self.connection):
                    self._enter(schema)

    def _translate_errors(self) -> AbstractContextManager[None]:
        return translate_errors(self._breaker)

    def _enter(self, schema: str) -> None:
        """Create the schema if it is missing, and use it as the search path."""
        identifier = sql.Identifier(schema)
        # Check first: creation waits for writers, and a reader may start during a long transaction.
        if self.connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", (schema,)).fetchone() is None:
            with self.transaction():
                self.connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(identifier))
        self.connection.execute(IDLE)
        self.connection.execute(sql.SQL("SET search_path TO {}").format(identifier))

    @property
    def is_closed(self) -> bool:
        """Return whether the connection is closed."""
        return self.connection.closed

    def rows(self, statement: Statement, values: Sequence[Any] = (), /, **named: object) -> list[Row]:
        """Return the rows of a query; raise `DatabaseUnavailable`, or `DatabaseTimeout` if it takes too long."""
        text, bound = bind(statement, POSTGRES_DIALECT, values, named)
        with self._translate_errors():
            return self.connection.execute(sql.SQL(text), writable(bound)).fetchall()

    def change(self, statement: Statement, values: Sequence[Any] = (), /, **named: object) -> int:
        """Run a statement and return the number of changed rows.

        Raise `ConstraintViolated`, or `DatabaseUnavailable` if the server is unreachable.
        """
        text, bound = bind(statement, POSTGRES_DIALECT, values, named)
        with self._translate_errors():
            return self.connection.execute(sql.SQL(text), writable(bound)).rowcount

    def change_all(self, statement: Statement, rows: Iterable[Any]) -> None:
        """Run the statement once for each row; raise `ConstraintViolated` or `DatabaseUnavailable`."""
        text, bound = bind_all(statement, POSTGRES_DIALECT, rows)
        with self._translate_errors(), self.connection.cursor() as cursor:
            cursor.executemany(sql.SQL(text), [writable(values) for values in bound])

    @contextmanager
    def transaction(self, *, alone: bool = True, rewrites: bool = False) -> Iterator[None]:  # noqa: ARG002
        """Open a transaction; raise `ChangeUnknown` if the outcome of its commit is unknown.

        `alone` waits for the lock of the writers, in a request handler for a short time only. Without it, a
        transaction that idles for five seconds is ended by the server.
        """
        is_sent = False
        try:
            with self._translate_errors(), self.connection.transaction():
                if alone:
                    if RESPONSE_TIMEOUT.get() is not None:
                        self.connection.execute(SOON)
                    # One writer at a time, as in SQLite: concurrent creation of the same tables would fail.
                    self.connection.execute("SELECT pg_advisory_xact_lock(%s)", (self._writer,))
                else:
                    # A stopped process holds its row locks for at most five seconds.
                    self.connection.execute(SHORT)
                yield
                is_sent = True
        except DatabaseUnavailable as fault:
            if is_sent:
                raise ChangeUnknown("the database did not confirm the commit") from fault
            raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Open a read-only transaction, in which all queries see the same state."""
        with self._translate_errors(), self.connection.transaction():
            self.connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield

    def try_lock(self, number: int) -> bool:
        """Try to acquire a lock for the lifetime of this connection; return False if another connection has it.

        Does not wait; raise `DatabaseUnavailable` if the server is unreachable.
        """
        with self._translate_errors():
            row = self.connection.execute("SELECT pg_try_advisory_lock(%s)", (number,)).fetchone()
        assert row is not None
        return bool(row[0])

    @contextmanager
    def absorbing(self, file: Path) -> Iterator[CopyTable]:
        """Provide a function that copies tables from an SQLite file, which is open during the block."""
        with closing(sqlite3.connect(file)) as scratch:

            def absorb(table: CopiedTable) -> None:
                rows = scratch.execute(*bind(select(table.table), SQLITE_DIALECT, (), {}))
                with self._translate_errors():
                    copy_rows(self.connection, table, rows)

            yield absorb

    def unlock(self, number: int) -> None:
        """Release a lock."""
        with self._translate_errors():
            self.connection.execute("SELECT pg_advisory_unlock(%s)", (number,))

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()


def writable(values: Sequence[Any]) -> list[Any]:
    """Replace NUL in text values."""
    return [value.replace(NUL, NUL_SHOWN) if isinstance(value, str) else value for value in values]


def copy_rows(connection: psycopg.Connection[Any], table: CopiedTable, rows: Iterable[Row]) -> None:
    """Copy rows into a table, by COPY unless existing keys must be merged."""
    with connection.cursor() as cursor:
        if table.merge is not None:
            statement = compile_statement(table.insert, POSTGRES_DIALECT, table.suffix)
            cursor.executemany(sql.SQL(statement.text), map(writable, rows))
            return
        target = sql.Identifier(table.table.name.strip("{}") + table.suffix)
        names = sql.SQL(", ").join(sql.Identifier(column.name) for column in table.table.columns)
        with cursor.copy(sql.SQL("COPY {} ({}) FROM STDIN").format(target, names)) as copy:
            for row in rows:
                copy.write_row(writable(row))
