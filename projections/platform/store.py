"""The database of read models: tables with the offset of each consumer in the log."""

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ClauseElement,
    Column,
    MetaData,
    Table,
    Update,
    and_,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.schema import CreateIndex, CreateTable, DropTable

from projections.platform.database import (
    Database,
    DatabaseTimeout,
    DatabaseUnavailable,
    Row,
    SqliteDatabase,
    Statements,
    connect_to,
    is_server,
)
from projections.platform.fills import BEGIN_FILL, END_FILL, FILLS, READ_FILL, READ_OBJECTS, Missing, missing_of
from projections.platform.merging import CopyTable
from projections.platform.setting_values import SQLITE
from projections.platform.shards import SEPARATOR, SHARD_COUNT, projection_of
from projections.platform.statements import Statement, Suffixed
from projections.platform.tables import NUMBER, TEXT, by_name, creation_of, indexes_of

POSITIONS: Final = Table(
    "positions",
    MetaData(),
    Column("follower", TEXT, primary_key=True),
    Column("position", NUMBER, nullable=False),
    Column("shape", TEXT, nullable=False),
)
COLUMNS: Final = POSITIONS.c
OF_FOLLOWER: Final = or_(COLUMNS.follower == bindparam("follower"), COLUMNS.follower.like(bindparam("slices")))
"""All consumers of a projection; `all_of` has the values."""
OF_CONSUMER: Final = COLUMNS.follower == bindparam("follower")

READ_SHAPES: Final = select(COLUMNS.follower, COLUMNS.shape).where(OF_FOLLOWER)
READ_LEAST: Final = select(func.min(COLUMNS.position)).where(OF_FOLLOWER)
READ_POSITION: Final = select(COLUMNS.position).where(OF_CONSUMER)
READ_OFFSET: Final = READ_POSITION.where(COLUMNS.shape == bindparam("shape"))
READ_ALL: Final = select(COLUMNS.follower, COLUMNS.position).order_by(COLUMNS.follower)
ADD: Final = insert(POSITIONS)
SWITCH: Final = update(POSITIONS).where(OF_FOLLOWER).values(position=bindparam("to"))
FORGET: Final = delete(POSITIONS).where(OF_FOLLOWER)
FORGET_CONSUMER: Final = delete(POSITIONS).where(OF_CONSUMER)


@cache
def offset_update(count: int) -> Update:
    """Return the statement that moves `count` offsets; its parameters are numbered fields of each `StoredOffset`."""
    conditions = (
        and_(*(COLUMNS[name] == bindparam(f"{name}_{number}") for name in StoredOffset._fields))
        for number in range(count)
    )
    return update(POSITIONS).where(or_(*conditions)).values(position=bindparam("to"))


Announce = Callable[[str, str], None]
"""Announces that the existing tables of a projection change: its name, and one of the next two texts."""
ADDED: Final = "adding tables and indexes to read models; this may take minutes"
REBUILT: Final = "read models of an earlier version are read again from the log; until then they are incomplete"


def announce_nothing(_follower: str, _change: str) -> None:
    """Announce nothing."""


class OffsetChanged(Exception):
    """The error of an offset or table shape that another process has changed; nothing was written."""


class StoredOffset(NamedTuple):
    """The stored offset of a consumer that writes tables of this shape."""

    follower: str
    shape: str
    position: int


