"""Types of columns for tables that are declared once, for SQLite and for PostgreSQL.

Connections of our own convert no values (`statements.py`): use these types alone, whose values both drivers take and
return as they are.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import BigInteger, Column, ColumnElement, Index, Integer, LargeBinary, MetaData, Table, Text
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlalchemy.sql.ddl import ExecutableDDLElement
from sqlalchemy.sql.elements import quoted_name

WORDS: Final = Text()
"""Text for people. No statement compares or orders it."""
KEY: Final = Text(collation="C").with_variant(Text(), "sqlite")
"""Text that statements compare or order: by its bytes, whatever the language of a server is."""
SMALL: Final = Integer()
"""A number below 2**31."""
NUMBER: Final = BigInteger().with_variant(Integer(), "sqlite")
"""A number below 2**63: a position in the log, a time in microseconds."""
BYTES: Final = LargeBinary()
TEXT: Final = Text()
"""Text in read models, compared and ordered as the database does. One collation for all of them, so that they join."""

READ_MODELS: Final = MetaData()


def read_model(name: str, *columns: Column[Any], sqlite_with_rowid: bool = True) -> Table:
    """Return a table of the read models. Its name is in braces, so that a rebuild can add a suffix."""
    for column in columns:
        # The log gives the numbers: PostgreSQL would make a sequence for the only column of a key.
        column.autoincrement = False
    braced = quoted_name(f"{{{name}}}", quote=False)
    return Table(braced, READ_MODELS, *columns, sqlite_with_rowid=sqlite_with_rowid)


def partial_index(name: str, *columns: Column[Any], where: ColumnElement[bool]) -> Index:
    """Return an index on the rows that fulfil a condition."""
    return Index(name, *columns, sqlite_where=where, postgresql_where=where)


def by_name(*tables: Table) -> Mapping[str, Table]:
    """Return tables of read models by their names without braces."""
    return {table.name.strip("{}"): table for table in tables}


def indexes_of(table: Table) -> Sequence[Index]:
    """Return the indexes of a table in a fixed order."""
    return sorted(table.indexes, key=lambda index: str(index.name))


def creation_of(table: Table) -> list[ExecutableDDLElement]:
    """Return the statements that create a table and its indexes."""
    return [CreateTable(table), *map(CreateIndex, indexes_of(table))]
