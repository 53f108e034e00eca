"""A common interface to SQLite files and PostgreSQL for all databases except the log."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

from domain.eventstore.circuit_breaker import RESPONSE_TIMEOUT
from domain.eventstore.write_ahead import write_ahead
from domain.kernel.loading import load
from projections.platform.merging import CopiedTable, CopyTable
from projections.platform.setting_values import POSTGRES
from projections.platform.statements import SQLITE_DIALECT, Statement, Suffixed, bind, bind_all

Row = tuple[Any, ...]

SQLITE_WAIT_SECONDS: Final = 10
CACHE_KIB: Final = 16_384
"""Page cache of a connection; the default of 2 MB is too small for the indexes of large read models."""
PART: Final = "part"
"""The name of an attached file in statements."""
JOURNAL_PAGES: Final = 1_000
REWRITING_PAGES: Final = 4_000
"""Pages of 4 KiB in the write-ahead log before a checkpoint.

A checkpoint delays a log on the same disk. Only a recount, which changes the same pages repeatedly, uses the larger
value.
"""


class DatabaseUnavailable(Exception):
    """The error of an unreachable database."""


class DatabaseTimeout(DatabaseUnavailable):
    """The error of a database that is connected but silent, and not retried at once."""


class ChangeUnknown(DatabaseUnavailable):
    """The error of a commit with an unknown outcome."""


class ConstraintViolated(Exception):
    """The error of a row that violates a unique or foreign key constraint."""


class Readable(Protocol):
    """A read-only connection. Values of a Core statement have names."""

    def rows(self, statement: Statement, values: Sequence[Any] = (), /, **named: object) -> list[Row]:
        """Return the rows of a query."""
        ...


class Statements(Readable, Protocol):
    """A connection that runs statements."""

    def change(self, statement: Statement, values: Sequence[Any] = (), /, **named: object) -> int:
        """Return the number of rows the statement changed; raise `Taken` on a violated constraint."""
        ...

    def change_all(self, statement: Statement, rows: Iterable[Any]) -> None:
        """Run the statement once for each row, a mapping from names to values."""
        ...


class Database(Statements, Protocol):
    """One connection of one kind of database."""

    @property
    def dialect(self) -> str:
        """The SQL dialect (`statements.py`)."""
        ...

    @property
    def connection(self) -> Any:
        """The connection of the driver."""
        ...

    def transaction(self, *, alone: bool = True, rewrites: bool = False) -> AbstractContextManager[None]:
        """Open a transaction.

        `alone`: exclude other writers; a file has one writer in any case. `rewrites`: one of many transactions that
        change the same rows.
        """
        ...

    def snapshot(self) -> AbstractContextManager[None]:
        """Open a read-only transaction, in which all queries see the same state."""
        ...

    def absorbing(self, file: Path) -> AbstractContextManager[CopyTable]:
        """Provide a function that copies tables from an SQLite file; use it in a transaction inside the context."""
        ...

    @property
    def is_closed(self) -> bool:
        """Whether the connection is closed."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


@runtime_checkable
class Server(Database, Protocol):
    """A connection to a server with advisory locks."""

    def try_lock(self, number: int) -> bool:
        """Try to acquire a lock for the lifetime of this connection; return False if another connection has it."""
        ...

    def unlock(self, number: int) -> None:
        """Release a lock."""
        ...


