"""One range of the log, folded once for several projections, into a file from which its rows are taken."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.schema import CreateTable

from projections.catalogue import PROJECTIONS
from projections.follow import AnyFollower, FollowedSteps, Lead, lead_of
from projections.platform.database import Row
from projections.platform.statements import SQLITE_DIALECT, Statement, bind, bind_all
from projections.platform.store import Transaction
from projections.ranges import Range, WholeLog, fold

CACHE_KIB: Final = 65_536


@runtime_checkable
class Informed(Protocol):
    """A projection for which what one stream says holds in all matches: every range begins with that stream."""

    @property
    def COMMON(self) -> UUID: ...  # noqa: N802  (a constant of a module)

    @property
    def COMMON_TABLES(self) -> Sequence[str]:  # noqa: N802
        """Where that is kept, and nothing else."""
        ...


class Task(NamedTuple):
    """A range to fold, up to a position, for these projections."""

    number: int
    range: Range
    names: tuple[str, ...]
    upto: int
    file: Path


class Folded(NamedTuple):
    """Where the rows of a range are, and what was passed over: why, by stream."""

    number: int
    file: Path
    entries: int
    passed_over: Mapping[UUID, str]


class Scratch:
    """An SQLite file that nobody else sees and that need not survive anything."""

    def __init__(self, file: Path) -> None:
        self._connection = sqlite3.connect(file, isolation_level=None)
        for pragma in ("journal_mode=OFF", "synchronous=OFF", "locking_mode=EXCLUSIVE", f"cache_size=-{CACHE_KIB}"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.execute("BEGIN")

    def rows(self, statement: Statement, values: Sequence[Any] = (), /, **named: object) -> list[Row]:
        return self._connection.execute(*bind(statement, SQLITE_DIALECT, values, named)).fetchall()

    def change(self, statement: Statement, values: Sequence[Any] = (), /, **named: object) -> int:
        return self._connection.execute(*bind(statement, SQLITE_DIALECT, values, named)).rowcount

    def change_all(self, statement: Statement, rows: Iterable[Any]) -> None:
        self._connection.executemany(*bind_all(statement, SQLITE_DIALECT, rows))

    def close(self) -> None:
        self._connection.execute("COMMIT")
        self._connection.close()


class Leading:
    """Projections, and how each takes what it follows."""

    def __init__(self, names: Sequence[str]) -> None:
        self.followers: list[tuple[AnyFollower, Lead]] = [
            (PROJECTIONS[name], lead_of(PROJECTIONS[name])) for name in names
        ]

    def make(self, transaction: Transaction) -> None:
        for follower, _ in self.followers:
            for table in follower.TABLES.values():
                transaction.change(CreateTable(table))

    def inform(self, transaction: Transaction, log: WholeLog, upto: int, steps: FollowedSteps) -> None:
        for follower, lead in self.followers:
            if isinstance(follower, Informed):
                lead(transaction, fold(log, (follower.COMMON,), upto, steps))

    def forget_common(self, transaction: Transaction) -> None:
        """All but the first range: what is common would be counted several times."""
        for follower, _ in self.followers:
            for table in follower.COMMON_TABLES if isinstance(follower, Informed) else ():
                transaction.change(delete(follower.TABLES[table]))


def common_streams(names: Sequence[str]) -> list[UUID]:
    """The streams with which every range begins."""
    followers = (PROJECTIONS[name] for name in names)
    return [follower.COMMON for follower in followers if isinstance(follower, Informed)]


def fold_range(task: Task, log: WholeLog) -> Folded:
    """The rows of a range, in a file of their own. Safe to run twice: a file that is there already is made anew."""
    task.file.unlink(missing_ok=True)
    steps, leading = FollowedSteps(log), Leading(task.names)
    with closing(Scratch(task.file)) as scratch:
        transaction = Transaction(scratch)
        leading.make(transaction)
        leading.inform(transaction, log, task.upto, steps)
        for family in task.range.families:
            happenings = fold(log, family, task.upto, steps)
            for _, lead in leading.followers:
                lead(transaction, happenings)
        if task.number:
            leading.forget_common(transaction)
    return Folded(task.number, task.file, task.range.entries, steps.passed_over)
