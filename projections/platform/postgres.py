"""The databases beside the log as PostgreSQL."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import select

from domain.eventstore.circuit_breaker import LOCK_MILLISECONDS, PATIENCE, Breaker
from domain.eventstore.postgres_connection import IN_VAIN, BoundedConnection, server_breaker
from domain.eventstore.retry import Unanswered
from projections.platform.database import ChangeUnknown, DatabaseAway, DatabaseSilent, Row, Taken
from projections.platform.merging import Absorb, Absorbed
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
"""So long what was sent may stay without a sign that it has arrived: then the network is cut."""
WRITER: Final = 0x45535052
"""The number of the lock that writers of the read models take; any number nobody else uses."""
SESSION: Final = (
    # A host that has gone holds no lock for long: the server looks for it.
    "SET tcp_keepalives_idle = 1",
    "SET tcp_keepalives_interval = 1",
    "SET tcp_keepalives_count = 3",
)
IDLE: Final = "SET idle_in_transaction_session_timeout = '5s'"
"""Where transactions are short: a process that stands still holds up nobody for longer."""
SHORT: Final = "SET LOCAL idle_in_transaction_session_timeout = '5s'"
SOON: Final = sql.SQL("SET LOCAL lock_timeout = '{0}ms'").format(LOCK_MILLISECONDS)
NUL: Final = "\x00"
NUL_SHOWN: Final = "\u2400"
"""Stands for the one character that a text of PostgreSQL cannot have."""


@contextmanager
def answered(breaker: Breaker) -> Iterator[None]:
    """`DatabaseAway` where the server is not there, `DatabaseSilent` where it gave no answer in time or is not asked
    for that; `Taken` where a row may not stand beside the others."""
    try:
        with breaker.asking():
            try:
                yield
            except IN_VAIN as fault:
                raise Unanswered(str(fault)) from fault
    except Unanswered as silence:
        raise DatabaseSilent(str(silence)) from silence
    except psycopg.IntegrityError as taken:
        raise Taken(str(taken)) from taken
    except (psycopg.OperationalError, psycopg.InterfaceError) as away:
        raise DatabaseAway(str(away)) from away


def connect(url: str) -> psycopg.Connection[Row]:
    """A connection that notices soon when its server, or the way there, has gone; and whose server notices as soon."""
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
        """`schema`: where its tables are, made if there is none; the default of the server otherwise. `writer`: the
        number of the lock that whoever writes to these tables takes. What has a schema is written in short steps."""
        self._writer = writer
        self._breaker = server_breaker(conninfo_to_dict(url))
        with self._answered():
            self.connection = connect(url)
            if schema:
                with closed_on_failure(self.connection):
                    self._enter(schema)

    def _answered(self) -> AbstractContextManager[None]:
        return answered(self._breaker)

    def _enter(self, schema: str) -> None:
        named = sql.Identifier(schema)
        # Only who makes it waits for those who write: a reader may come in the middle of a long transaction.
        if self.connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", (schema,)).fetchone() is None:
            with self.transaction():
                self.connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(named))
        self.connection.execute(IDLE)
        self.connection.execute(sql.SQL("SET search_path TO {}").format(named))

    @property
    def is_closed(self) -> bool:
        return self.connection.closed

    def rows(self, statement: Statement, values: Sequence[Any] = (), /, **named: object) -> list[Row]:
        text, bound = bind(statement, POSTGRES_DIALECT, values, named)
        with self._answered():
            return self.connection.execute(sql.SQL(text), writable(bound)).fetchall()

    def change(self, statement: Statement, values: Sequence[Any] = (), /, **named: object) -> int:
        text, bound = bind(statement, POSTGRES_DIALECT, values, named)
        with self._answered():
            return self.connection.execute(sql.SQL(text), writable(bound)).rowcount

    def change_all(self, statement: Statement, rows: Iterable[Any]) -> None:
        text, bound = bind_all(statement, POSTGRES_DIALECT, rows)
        with self._answered(), self.connection.cursor() as cursor:
            cursor.executemany(sql.SQL(text), [writable(values) for values in bound])

    @contextmanager
    def transaction(self, *, alone: bool = True, rewrites: bool = False) -> Iterator[None]:  # noqa: ARG002
        is_sent = False
        try:
            with self._answered(), self.connection.transaction():
                if alone:
                    if PATIENCE.get() is not None:
                        self.connection.execute(SOON)
                    # One writer at a time, as with SQLite: of two that make the same tables one would fail.
                    self.connection.execute("SELECT pg_advisory_xact_lock(%s)", (self._writer,))
                else:
                    # A process that stands still holds the rows of nobody for longer.
                    self.connection.execute(SHORT)
                yield
                is_sent = True
        except DatabaseAway as fault:
            if is_sent:
                raise ChangeUnknown("the database did not say whether it has stored this") from fault
            raise

    def try_lock(self, number: int) -> bool:
        """Takes a lock that is held for as long as this connection lives, unless another has it."""
        with self._answered():
            row = self.connection.execute("SELECT pg_try_advisory_lock(%s)", (number,)).fetchone()
        assert row is not None
        return bool(row[0])

    @contextmanager
    def absorbing(self, file: Path) -> Iterator[Absorb]:
        with closing(sqlite3.connect(file)) as scratch:

            def absorb(table: Absorbed) -> None:
                rows = scratch.execute(*bind(select(table.table), SQLITE_DIALECT, (), {}))
                with self._answered():
                    take(self.connection, table, rows)

            yield absorb

    def unlock(self, number: int) -> None:
        with self._answered():
            self.connection.execute("SELECT pg_advisory_unlock(%s)", (number,))

    def close(self) -> None:
        self.connection.close()


def writable(values: Sequence[Any]) -> list[Any]:
    return [value.replace(NUL, NUL_SHOWN) if isinstance(value, str) else value for value in values]


def take(connection: psycopg.Connection[Any], table: Absorbed, rows: Iterable[Row]) -> None:
    """Copies rows into a table; where a key can be there already, they are inserted."""
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