class Transaction:
    """A transaction that writes rows together with offsets.

    Table names are in braces, so that a rebuild can write separate tables.
    """

    def __init__(self, database: Statements, suffix: str = "") -> None:
        self._database = database
        self._suffix = suffix

    def rows(self, statement: Statement, /, *values: object, **named: object) -> list[Row]:
        """Return the rows of a query."""
        return self._database.rows(self._add_suffix(statement), values, **named)

    def change(self, statement: Statement, /, *values: object, **named: object) -> int:
        """Run a statement and return the number of changed rows."""
        return self._database.change(self._add_suffix(statement), values, **named)

    def change_all(self, statement: ClauseElement, rows: Iterable[Mapping[str, Any]]) -> None:
        """Run the statement once for each row."""
        self._database.change_all(self._add_suffix(statement), rows)

    def _add_suffix(self, statement: Statement) -> Statement:
        if not self._suffix or isinstance(statement, str | Suffixed):
            return statement
        return Suffixed(statement, self._suffix)

    def move_all(self, offsets: Sequence[StoredOffset], position_to: int) -> None:
        """Move these offsets to a common position; raise `OffsetChanged` if one of them has changed."""
        values = {
            f"{name}_{number}": value
            for number, offset in enumerate(offsets)
            for name, value in zip(StoredOffset._fields, offset, strict=True)
        }
        if self.change(offset_update(len(offsets)), to=position_to, **values) != len(offsets):
            faults = (
                f"{each.follower} no longer stands at position {each.position}, shape {each.shape}" for each in offsets
            )
            raise OffsetChanged(" or ".join(faults))

    def move(self, offset: StoredOffset, position_to: int) -> None:
        """Move the offset; raise `Moved` if it has changed."""
        self.move_all((offset,), position_to)


def consumers_of(follower: str) -> dict[str, str]:
    """Return the values of `OF_FOLLOWER`."""
    return {"follower": follower, "slices": follower + SEPARATOR + "%"}


