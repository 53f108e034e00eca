"""What an archive holds, brought back into a new folder as of one moment, so that the databases agree with each other.

The log comes first, then the tree and the people of the same moment. The tree is written after the log; the archive of
each file is written by itself, though, so that the tree may have come a moment further: then an earlier one is taken.
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
from ops.archive.litestream import bring_back, databases, write_configuration
from ops.console import Finding
from projections.follow import MICROSECOND
from projections.platform.settings import Settings

STEP: Final = timedelta(seconds=1)
STEPS_MAX: Final = 120
"""So far back an earlier tree or log is looked for."""
LAST: Final = "SELECT COALESCE(MAX(rowid), 0) FROM stored_events"
TAKEN_UP: Final = "SELECT COALESCE(MAX(position), 0) FROM reading"
"""How far the tree has read the log."""

Bring = Callable[[Path, datetime | None], None]
"""Brings a database back to a path as of a moment, or as it was last archived."""


class Restored(msgspec.Struct, frozen=True, rename="camel"):
    """What was brought back: the moment that was asked for, and how far the log and the tree reach."""

    folder: str
    at: datetime | None
    position: int
    leaves: int
    people: int


def one_number(path: Path, question: str) -> int:
    """The answer of a database that nobody else has open."""
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute(question).fetchone()[0])


def position_of(log: Path) -> int:
    """The position of its newest entry."""
    return one_number(log, LAST)


def written_after(log: Path, position: int) -> datetime:
    """When the entry after a position was written."""
    matches = open_store(store_env(log), titles={})
    try:
        events = matches.happenings(position, 1)
    finally:
        matches.close()
    if not events:
        raise Finding(f"the archive holds nothing of {log.name} after position {position:,}")
    return events[0][1].timestamp


def written_last(log: Path) -> datetime:
    """When the newest entry of a log was written. The log says it, because the disk of the house may be lost."""
    return written_after(log, position_of(log) - 1)


def restore(settings: Settings, place: str, folder: Path, at: datetime | None, position: int | None) -> Restored:
    """Brings everything back into a folder that holds nothing."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    sources = databases(settings)
    log, tree, people = sources
    with TemporaryDirectory() as beside:
        configured = write_configuration(settings, place, Path(beside) / "archive.yml")
        if position is not None:
            bring_back(configured, sources[log], Path(beside) / log, at)
            if position_of(Path(beside) / log) > position:
                at = written_after(Path(beside) / log, position) - MICROSECOND
        bring = {name: partial(bring_back, configured, path) for name, path in sources.items()}
        last = partial(written_last, folder / log)
        reached = earlier(bring[log], folder / log, at, LAST, position, last)
        earlier(bring[tree], folder / tree, at, TAKEN_UP, reached, last)
        bring[people](folder / people, at)
    leaves = one_number(folder / tree, "SELECT COUNT(*) FROM leaves")
    return Restored(str(folder), at, reached, leaves, one_number(folder / people, "SELECT COUNT(*) FROM people"))


def earlier(
    bring: Bring, target: Path, at: datetime | None, question: str, most: int | None, last: Callable[[], datetime]
) -> int:
    """A database in which a number is at most so large: the newest such one not after a moment. The number. Where no
    moment is asked for, one goes back from that of the last entry."""
    for _ in range(STEPS_MAX):
        bring(target, at)
        found = one_number(target, question)
        if most is None or found <= most:
            return found
        at = (at or last()) - STEP
        for path in (target, *(target.with_name(target.name + end) for end in ("-wal", "-shm"))):
            path.unlink(missing_ok=True)
    raise Finding(f"the archive holds no {target.name} that goes with the rest")
