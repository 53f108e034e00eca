"""The databases beside the log, SQLite files and PostgreSQL, in the same words: read models, people, the tree."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

from domain.eventstore.circuit_breaker import PATIENCE
from domain.eventstore.write_ahead import write_ahead
from domain.kernel.loading import load
from projections.platform.merging import Absorb, Absorbed
from projections.platform.setting_values import POSTGRES
from projections.platform.statements import SQLITE_DIALECT, Statement, Suffixed, bind, bind_all

Row = tuple[Any, ...]

SQLITE_WAIT_SECONDS: Final = 10
CACHE_KIB: Final = 16_384
"""What a connection keeps of a file: in the 2 MB it has unasked, the indexes of large read models have no room."""
PART: Final = "part"
"""The name of an attached file in statements."""
JOURNAL_PAGES: Final = 1_000
REWRITING_PAGES: Final = 4_000
"""So many pages of 4 KiB wait beside a file until they are written into it. While they are written, a log on the same
disk waits too: only for a recount, which changes the same pages again and again, more of them wait."""


class DatabaseAway(Exception):
    """A database beside the log does not answer."""


class DatabaseSilent(DatabaseAway):
    """It is there and gives no answer: nobody asks it again at once."""


class ChangeUnknown(DatabaseAway):
    """It was told to keep something and did not say whether it did."""


class Taken(Exception):
    """A row cannot be written beside those that are there: what is unique is taken, or what it refers to is gone."""


class Readable(Protocol):
    """A connection for reading. Values of a Core statement have names."""

    def rows(self, statement: Statement, values: Sequence[Any] = (), /, **named: object) -> list[Row]: ...


class Statements(Readable, Protocol):
    """Where statements are carried out."""

    def change(self, statement: Statement, values: Sequence[Any] = (), /, **named: object) -> int:
        """How many rows the statement changed; `Taken` where a row may not stand beside the others."""
        ...

    def change_all(self, statement: Statement, rows: Iterable[Any]) -> None:
        """Run the statement once for each row, a mapping from names to values."""
        ...


class Database(Statements, Protocol):
    """One connection of one kind of database."""

    @property
    def dialect(self) -> str:
        """Which SQL it speaks (`statements.py`)."""
        ...

    @property
    def connection(self) -> Any:
        """The connection of the driver."""
        ...

    def transaction(self, *, alone: bool = True, rewrites: bool = False) -> AbstractContextManager[None]:
        """`alone`: nobody else writes meanwhile. A file has one writer in any case. `rewrites`: one of many that change
        the same rows."""
        ...

    def absorbing(self, file: Path) -> AbstractContextManager[Absorb]:
        """Takes tables of an SQLite file, within a transaction that begins and ends inside."""
        ...

    @property
    def is_closed(self) -> bool: ...

    def close(self) -> None: ...


@runtime_checkable
class Server(Database, Protocol):
    """A connection to a server, which gives locks too."""

    def try_lock(self, number: int) -> bool:
        """Takes a lock that is held for as long as this connection lives, unless another has it."""
        ...

    def unlock(self, number: int) -> None: ...


@contextmanager
def refused() -> Iterator[None]:
    """`Taken` where SQLite says that a row may not stand beside the others."""
    try:
        yield
    except sqlite3.IntegrityError as taken:
        raise Taken(str(taken)) from taken


class SqliteReader:
    """An SQLite file that is read and not changed, not even by opening it."""

    dialect: Final = SQLITE_DIALECT

    def __init__(self, path: Path) -> None:
        self._connection: Final = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)

    def rows(self, statement: Statement, values: Sequence[Any] = (), /, **named: object) -> list[Row]:
        return self._connection.execute(*bind(statement, SQLITE_DIALECT, values, named)).fetchall()

    def close(self) -> None:
        self._connection.close()


class SqliteDatabase:
    """An SQLite file for its owner alone: it holds what every seat sees, or secrets. Only `is_durable` waits for the
    disk at each commit; read models can be made again."""

    dialect: Final = SQLITE_DIALECT

    def __init__(self, path: Path, *, is_durable: bool = False) -> None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            path.touch(mode=0o600)
        self.connection: Final = sqlite3.connect(
            path, timeout=SQLITE_WAIT_SECONDS, isolation_level=None, check_same_thread=False
        )
        write_ahead(self.connection)
        self.connection.execute(f"PRAGMA synchronous={'FULL' if is_durable else 'NORMAL'}")
        self.connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
        self._journal(JOURNAL_PAGES)
        self.is_closed = False

    def _journal(self, pages: int) -> None:
        self.connection.execute(f"PRAGMA wal_autocheckpoint={pages}")
        self._journal_pages = pages

    def rows(self, statement: Statement, values: Sequence[Any] = (), /, **named: object) -> list[Row]:
        return self.connection.execute(*bind(statement, SQLITE_DIALECT, values, named)).fetchall()

    def change(self, statement: Statement, values: Sequence[Any] = (), /, **named: object) -> int:
        with refused():
            return self.connection.execute(*bind(statement, SQLITE_DIALECT, values, named)).rowcount

    def change_all(self, statement: Statement, rows: Iterable[Any]) -> None:
        with refused():
            self.connection.executemany(*bind_all(statement, SQLITE_DIALECT, rows))

    @contextmanager
    def transaction(self, *, alone: bool = True, rewrites: bool = False) -> Iterator[None]:  # noqa: ARG002  (a file has one writer)
        pages = REWRITING_PAGES if rewrites else JOURNAL_PAGES
        if pages != self._journal_pages:
            self._journal(pages)
        # IMMEDIATE: a transaction that reads first and writes later could otherwise fail half-way as "locked".
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            # Where the disk is full SQLite has rolled back itself: a second time would hide why.
            self.connection.rollback()
            raise
        self.connection.execute("COMMIT")

    @contextmanager
    def absorbing(self, file: Path) -> Iterator[Absorb]:
        def absorb(table: Absorbed) -> None:
            self.change(Suffixed(table.insert_all(PART), table.suffix))

        self.connection.execute(f"ATTACH DATABASE ? AS {PART}", (str(file),))
        try:
            yield absorb
        finally:
            self.connection.execute(f"DETACH DATABASE {PART}")

    def close(self) -> None:
        self.is_closed = True
        self.connection.close()


class SharedDatabase:
    """One connection that the threads of a process use in turn. One that was cut is opened again by the next who asks;
    what was under way then is lost and says so."""

    def __init__(self, open_database: Callable[[], Database]) -> None:
        self._open = open_database
        self._lock = threading.RLock()
        self._database = open_database()

    def rows(self, statement: Statement, values: Sequence[Any] = (), /, **named: object) -> list[Row]:
        """What a question finds; one over a connection that was cut is asked again."""
        with self._turn():
            try:
                return self._connected().rows(statement, values, **named)
            except DatabaseSilent:
                raise
            except DatabaseAway:
                if not self._database.is_closed:
                    raise
                return self._connected().rows(statement, values, **named)

    @contextmanager
    def transaction(self) -> Iterator[Database]:
        """All that is changed within is kept, or nothing."""
        with self._turn(), ExitStack() as stack:
            try:
                stack.enter_context(self._connected().transaction())
            except DatabaseSilent:
                raise
            except DatabaseAway:
                if not self._database.is_closed:
                    raise
                stack.enter_context(self._connected().transaction())
            yield self._database

    def close(self) -> None:
        with self._lock:
            self._database.close()

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Nobody else uses it meanwhile; whoever must answer somebody waits for a limited time."""
        patience = PATIENCE.get()
        if not self._lock.acquire(timeout=-1 if patience is None else patience):
            raise DatabaseSilent("others wait for an answer of the database")
        try:
            yield
        finally:
            self._lock.release()

    def _connected(self) -> Database:
        if self._database.is_closed:
            self._database = self._open()
        return self._database


def is_server(place: str | Path) -> bool:
    """Whether a place is a database server, not a file."""
    return str(place).startswith(POSTGRES)


def connect_to(url: str, schema: str = "", writer: int | None = None) -> Server:
    """A connection to PostgreSQL. `schema`: where the tables are; `writer`: the number of the lock of its writers."""
    # The driver takes longer to import than the whole of a start on SQLite may.
    connect = load("projections.platform.postgres", "PostgresDatabase")
    database: Server = connect(url, schema) if writer is None else connect(url, schema, writer)
    return database