class ReadStore:
    """The database of read models, a path or database URL, with a connection per thread."""

    def __init__(self, url: str | Path) -> None:
        self._url = url
        self._here = threading.local()
        self._opened = list[Database]()
        self._lock = threading.Lock()
        self._filled = set[str]()
        """Tables that were found to be filled, which they stay."""
        with self.transaction() as transaction:
            for table in (POSITIONS, FILLS):
                transaction.change(CreateTable(table, if_not_exists=True))

    def _database(self) -> Database:
        """Return the connection of this thread, opened on first use and again after it was closed."""
        database: Database | None = getattr(self._here, "database", None)
        if database is None or database.is_closed:
            database = self._here.database = self._open()
            with self._lock:
                self._opened = [each for each in self._opened if not each.is_closed] + [database]
        return database

    def _open(self) -> Database:
        if is_server(self._url):
            return connect_to(str(self._url))
        return SqliteDatabase(Path(str(self._url).removeprefix(SQLITE)))

    def rows(self, statement: Statement, /, *values: object, **named: object) -> list[Row]:
        """Return the rows of a query; if the connection was closed, retry once on a new one.

        Raise `DatabaseUnavailable`, or `DatabaseTimeout`, which is not retried.
        """
        database = self._database()
        try:
            return database.rows(statement, values, **named)
        except DatabaseTimeout:
            raise
        except DatabaseUnavailable:
            if not database.is_closed:
                raise
            return self._database().rows(statement, values, **named)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let all queries of this thread see the same state; raise `DatabaseUnavailable` if the connection is lost."""
        with self._database().snapshot():
            yield

    @contextmanager
    def transaction(self, suffix: str = "") -> Iterator[Transaction]:
        """Open an exclusive write transaction; `suffix` is appended to the names of tables, as for a rebuild."""
        database = self._database()
        with database.transaction():
            yield Transaction(database, suffix)

    @contextmanager
    def consumer_transaction(self, *, rewrites: bool = False) -> Iterator[Transaction]:
        """Open a transaction of a consumer; on a server they are concurrent, as each moves its own offset first.

        `rewrites`: one of many that change the same rows.
        """
        database = self._database()
        with database.transaction(alone=False, rewrites=rewrites):
            yield Transaction(database)

    @property
    def shard_count(self) -> int:
        """Return the number of shards; one for a file, which has one writer."""
        return SHARD_COUNT if is_server(self._url) else 1

    @contextmanager
    def absorbing(self, file: Path) -> Iterator[CopyTable]:
        """Provide a function that copies tables from an SQLite file; use it in a transaction inside the context."""
        with self._database().absorbing(file) as copy_table:
            yield copy_table

    def least_offset(self, follower: str) -> int:
        """Return the least offset of a projection's consumers; 0 is before the first entry."""
        return int(self.rows(READ_LEAST, **consumers_of(follower))[0][0] or 0)

    def read_offset(self, consumer: str, shape: str) -> StoredOffset | None:
        """Return the stored offset of a consumer, or None if its tables have another shape."""
        rows = self.rows(READ_OFFSET, follower=consumer, shape=shape)
        return StoredOffset(consumer, shape, int(rows[0][0])) if rows else None

    def least_offsets(self) -> dict[str, int]:
        """Return the least offset of each projection."""
        found: dict[str, int] = {}
        for consumer, position in self.read_offsets().items():
            found[projection_of(consumer)] = min(position, found.get(projection_of(consumer), position))
        return found

    def read_offsets(self) -> dict[str, int]:
        """Return the offset of every consumer."""
        return dict(self.rows(READ_ALL))

    def is_filled(self, table: str) -> bool:
        """Return whether a table that was added to existing read models has all its rows."""
        if table not in self._filled:
            if self.rows(READ_FILL, table=table):
                return False
            self._filled.add(table)
        return True

    def ensure_tables(
        self,
        follower: str,
        shape: str,
        tables: Sequence[Table],
        consumers: Sequence[str] = (),
        filled: Collection[str] = (),
        announce: Announce = announce_nothing,
    ) -> None:
        """Create a projection's tables with offset 0 unless they exist; tables of another shape are dropped.

        Missing tables and indexes of the same shape are added; those named in `filled` are then filled by the consumer.
        `announce` is called before existing tables change, because a large table takes minutes.

        `consumers` are the names of its consumers, if the projection is sharded; if it was not sharded before, it
        keeps its tables and offset.
        """
        shapes = dict.fromkeys(consumers or (follower,), shape)
        if dict(self.rows(READ_SHAPES, **consumers_of(follower))) == shapes:
            self._add_missing(follower, tables, filled, announce)
            return
        with self.transaction() as transaction:
            stored_shapes: dict[str, str] = dict(transaction.rows(READ_SHAPES, **consumers_of(follower)))
            if stored_shapes == shapes:
                return
            # An unsharded projection becomes sharded and continues from its offset.
            position = self._whole_position(transaction, follower) if stored_shapes == {follower: shape} else 0
            if not position:
                if stored_shapes:
                    announce(follower, REBUILT)
                for table in tables:
                    transaction.change(DropTable(table, if_exists=True))
                for statement in chain.from_iterable(map(creation_of, tables)):
                    transaction.change(statement)
                for name in by_name(*tables):
                    transaction.change(END_FILL, table=name)
            transaction.change(FORGET, **consumers_of(follower))
            transaction.change_all(
                ADD, ({"follower": consumer, "position": position, "shape": shape} for consumer in shapes)
            )

    def _add_missing(self, follower: str, tables: Sequence[Table], filled: Collection[str], announce: Announce) -> None:
        """Add the tables and indexes that a later version has; an index that it no longer has is dropped."""
        if not any(self._missing(self, tables)):
            return
        announce(follower, ADDED)
        with self.transaction() as transaction:
            missing = self._missing(transaction, tables)
            for name in missing.excess:
                transaction.change(text(f"DROP INDEX {name}"))
            for table in missing.indexed:
                for index in indexes_of(table):
                    transaction.change(CreateIndex(index, if_not_exists=True))
            for statement in chain.from_iterable(map(creation_of, missing.tables)):
                transaction.change(statement)
            for name in by_name(*missing.tables):
                if name in filled:
                    transaction.change(BEGIN_FILL, name=name, reached="")

    def _missing(self, readable: "ReadStore | Transaction", tables: Sequence[Table]) -> Missing:
        return missing_of(tables, readable.rows(READ_OBJECTS[self._database().dialect]))

    @staticmethod
    def _whole_position(transaction: Transaction, follower: str) -> int:
        return int(transaction.rows(READ_POSITION, follower=follower)[0][0])

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            for database in self._opened:
                database.close()
            self._opened = []
