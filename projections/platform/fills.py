"""Tables and indexes that a later version adds to existing read models, without a rebuild.

A new index is created when the store is opened. A new table is filled from existing ones by its consumer, in slices,
while readers use the old tables. The progress of a fill is stored with its rows, so that a killed fill continues.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol, runtime_checkable

from sqlalchemy import Column, MetaData, Table, bindparam, delete, select, update

from projections.platform.database import Row
from projections.platform.statements import POSTGRES_DIALECT, SQLITE_DIALECT, Statement, insert_new
from projections.platform.tables import TEXT, by_name, indexes_of

FILLS: Final = Table(
    "fills",
    MetaData(),
    Column("name", TEXT, primary_key=True),
    Column("reached", TEXT, nullable=False),
)
"""The tables that are not filled yet, and the position of each fill; "" at the start."""
COLUMNS: Final = FILLS.c
OF_TABLE: Final = COLUMNS.name == bindparam("table")
BEGIN_FILL: Final = insert_new(FILLS)
READ_FILL: Final = select(COLUMNS.reached).where(OF_TABLE)
READ_FILLS: Final = select(COLUMNS.name)
MOVE_FILL: Final = update(FILLS).where(OF_TABLE).values(reached=bindparam("to"))
END_FILL: Final = delete(FILLS).where(OF_TABLE)

READ_OBJECTS: Final[Mapping[str, str]] = {
    SQLITE_DIALECT: "SELECT type, name, tbl_name FROM sqlite_master WHERE sql IS NOT NULL",
    POSTGRES_DIALECT: (
        "SELECT CASE object.relkind WHEN 'i' THEN 'index' ELSE 'table' END, object.relname,"
        " COALESCE(indexed.relname, object.relname)"
        " FROM pg_class object JOIN pg_namespace ON pg_namespace.oid = object.relnamespace"
        " LEFT JOIN pg_index ON pg_index.indexrelid = object.oid"
        " LEFT JOIN pg_class indexed ON indexed.oid = pg_index.indrelid"
        " WHERE pg_namespace.nspname = current_schema() AND object.relkind IN ('r', 'i')"
        " AND NOT COALESCE(pg_index.indisprimary, false)"
    ),
}
"""Kind, name and table of all tables, and of all indexes except primary keys."""


class FillTransaction(Protocol):
    """The part of a transaction that a fill needs."""

    def rows(self, statement: Statement, /, *values: object, **named: object) -> list[Row]:
        """Return the rows of a query."""
        ...

    def change(self, statement: Statement, /, *values: object, **named: object) -> int:
        """Run a statement and return the number of changed rows."""
        ...


Fill = Callable[[FillTransaction, str], str | None]
"""Writes the next slice of rows after a position, and returns the new position; None at the end."""


@runtime_checkable
class Filling(Protocol):
    """A projection with tables that were added to existing read models.

    While a table is not filled, the projection writes to it as usual, and readers do without it.
    """

    @property
    def FILLS(self) -> Mapping[str, Fill]:  # noqa: N802  (a constant of a module)
        """The function that fills each such table, by its name without braces."""
        ...


class Missing(NamedTuple):
    """The tables and indexes of a projection that a store lacks, and the names of indexes that it has in excess."""

    tables: Sequence[Table]
    indexed: Sequence[Table]
    """Existing tables with a missing index."""
    excess: Sequence[str]


def missing_of(tables: Iterable[Table], objects: Iterable[Row]) -> Missing:
    """Return the differences between a store with these objects (`READ_OBJECTS`) and the tables of a projection."""
    existing, indexes = set[str](), dict[str, set[str]]()
    for kind, name, table in objects:
        if kind == "table":
            existing.add(name)
        else:
            indexes.setdefault(table, set()).add(name)
    new, indexed, excess = list[Table](), list[Table](), list[str]()
    for name, table in by_name(*tables).items():
        declared = {str(index.name) for index in indexes_of(table)}
        if name not in existing:
            new.append(table)
            continue
        if not declared <= indexes.get(name, set()):
            indexed.append(table)
        excess += sorted(indexes.get(name, set()) - declared)
    return Missing(new, indexed, excess)


def continue_fill(transaction: FillTransaction, table: str, fill: Fill) -> bool:
    """Fill the next slice of a table; return whether the table is filled."""
    for (reached,) in transaction.rows(READ_FILL, table=table):
        now_reached = fill(transaction, reached)
        if now_reached is not None:
            transaction.change(MOVE_FILL, table=table, to=now_reached)
            return False
        transaction.change(END_FILL, table=table)
    return True