@contextmanager
def translate_integrity_error() -> Iterator[None]:
    """Raise `ConstraintViolated` for an SQLite integrity error in the block."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise ConstraintViolated(str(error)) from error


class SqliteDatabase:
    """An SQLite file with owner-only permissions, because it holds hidden information or secrets.

    Only `is_durable` syncs at each commit; read models can be rebuilt.
    """

    dialect: Final = SQLITE_DIALECT

    def __init__(self, path: Path, *, is_durable: bool = False) -> None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            path.touch(mode=0o600)
        self.connection: Final = sqlite3.connect(
            path, timeout=SQLITE_WAIT_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            write_ahead(self.connection)
            self.connection.execute(f"PRAGMA synchronous={'FULL' if is_durable else 'NORMAL'}")
            self.connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
            self._journal(JOURNAL_PAGES)
        except BaseException:
            self.connection.close()
            raise
        self.is_closed = False

    def _journal(self, pages: int) -> None:
        self.connection.execute(f"PRAGMA wal_autocheckpoint={pages}")
        self._journal_pages = pages

    def rows(self, statement: Statement, values: Sequence[Any] = (), /, **named: object) -> list[Row]:
        """Return the rows of a query."""
        return self.connection.execute(*bind(statement, SQLITE_DIALECT, values, named)).fetchall()

    def change(self, statement: Statement, values: Sequence[Any] = (), /, **named: object) -> int:
        """Run a statement and return the number of changed rows."""
        with translate_integrity_error():
            return self.connection.execute(*bind(statement, SQLITE_DIALECT, values, named)).rowcount

    def change_all(self, statement: Statement, rows: Iterable[Any]) -> None:
        """Run the statement once for each row."""
        with translate_integrity_error():
            self.connection.executemany(*bind_all(statement, SQLITE_DIALECT, rows))

    @contextmanager
    def transaction(self, *, alone: bool = True, rewrites: bool = False) -> Iterator[None]:  # noqa: ARG002  (a file has one writer)
        """Open a write transaction; it is committed at the end of the block, or rolled back after an error.

        `rewrites` allows a longer journal.
        """
        pages = REWRITING_PAGES if rewrites else JOURNAL_PAGES
        if pages != self._journal_pages:
            self._journal(pages)
        # IMMEDIATE: a transaction that reads before it writes could otherwise fail half-way as "locked".
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            # If the disk is full, SQLite has already rolled back; a second rollback would hide the error.
            self.connection.rollback()
            raise
        self.connection.execute("COMMIT")

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Open a read transaction; it sees the state at its first query."""
        self.connection.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            self.connection.rollback()

    @contextmanager
    def absorbing(self, file: Path) -> Iterator[CopyTable]:
        """Provide a function that copies tables from a file, which is attached during the block."""

        def absorb(table: CopiedTable) -> None:
            self.change(Suffixed(table.insert_all(PART), table.suffix))

        self.connection.execute(f"ATTACH DATABASE ? AS {PART}", (str(file),))
        try:
            yield absorb
        finally:
            self.connection.execute(f"DETACH DATABASE {PART}")

    def close(self) -> None:
        """Close the connection."""
        self.is_closed = True
        self.connection.close()


class SharedDatabase:
    """A connection shared by the threads of a process and reopened after it was cut.

    An interrupted transaction fails.
    """

    def __init__(self, open_database: Callable[[], Database]) -> None:
        self._open = open_database
        self._lock = threading.RLock()
        self._database = open_database()

    def rows(self, statement: Statement, values: Sequence[Any] = (), /, **named: object) -> list[Row]:
        """Return the rows of a query; if the connection was closed, retry once on a new one.

        Raise `DatabaseTimeout` if the answer takes too long or others use the connection, `DatabaseUnavailable` if
        there is no connection.
        """
        with self._acquire():
            try:
                return self._connect().rows(statement, values, **named)
            except DatabaseTimeout:
                raise
            except DatabaseUnavailable:
                if not self._database.is_closed:
                    raise
                return self._connect().rows(statement, values, **named)

    @contextmanager
    def transaction(self) -> Iterator[Database]:
        """Open a transaction with exclusive use of the connection; if it was closed, once on a new one.

        Raise `DatabaseTimeout` or `DatabaseUnavailable` as `rows`. Within the block nothing is retried.
        """
        with self._acquire(), ExitStack() as stack:
            try:
                stack.enter_context(self._connect().transaction())
            except DatabaseTimeout:
                raise
            except DatabaseUnavailable:
                if not self._database.is_closed:
                    raise
                stack.enter_context(self._connect().transaction())
            yield self._database

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._database.close()

    @contextmanager
    def _acquire(self) -> Iterator[None]:
        """Acquire the connection; a request handler waits only for its remaining time.

        Raise `DatabaseTimeout` after that.
        """
        timeout = RESPONSE_TIMEOUT.get()
        if not self._lock.acquire(timeout=-1 if timeout is None else timeout):
            raise DatabaseTimeout("too many requests wait for the database")
        try:
            yield
        finally:
            self._lock.release()

    def _connect(self) -> Database:
        if self._database.is_closed:
            self._database = self._open()
        return self._database


def is_server(location: str | Path) -> bool:
    """Return whether a location is a database server, not a file."""
    return str(location).startswith(POSTGRES)


def connect_to(url: str, schema: str = "", writer: int | None = None) -> Server:
    """Connect to PostgreSQL; `schema` has the tables, `writer` is the number of the writers' lock."""
    # Importing the driver takes longer than a whole start on SQLite may.
    connect = load("projections.platform.postgres", "PostgresDatabase")
    database: Server = connect(url, schema) if writer is None else connect(url, schema, writer)
    return database
