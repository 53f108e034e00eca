"""Moving the tables of a file to a server in one transaction, verified by reading both again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Column, ColumnElement, MetaData, Select, Table, bindparam, func, select, tuple_

from ops.console import Finding
from ops.progress import Steps, silence
from projections.platform.database import ConstraintViolated, Database, Readable, Row, SqliteDatabase
from projections.platform.statements import ROWID, insert_row

ROWS: Final = 2_000
"""Rows in memory at a time."""
BATCH_ROWS: Final = {"photos": 20}
"""Fewer for tables with large rows."""
MOVED_SUFFIX: Final = ".moved"
FILE_SUFFIXES: Final = ("", "-wal", "-shm")


class Pages(NamedTuple):
    """Statements that read a table in batches, in order of its key."""

    first: Select[Any]
    next: Select[Any]
    """With the columns of the key as parameters."""
    key: Mapping[str, int]
    """The columns of the key, each with its index in a row."""


class TableDigest(msgspec.Struct, frozen=True):
    """The number of rows of a table and the SHA-256 of all rows in order of the key."""

    rows: int
    digest: str


class Moved(msgspec.Struct, frozen=True):
    """The result of moving a file."""

    tables: Mapping[str, TableDigest]
    was_there: bool
    """Whether all rows were already on the server, after an interrupted move."""


def copy_tables(source: SqliteDatabase, target: Database, metadata: MetaData, step: Steps = silence) -> Moved:
    """Copy these tables from a file to empty tables on a server in one transaction; read both again and compare.

    Nothing is copied if the server has the same rows already. Raises `Finding` if it has other rows or the copy
    differs. After an error or crash the server is unchanged. `step` gets the tables done.
    """
    tables = metadata.sorted_tables
    with ExitStack() as stack:
        stack.enter_context(source.transaction())
        expected = digest_tables(source, tables)
        stack.enter_context(target.transaction())
        existing = digest_tables(target, tables)
        if existing == expected and any(table.rows for table in existing.values()):
            return Moved(expected, was_there=True)
        if non_empty := [name for name, table in existing.items() if table.rows]:
            raise Finding(f"the table {non_empty[0]} on the server is not empty; nothing was written")
        for number, table in enumerate(tables):
            fill(target, table, pages(source, table))
            step(number + 1, len(tables))
        copied = digest_tables(target, tables)
        if copied != expected:
            different = next(name for name in copied if copied[name] != expected[name])
            raise Finding(f"the table {different} differs between file and server; nothing was written")
    return Moved(expected, was_there=False)


def pages_of(table: Table) -> Pages:
    """Return the statements that read a table in batches, in order of its key."""
    names, key = [column.name for column in table.columns], list(table.primary_key)
    rows = select(*table.columns).order_by(*key).limit(BATCH_ROWS.get(table.name, ROWS))
    last = (bindparam(column.name, type_=column.type) for column in key)
    return Pages(rows, rows.where(tuple_(*key) > tuple_(*last)), {each.name: names.index(each.name) for each in key})


def pages(database: Readable, table: Table) -> Iterator[list[Row]]:
    """Yield all rows in the order of the key, in lists of at most `ROWS`, or fewer for tables with large rows."""
    reading = pages_of(table)
    rows = database.rows(reading.first)
    while rows:
        yield rows
        rows = database.rows(reading.next, **{name: rows[-1][index] for name, index in reading.key.items()})


def digest_tables(database: Readable, tables: Iterable[Table]) -> dict[str, TableDigest]:
    """Count and hash all tables."""
    return {table.name: digest_table(database, table) for table in tables}


def digest_table(database: Readable, table: Table) -> TableDigest:
    """Count the rows of a table and hash them in the order of the key."""
    count, digest = 0, hashlib.sha256()
    for rows in pages(database, table):
        count += len(rows)
        for row in rows:
            digest.update(msgspec.msgpack.encode(row))
    return TableDigest(count, digest.hexdigest())


def fill(target: Database, table: Table, batches: Iterator[list[Row]]) -> None:
    """Write the rows and, if the table numbers its rows, continue the numbering after them.

    Raises `Finding` if a row violates a constraint.
    """
    names = [column.name for column in table.columns]
    insert = insert_row(table, *names)
    try:
        for rows in batches:
            target.change_all(insert, (dict(zip(names, row, strict=True)) for row in rows))
    except ConstraintViolated as taken:
        raise Finding(f"cannot write {table.name} to the server: {taken}; nothing was written") from taken
    if ROWID in table.c:
        highest = select(func.max(table.c[ROWID])).scalar_subquery()
        target.rows(set_number(table.c[ROWID], func.coalesce(highest, 1)))


def set_number(column: Column[Any], last: ColumnElement[Any]) -> Select[Any]:
    """Return the statement by which PostgreSQL continues to number the rows after this number."""
    return select(func.setval(sequence_of(column), last))


def sequence_of(column: Column[Any]) -> ColumnElement[Any]:
    """Return the name of the sequence that numbers a column in PostgreSQL."""
    return func.pg_get_serial_sequence(column.table.name, column.name)


def move_file(path: Path, source: SqliteDatabase, target: Database, metadata: MetaData, step: Steps = silence) -> Moved:
    """Copy a whole file's tables to a server, close both, and rename the file so that no process uses it further.

    The new name ends in `MOVED_SUFFIX`; SQLite's further files of it are renamed as well. Raises `Finding`, renaming
    nothing, as `copy_tables`.
    """
    with closing(source), closing(target):
        result = copy_tables(source, target, metadata, step)
    for end in FILE_SUFFIXES:
        if (part := path.with_name(path.name + end)).exists():
            part.rename(path.with_name(path.name + MOVED_SUFFIX + end))
    return result
