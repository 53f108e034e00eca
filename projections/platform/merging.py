"""Merging rows that were folded from several ranges of the log."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol, runtime_checkable

from sqlalchemy import ColumnClause, Insert, Table, column, insert, literal, select, table

from projections.platform.statements import add_where_exists, insert_row


class Merge(NamedTuple):
    """The merge of rows with equal keys: these columns are added, all others are equal."""

    added: tuple[str, ...] = ()


@runtime_checkable
class Merging(Protocol):
    """A projection that counts across matches.

    Rows of tables it does not name belong to one match or stream.
    """

    @property
    def MERGED(self) -> Mapping[str, Merge]:  # noqa: N802  (a constant of a module)
        """The merge of each table."""
        ...


class CopiedTable(NamedTuple):
    """A table of a scratch file, and the suffix of the target table."""

    table: Table
    suffix: str
    merge: Merge | None = None
    """The treatment of existing keys; None if there are none."""

    @property
    def insert(self) -> Insert:
        """Return the INSERT of one row."""
        return add_merge_clause(insert_row(self.table), self.table, self.merge)

    def insert_all(self, schema: str) -> Insert:
        """Return the INSERT of all rows of the file, which is attached under the name of a schema."""
        columns: list[ColumnClause[Any]] = [column(each.name) for each in self.table.columns]
        rows = select(table(self.table.name.strip("{}"), *columns, schema=schema))
        # Without a condition, the parser of SQLite would take ON CONFLICT for the condition of a join.
        statement = insert(self.table).from_select([each.name for each in columns], rows.where(literal(1) == 1))
        return add_merge_clause(statement, self.table, self.merge)


def add_merge_clause(statement: Insert, target: Table, merge: Merge | None) -> Insert:
    """Add the merge clause to an INSERT."""
    return statement if merge is None else statement.ext(add_where_exists(target, merge.added))


CopyTable = Callable[[CopiedTable], None]
"""Copies the rows of a table of a file."""
