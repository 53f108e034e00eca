"""Where read models live: tables in a database of their own, each with the position in the log it has reached."""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    update,
)
from sqlalchemy.schema import CreateTable, DropTable

from projections.platform.database import (
    Database,
    DatabaseAway,
    DatabaseSilent,
    Row,
    SqliteDatabase,
    Statements,
    connect_to,
    is_server,
)
from projections.platform.merging import Absorb
from projections.platform.setting_values import SQLITE
from projections.platform.slices import SEPARATOR, SLICES, follower_of
from projections.platform.statements import Statement, Suffixed
from projections.platform.tables import NUMBER, TEXT, creation_of

POSITIONS: Final = Table(
    "positions",
    MetaData(),
    Column("follower", TEXT, primary_key=True),
    Column("position", NUMBER, nullable=False),
    Column("shape", TEXT, nullable=False),
)
COLUMNS: Final = POSITIONS.c
OF_FOLLOWER: Final = or_(COLUMNS.follower == bindparam("follower"), COLUMNS.follower.like(bindparam("slices")))
"""The positions of a follower, of all its slices; `all_of` has the values."""
OF_PLACE: Final = COLUMNS.follower == bindparam("follower")

READ_SHAPES: Final = select(COLUMNS.follower, COLUMNS.shape).where(OF_FOLLOWER)
READ_LEAST: Final = select(func.min(COLUMNS.position)).where(OF_FOLLOWER)
READ_POSITION: Final = select(COLUMNS.position).where(OF_PLACE)
READ_STAND: Final = READ_POSITION.where(COLUMNS.shape == bindparam("shape"))
READ_ALL: Final = select(COLUMNS.follower, COLUMNS.position).order_by(COLUMNS.follower)
ADD: Final = insert(POSITIONS)
SWITCH: Final = update(POSITIONS).where(OF_FOLLOWER).values(position=bindparam("to"))
FORGET: Final = delete(POSITIONS).where(OF_FOLLOWER)
FORGET_PLACE: Final = delete(POSITIONS).where(OF_PLACE)


@cache
def move_of(count: int) -> Update:
    """Return the statement that moves `count` positions. Its parameters are the fields of each `Stand`, numbered."""
    stands = (
        and_(*(COLUMNS[name] == bindparam(f"{name}_{number}") for name in Stand._fields)) for number in range(count)
    )
    return update(POSITIONS).where(or_(*stands)).values(position=bindparam("to"))


class Moved(Exception):
    """The position is no longer where this follower left it, or its tables have another shape: somebody else leads it,
    nothing was written."""


class Stand(NamedTuple):
    """Where a follower stands, or a slice of it, that writes tables of this shape."""

    follower: str
    shape: str
    position: int


class Transaction:
    """What a follower may do while its position moves: all of it is kept, or none.

    Tables are named in braces, so that a rebuild can write beside the tables that are being read.
    """

    def __init__(self, database: Statements, suffix: str = "") -> None:
        self._database = database
        self._suffix = suffix

    def rows(self, statement: Statement, /, *values: object, **named: object) -> list[Row]:
        return self._database.rows(self._suffixed(statement), values, **named)

    def change(self, statement: Statement, /, *values: object, **named: object) -> int:
        return self._database.change(self._suffixed(statement), values, **named)

    def change_all(self, statement: ClauseElement, rows: Iterable[Mapping[str, Any]]) -> None:
        """Run the statement once for each row."""
        self._database.change_all(self._suffixed(statement), rows)

    def _suffixed(self, statement: Statement) -> Statement:
        if not self._suffix or isinstance(statement, str | Suffixed):
            return statement
        return Suffixed(statement, self._suffix)

    def move_all(self, stands: Sequence[Stand], position_to: int) -> None:
        """Each from where it stands to the same position; `Moved` when one of them does not stand there."""
        values = {
            f"{name}_{number}": value
            for number, stand in enumerate(stands)
            for name, value in zip(Stand._fields, stand, strict=True)
        }
        if self.change(move_of(len(stands)), to=position_to, **values) != len(stands):
            told = (
                f"{each.follower} no longer stands at position {each.position}, shape {each.shape}" for each in stands
            )
            raise Moved(" or ".join(told))

    def move(self, stand: Stand, position_to: int) -> None:
        """The follower goes on from where it stands; `Moved` when it does not stand there."""
        self.move_all((stand,), position_to)


