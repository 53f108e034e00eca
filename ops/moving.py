"""Tables of a file taken to a server: all in one transaction, and proven by reading both again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

import msgspec

from ops.console import Finding
from ops.progress import Steps, silence
from projections.platform.database import Database, Readable, Row, SqliteDatabase, Taken

ROWS: Final = 2_000
"""So many rows are in memory at a time."""
OF_TABLES: Final = {"photos": 20}
"""Where a row is large, so many."""
MOVED: Final = ".moved"
BESIDE: Final = ("", "-wal", "-shm")
NUMBER: Final = "rowid"

Keys = Mapping[str, Sequence[str]]
"""Tables in an order in which they can be filled, each with the columns that tell its rows apart."""


class Counted(msgspec.Struct, frozen=True):
    """A table as it was read: how many rows, and the SHA-256 of all of them in the order of their keys."""

    rows: int
    digest: str


class Moved(msgspec.Struct, frozen=True):
    """What became of a file."""

    tables: Mapping[str, Counted]
    was_there: bool
    """Everything was at the server already, row by row: an earlier move was interrupted after its end."""


def copy_tables(source: SqliteDatabase, target: Database, keys: Keys, step: Steps = silence) -> Moved:
    """Everything in these tables, from a file to the empty tables of a server; nobody writes to either meanwhile.
    `Finding` where the server has something else already; then, and after a kill at any moment, it stays as it is."""
    columns = {table: columns_of(source, target, table) for table in keys}
    with ExitStack() as stack:
        stack.enter_context(source.transaction())
        wanted = {table: counted(source, table, columns[table], keys[table]) for table in keys}
        stack.enter_context(target.transaction())
        there = {table: counted(target, table, columns[table], keys[table]) for table in keys}
        if there == wanted and any(table.rows for table in there.values()):
            return Moved(wanted, was_there=True)
        if full := [table for table in keys if there[table].rows]:
            raise Finding(f"the server has {full[0]} of its own: only what is empty is moved to; nothing was written")
        for number, table in enumerate(keys):
            fill(target, table, columns[table], pages(source, table, columns[table], keys[table]))
            step(number + 1, len(keys))
        found = {table: counted(target, table, columns[table], keys[table]) for table in keys}
        if found != wanted:
            different = next(table for table in keys if found[table] != wanted[table])
            raise Finding(f"{different} is not the same at the server as in the file; nothing was written")
    return Moved(wanted, was_there=False)


def columns_of(source: SqliteDatabase, target: Database, table: str) -> list[str]:
    """The columns of a table of the file; with the number of a row where the server keeps it as a column."""
    named = [name for (name,) in source.rows("SELECT name FROM pragma_table_info(?) ORDER BY cid", (table,))]
    sql = (
        "SELECT count(*) FROM information_schema.columns"
        " WHERE table_schema = current_schema() AND table_name = ? AND column_name = ?"
    )
    is_numbered = target.rows(sql, (table, NUMBER)) == [(1,)]
    return [*named, NUMBER] if is_numbered and NUMBER not in named else named


def pages(database: Readable, table: str, columns: Sequence[str], key: Sequence[str]) -> Iterator[list[Row]]:
    """All rows in the order of the key, some at a time."""
    places, last, most = ", ".join("?" for _ in key), Row(), OF_TABLES.get(table, ROWS)
    order = ", ".join(key)
    while True:
        after = f" WHERE ({order}) > ({places})" if last else ""
        sql = f"SELECT {', '.join(columns)} FROM {table}{after} ORDER BY {order} LIMIT {most}"  # noqa: S608  (names of ours)
        rows = database.rows(sql, last)
        if not rows:
            return
        yield rows
        last = tuple(rows[-1][columns.index(name)] for name in key)


def counted(database: Readable, table: str, columns: Sequence[str], key: Sequence[str]) -> Counted:
    count, digest = 0, hashlib.sha256()
    for rows in pages(database, table, columns, key):
        count += len(rows)
        for row in rows:
            digest.update(msgspec.msgpack.encode(row))
    return Counted(count, digest.hexdigest())


def fill(target: Database, table: str, columns: Sequence[str], found: Iterator[list[Row]]) -> None:
    """The rows, and the next number after theirs."""
    places = ", ".join("?" for _ in columns)
    sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})"  # noqa: S608  (names of ours)
    try:
        for rows in found:
            target.change_all(sql, rows)
    except Taken as taken:
        raise Finding(f"{table} cannot be written to the server: {taken}; nothing was written") from taken
    if NUMBER in columns:
        highest = f"(SELECT max({NUMBER}) FROM {table})"  # noqa: S608
        target.rows(f"SELECT setval(pg_get_serial_sequence('{table}', '{NUMBER}'), coalesce({highest}, 1))")


def move_file(path: Path, source: SqliteDatabase, target: Database, keys: Keys, step: Steps = silence) -> Moved:
    """The same of a whole file, which is put aside at the end, so that nobody goes on with it."""
    with closing(source), closing(target):
        moved = copy_tables(source, target, keys, step)
    for end in BESIDE:
        if (part := path.with_name(path.name + end)).exists():
            part.rename(path.with_name(path.name + MOVED + end))
    return moved
