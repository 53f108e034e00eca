"""The log table in PostgreSQL, partitioned by hash of the stream.

Positions are ordered across all partitions: they are taken from one sequence under a lock on the parent table, held
until the end of the transaction. The uniqueness of stream versions holds per partition, because a stream is in one
partition.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from psycopg import Cursor
from psycopg.rows import DictRow
from psycopg.sql import SQL, Composed, Identifier, Literal

PARTITIONS: Final = 16
"""Number of partitions of a new store."""
OLD_TABLE_SUFFIX: Final = "_before"
COLUMNS: Final = SQL(
    "originator_id uuid NOT NULL, originator_version bigint NOT NULL, topic text, state bytea, {position},"
    " PRIMARY KEY (originator_id, originator_version)"
)
NUMBERED: Final = SQL("notification_id bigserial")
VACUUM: Final = SQL(
    " WITH (autovacuum_enabled = true, autovacuum_vacuum_threshold = 100000000, autovacuum_vacuum_scale_factor = 0.5,"
    " autovacuum_analyze_threshold = 1000, autovacuum_analyze_scale_factor = 0.01)"
)
"""The library's vacuum settings: rows are never changed or deleted."""
EXISTS: Final = "SELECT 1 AS found FROM pg_class WHERE relnamespace = %s::regnamespace AND relname = %s"
PARTS: Final = """SELECT part.relname AS name FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid
    JOIN pg_class AS whole ON whole.oid = inhparent WHERE whole.relnamespace = %s::regnamespace AND whole.relname = %s
    ORDER BY part.relname"""
CONTENT: Final = SQL(
    "SELECT count(*) AS rows, coalesce(sum(hashtextextended(each::text, 0)), 0) AS sum FROM {} AS each"
)


class CopyDiffers(Exception):
    """The partitioned copy differs from the original table; the original is unchanged."""


class RepartitionedTable(NamedTuple):
    """The number of partitions and rows of a repartitioned table."""

    partitions: int
    rows: int


class LogTable:
    """The log table, accessed through the cursor of a transaction."""

    def __init__(self, cursor: Cursor[DictRow], schema: str, name: str) -> None:
        self._cursor, self._schema, self._name = cursor, schema, name

    def _run(self, statement: str, *names: object) -> None:
        self._cursor.execute(SQL(statement).format(*names))

    def _qualified_name(self, name: str) -> Identifier:
        return Identifier(self._schema, name)

    @property
    def exists(self) -> bool:
        """Whether the table exists."""
        return self._cursor.execute(EXISTS, (self._schema, self._name)).fetchone() is not None

    def partition_names(self) -> list[str]:
        """Return the names of the partitions; empty for an unpartitioned table."""
        return [row["name"] for row in self._cursor.execute(PARTS, (self._schema, self._name))]

    def create(self, partitions: int, position: Composed | SQL = NUMBERED) -> None:
        """Create the table and its position index; with one partition it is unpartitioned, as the library creates it.

        `position` is the definition of the position column.
        """
        columns, table, index = (
            COLUMNS.format(position=position),
            self._qualified_name(self._name),
            self._index(self._name),
        )
        if partitions == 1:
            self._run("CREATE TABLE {} ({}){}", table, columns, VACUUM)
            self._run("CREATE UNIQUE INDEX {} ON {} (notification_id)", Identifier(index), table)
            return
        self._run("CREATE TABLE {} ({}) PARTITION BY HASH (originator_id)", table, columns)
        for number in range(partitions):
            part = self._qualified_name(f"{self._name}_{number}")
            values = "CREATE TABLE {} PARTITION OF {} FOR VALUES WITH (MODULUS {}, REMAINDER {}){}"
            self._run(values, part, table, Literal(partitions), Literal(number), VACUUM)
        # Not unique, because a unique index on a partitioned table must include the partition key.
        self._run("CREATE INDEX {} ON {} (notification_id)", Identifier(index), table)

    def repartition(self, partitions: int) -> RepartitionedTable:
        """Copy the rows into this many partitions under an exclusive lock, and drop the former table.

        Raise `CopyDiffers` if the copy differs; the caller's transaction must then be rolled back.
        """
        table, before = self._qualified_name(self._name), self._qualified_name(self._name + OLD_TABLE_SUFFIX)
        self._run("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE", table)
        for part in self.partition_names():
            self._run("ALTER TABLE {} RENAME TO {}", self._qualified_name(part), Identifier(part + OLD_TABLE_SUFFIX))
        index = self._index(self._name)
        self._run("ALTER INDEX {} RENAME TO {}", self._qualified_name(index), Identifier(index + OLD_TABLE_SUFFIX))
        self._run("ALTER TABLE {} RENAME TO {}", table, Identifier(self._name + OLD_TABLE_SUFFIX))
        # Numbering continues, because the sequence is kept.
        sequence = self._qualified_name(f"{self._name}_notification_id_seq")
        number_column = SQL("notification_id bigint NOT NULL DEFAULT nextval({})")
        self.create(partitions, number_column.format(Literal(sequence.as_string())))
        self._run("ALTER SEQUENCE {} OWNED BY {}.notification_id", sequence, table)
        self._run("INSERT INTO {} SELECT * FROM {}", table, before)
        rows = self._content(table)
        if rows != self._content(before):
            raise CopyDiffers(f"{self._name} differs in {partitions} partitions; it was left unchanged")
        self._run("DROP TABLE {}", before)
        return RepartitionedTable(partitions, rows["rows"])

    def _content(self, table: Identifier) -> DictRow:
        row = self._cursor.execute(CONTENT.format(table)).fetchone()
        assert row is not None
        return row

    @staticmethod
    def _index(name: str) -> str:
        return f"{name}_notification_id_idx"