def all_of(follower: str) -> dict[str, str]:
    """Return the values of `OF_FOLLOWER`."""
    return {"follower": follower, "slices": follower + SEPARATOR + "%"}


class ReadStore:
    """The read models' database: a path or `sqlite:///path`, or a `postgresql://` url; a connection per thread."""

    def __init__(self, url: str | Path) -> None:
        self._url = url
        self._here = threading.local()
        self._opened = list[Database]()
        self._lock = threading.Lock()
        with self.transaction() as transaction:
            transaction.change(CreateTable(POSITIONS, if_not_exists=True))

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

    def rows(self, statement: Statement, /, *values: object, **named: object) -> list[Row]:
        """What a question finds. One over a connection that was cut is asked again: a server may have come back."""
        database = self._database()
        try:
            return database.rows(statement, values, **named)
        except DatabaseSilent:
            raise
        except DatabaseAway:
            if not database.is_closed:
                raise
            return self._database().rows(statement, values, **named)

    @contextmanager
    def transaction(self, suffix: str = "") -> Iterator[Transaction]:
        database = self._database()
        with database.transaction():
            yield Transaction(database, suffix)

    @contextmanager
    def following(self, *, rewrites: bool = False) -> Iterator[Transaction]:
        """The transaction of somebody who follows: at a server beside those of others, because each moves its own
        positions first. `rewrites`: one of many that change the same rows."""
        database = self._database()
        with database.transaction(alone=False, rewrites=rewrites):
            yield Transaction(database)

    @property
    def slices(self) -> int:
        """In how many slices the lines are followed: a file has one writer."""
        return SLICES if is_server(self._url) else 1

    @contextmanager
    def absorbing(self, file: Path) -> Iterator[Absorb]:
        """Takes tables of an SQLite file, within a transaction that begins and ends inside."""
        with self._database().absorbing(file) as absorb:
            yield absorb

    def position(self, follower: str) -> int:
        """How far the follower has come, with all its slices; 0 is before the first entry."""
        return int(self.rows(READ_LEAST, **all_of(follower))[0][0] or 0)

    def stand(self, place: str, shape: str) -> Stand | None:
        """Where a follower stands, or a slice of it; nowhere where its tables have another shape."""
        rows = self.rows(READ_STAND, follower=place, shape=shape)
        return Stand(place, shape, int(rows[0][0])) if rows else None

    def positions(self) -> dict[str, int]:
        """How far everybody has come, with all their slices."""
        found: dict[str, int] = {}
        for place, position in self.places().items():
            found[follower_of(place)] = min(position, found.get(follower_of(place), position))
        return found

    def places(self) -> dict[str, int]:
        """How far everybody has come, slice by slice."""
        return dict(self.rows(READ_ALL))

    def enrol(self, follower: str, shape: str, tables: Sequence[Table], places: Sequence[str] = ()) -> None:
        """A follower's tables at position 0, unless they are there; tables of another shape are dropped before.
        `places`: what its positions are called, where it is followed in slices."""
        wanted = dict.fromkeys(places or (follower,), shape)
        if dict(self.rows(READ_SHAPES, **all_of(follower))) == wanted:
            return
        with self.transaction() as transaction:
            known: dict[str, str] = dict(transaction.rows(READ_SHAPES, **all_of(follower)))
            if known == wanted:
                return
            # One that was led as a whole until now goes on in slices, from where it stands.
            position = self._whole_position(transaction, follower) if known == {follower: shape} else 0
            if not position:
                for table in tables:
                    transaction.change(DropTable(table, if_exists=True))
                for statement in chain.from_iterable(map(creation_of, tables)):
                    transaction.change(statement)
            transaction.change(FORGET, **all_of(follower))
            transaction.change_all(ADD, ({"follower": place, "position": position, "shape": shape} for place in wanted))

    @staticmethod
    def _whole_position(transaction: Transaction, follower: str) -> int:
        return int(transaction.rows(READ_POSITION, follower=follower)[0][0])

    def close(self) -> None:
        with self._lock:
            for database in self._opened:
                database.close()
            self._opened = []
