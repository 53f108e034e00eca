"""Where read models live: tables in a database of their own, each with the position in the log it has reached."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from projections.database import Database, DatabaseAway, Row, SqliteDatabase, Statements, connect_to, is_server
from projections.merging import Absorb
from projections.setting_values import SQLITE

POSITIONS: Final = """CREATE TABLE IF NOT EXISTS positions (
    follower TEXT PRIMARY KEY, position INTEGER NOT NULL, shape TEXT NOT NULL)"""


class Moved(Exception):
    """The position is no longer where this follower left it: somebody else moved it, nothing was written."""


class Named(dict[str, str]):
    """The table names of statements: `{boards}` is `boards` and the suffix of the tables written to."""

    def __init__(self, suffix: str) -> None:
        self.suffix = suffix

    def __missing__(self, name: str) -> str:
        return name + self.suffix


class Transaction:
    """What a follower may do while its position moves: all of it is kept, or none.

    Tables are named in braces, so that a rebuild can write beside the tables that are being read.
    """

    def __init__(self, database: Statements, suffix: str = "") -> None:
        self._database = database
        self._names = Named(suffix)

    def rows(self, statement: str, *values: Any) -> list[Row]:
        return self._database.rows(statement.format_map(self._names), values)

    def change(self, statement: str, *values: Any) -> int:
        return self._database.change(statement.format_map(self._names), values)

    def move(self, follower: str, position_from: int, position_to: int) -> None:
        """The follower goes on to `position_to`; `Moved` when it does not stand at `position_from`."""
        self.move_together((follower,), position_from, position_to)

    def move_together(self, followers: Sequence[str], position_from: int, position_to: int) -> None:
        """All of them go on to `position_to`; `Moved` when one does not stand at `position_from`."""
        places = ", ".join("?" for _ in followers)
        statement = f"UPDATE positions SET position = ? WHERE position = ? AND follower IN ({places})"  # noqa: S608  (places alone)
        if self.change(statement, position_to, position_from, *followers) != len(followers):
            who = followers[0] if len(followers) == 1 else f"one of {', '.join(followers)}"
            raise Moved(f"{who} no longer stands at position {position_from}")


class ReadStore:
    """The read models' database: a path or `sqlite:///path`, or a `postgresql://` url; a connection per thread."""

    def __init__(self, url: str | Path) -> None:
        self._url = url
        self._here = threading.local()
        self._opened = list[Database]()
        self._lock = threading.Lock()
        with self.transaction() as transaction:
            transaction.change(POSITIONS)

    def _database(self) -> Database:
        database: Database | None = getattr(self._here, "database", None)
        if database is None or database.is_closed:
            database = self._here.database = self._open()
            with self._lock:
                self._opened = [known for known in self._opened if not known.is_closed] + [database]
        return database

    def _open(self) -> Database:
        if is_server(self._url):
            return connect_to(str(self._url))
        return SqliteDatabase(Path(str(self._url).removeprefix(SQLITE)))

    def rows(self, statement: str, *values: Any) -> list[Row]:
        """What a question finds. One over a connection that was cut is asked again: a server may have come back."""
        database = self._database()
        try:
            return database.rows(statement, values)
        except DatabaseAway:
            if not database.is_closed:
                raise
            return self._database().rows(statement, values)

    @contextmanager
    def transaction(self, suffix: str = "") -> Iterator[Transaction]:
        database = self._database()
        with database.transaction():
            yield Transaction(database, suffix)

    @contextmanager
    def absorbing(self, file: Path) -> Iterator[Absorb]:
        """Takes tables of an SQLite file, within a transaction that begins and ends inside."""
        with self._database().absorbing(file) as absorb:
            yield absorb

    def position(self, follower: str) -> int:
        """How far the follower has come; 0 is before the first entry."""
        rows = self.rows("SELECT position FROM positions WHERE follower = ?", follower)
        return int(rows[0][0]) if rows else 0

    def positions(self) -> dict[str, int]:
        """How far everybody has come."""
        return dict(self.rows("SELECT follower, position FROM positions ORDER BY follower"))

    def enrol(self, follower: str, shape: str, tables: Sequence[str], drops: Sequence[str]) -> None:
        """A follower's tables at position 0, unless they are there; tables of another shape are dropped before."""
        if self.rows("SELECT 1 FROM positions WHERE follower = ? AND shape = ?", follower, shape):
            return
        with self.transaction() as transaction:
            known = transaction.rows("SELECT shape FROM positions WHERE follower = ?", follower)
            if known and known[0][0] == shape:
                return
            for statement in (*drops, *tables):
                transaction.change(statement)
            transaction.change("DELETE FROM positions WHERE follower = ?", follower)
            transaction.change("INSERT INTO positions (follower, position, shape) VALUES (?, 0, ?)", follower, shape)

    def close(self) -> None:
        with self._lock:
            for database in self._opened:
                database.close()
            self._opened = []
