"""Folding one range of the log for several projections into a temporary file of rows."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.schema import CreateTable

from projections.catalogue import PROJECTIONS
from projections.follow import AnyFollower, BatchHandler, StepReader, batch_handler_of
from projections.platform.database import Row
from projections.platform.statements import SQLITE_DIALECT, Statement, bind, bind_all
from projections.platform.store import Transaction
from projections.ranges import Range, WholeLog, fold

CACHE_KIB: Final = 65_536


@runtime_checkable
class WithCommonStream(Protocol):
    """A projection with a stream that affects all matches, so that every range starts with that stream."""

    @property
    def COMMON(self) -> UUID:  # noqa: N802  (a constant of a module)
        """The stream that affects all matches."""
        ...

    @property
    def COMMON_TABLES(self) -> Sequence[str]:  # noqa: N802
        """The tables that hold data of this stream only."""
        ...


class Task(NamedTuple):
    """A range to fold up to a position, for these projections."""

    number: int
    range: Range
    names: tuple[str, ...]
    upto: int
    file: Path


class FoldedRange(NamedTuple):
    """The file with the rows of a range, and skipped streams with reasons."""

    number: int
    file: Path
    entries: int
    passed_over: Mapping[UUID, str]


class ScratchDatabase:
    """A temporary SQLite file without durability or concurrent access."""

    def __init__(self, file: Path) -> None:
        self._connection = sqlite3.connect(file, isolation_level=None)
        for pragma in ("journal_mode=OFF", "synchronous=OFF", "locking_mode=EXCLUSIVE", f"cache_size=-{CACHE_KIB}"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.execute("BEGIN")

    def rows(self, statement: Statement, values: Sequence[Any] = (), /, **named: object) -> list[Row]:
        """Return the rows of a query."""
        return self._connection.execute(*bind(statement, SQLITE_DIALECT, values, named)).fetchall()

    def change(self, statement: Statement, values: Sequence[Any] = (), /, **named: object) -> int:
        """Run a statement and return the number of changed rows."""
        return self._connection.execute(*bind(statement, SQLITE_DIALECT, values, named)).rowcount

    def change_all(self, statement: Statement, rows: Iterable[Any]) -> None:
        """Run a statement for each row."""
        self._connection.executemany(*bind_all(statement, SQLITE_DIALECT, rows))

    def close(self) -> None:
        """Commit and close the file."""
        self._connection.execute("COMMIT")
        self._connection.close()


class RangeFollowers:
    """Projections with their apply functions."""

    def __init__(self, names: Sequence[str]) -> None:
        self.followers: list[tuple[AnyFollower, BatchHandler]] = [
            (PROJECTIONS[name], batch_handler_of(PROJECTIONS[name])) for name in names
        ]

    def create_tables(self, transaction: Transaction) -> None:
        """Create the tables of the projections."""
        for follower, _ in self.followers:
            for table in follower.TABLES.values():
                transaction.change(CreateTable(table))

    def apply_common_streams(self, transaction: Transaction, log: WholeLog, upto: int, steps: StepReader) -> None:
        """Apply the common stream of each projection that has one, up to a position."""
        for follower, handle_batch in self.followers:
            if isinstance(follower, WithCommonStream):
                handle_batch(transaction, fold(log, (follower.COMMON,), upto, steps))

    def forget_common(self, transaction: Transaction) -> None:
        """Delete common rows, which only the first range keeps, so that they are not counted several times."""
        for follower, _ in self.followers:
            for table in follower.COMMON_TABLES if isinstance(follower, WithCommonStream) else ():
                transaction.change(delete(follower.TABLES[table]))


def common_streams(names: Sequence[str]) -> list[UUID]:
    """Return the streams with which every range starts."""
    followers = (PROJECTIONS[name] for name in names)
    return [follower.COMMON for follower in followers if isinstance(follower, WithCommonStream)]


def fold_range(task: Task, log: WholeLog) -> FoldedRange:
    """Fold a range into a file of all its projections' rows, common rows only in the first range.

    Idempotent: an existing file is replaced.
    """
    task.file.unlink(missing_ok=True)
    steps, followers = StepReader(log), RangeFollowers(task.names)
    with closing(ScratchDatabase(task.file)) as database:
        transaction = Transaction(database)
        followers.create_tables(transaction)
        followers.apply_common_streams(transaction, log, task.upto, steps)
        for family in task.range.families:
            events = fold(log, family, task.upto, steps)
            for _, handle_batch in followers.followers:
                handle_batch(transaction, events)
        if task.number:
            followers.forget_common(transaction)
    return FoldedRange(task.number, task.file, task.range.entries, steps.skipped_streams)
