"""Consistent restoration of an archive of SQLite files into a new folder as of one moment.

The log is restored before the tree and the accounts of the same moment. The tree is written after the log, but files
are archived independently, so the archived tree may be ahead; then an earlier one is restored.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from ops.archive.litestream import databases, restore_database, write_configuration
from ops.console import Finding
from projections.follow import MICROSECOND
from projections.platform.settings import Settings

STEP: Final = timedelta(seconds=1)
STEPS_MAX: Final = 120
"""Seconds by which an earlier tree or log may be needed."""
LAST_ROW_QUERY: Final = "SELECT COALESCE(MAX(rowid), 0) FROM stored_events"
TREE_POSITION_QUERY: Final = "SELECT COALESCE(MAX(position), 0) FROM reading"
"""The position up to which the tree includes the log."""

RestoreDatabase = Callable[[Path, datetime | None], None]
"""Restores a database to a path as of a moment, or its last state."""


class Restored(msgspec.Struct, frozen=True, rename="camel"):
    """The restored data: requested moment, and extent of the log and the tree."""

    folder: str
    at: datetime | None
    position: int
    leaves: int
    people: int


def read_number(path: Path, question: str) -> int:
    """Return the result of a query on a database that no other process uses; raise `Finding` if it is unreadable."""
    try:
        with closing(sqlite3.connect(path)) as connection:
            return int(connection.execute(question).fetchone()[0])
    except sqlite3.DatabaseError as error:
        raise Finding(f"cannot read the restored {path.name}: {error}") from error


def position_of(log: Path) -> int:
    """Return the position of the latest entry; raise `Finding` if the log is unreadable."""
    return read_number(log, LAST_ROW_QUERY)


def time_after(log: Path, position: int) -> datetime:
    """Return the time of the first entry after a position; raise `Finding` if there is none."""
    matches = open_store(store_env(log), titles={})
    try:
        events = matches.read_log_items(position, 1)
    finally:
        matches.close()
    if not events:
        raise Finding(f"the archive has no entries in {log.name} after position {position:,}")
    return events[0][1].timestamp


def time_of_last_entry(log: Path) -> datetime:
    """Return the time of the latest entry from the log itself, because the original disk may be lost.

    Raises `Finding` if the log is empty.
    """
    return time_after(log, position_of(log) - 1)


def restore(settings: Settings, archive: str, folder: Path, at: datetime | None, position: int | None) -> Restored:
    """Restore log, tree and accounts into a folder, as of a time and up to a log position, if these are given.

    The tree never includes more than the restored log. Raises `Finding` if the archive has no such states, a restored
    database is unreadable or a target exists, `WrongUsage` unless all databases are files.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    sources = databases(settings)
    log, tree, people = sources
    with TemporaryDirectory() as scratch:
        configured = write_configuration(settings, archive, Path(scratch) / "archive.yml")
        if position is not None:
            restore_database(configured, sources[log], Path(scratch) / log, at)
            if position_of(Path(scratch) / log) > position:
                at = time_after(Path(scratch) / log, position) - MICROSECOND
        restorers = {name: partial(restore_database, configured, path) for name, path in sources.items()}
        last = partial(time_of_last_entry, folder / log)
        restored_position = restore_earlier(restorers[log], folder / log, at, LAST_ROW_QUERY, position, last)
        restore_earlier(restorers[tree], folder / tree, at, TREE_POSITION_QUERY, restored_position, last)
        restorers[people](folder / people, at)
    leaves = read_number(folder / tree, "SELECT COUNT(*) FROM leaves")
    return Restored(
        str(folder), at, restored_position, leaves, read_number(folder / people, "SELECT COUNT(*) FROM people")
    )


def restore_earlier(
    restore_to: RestoreDatabase,
    target: Path,
    at: datetime | None,
    question: str,
    limit: int | None,
    last: Callable[[], datetime],
) -> int:
    """Restore the latest state up to `at` in which the number that `question` selects is at most `limit`; return it.

    With None for `limit` every state fits. Goes back second by second, without `at` from the time of the last entry,
    and deletes states that do not fit; raises `Finding` after `STEPS_MAX` steps, or for an unreadable database.
    """
    for _ in range(STEPS_MAX):
        restore_to(target, at)
        number = read_number(target, question)
        if limit is None or number <= limit:
            return number
        at = (at or last()) - STEP
        for path in (target, *(target.with_name(target.name + end) for end in ("-wal", "-shm"))):
            path.unlink(missing_ok=True)
    raise Finding(f"the archive has no {target.name} that is consistent with the other databases")
