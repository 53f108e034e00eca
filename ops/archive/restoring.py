"""What an archive holds, brought back into a new folder as of one moment, so that the databases agree with each other.

The log comes first, then the tree and the people of the same moment. The tree is written after the log; the archive of
each file is written by itself, though, so that the tree may have come a moment further: then an earlier one is taken.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

from domain.matches.application import Matches
from domain.matches.store import store_env
from ops.archive.litestream import bring_back, databases, write_configuration
from ops.console import Finding
from projections.follow import MICROSECOND
from projections.settings import Settings

STEP: Final = timedelta(seconds=1)
STEPS_MAX: Final = 120
"""So far back an earlier tree or log is looked for."""
LAST: Final = "SELECT COALESCE(MAX(rowid), 0) FROM stored_events"


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


def written_before(log: Path, position: int) -> datetime:
    """The moment before the entry after a position was written."""
    matches = Matches(store_env(log), titles={})
    try:
        events = matches.happenings(position, 1)
    finally:
        matches.close()
    return events[0][1].timestamp - MICROSECOND


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
                at = written_before(Path(beside) / log, position)
        reached = earlier(configured, sources[log], folder / log, at, LAST, position)
        earlier(configured, sources[tree], folder / tree, at, "SELECT position FROM reading", reached)
        bring_back(configured, sources[people], folder / people, at)
    leaves = one_number(folder / tree, "SELECT COUNT(*) FROM leaves")
    return Restored(str(folder), at, reached, leaves, one_number(folder / people, "SELECT COUNT(*) FROM people"))


def earlier(configured: Path, source: Path, target: Path, at: datetime | None, question: str, most: int | None) -> int:
    """A database in which a number is at most so large: the newest such one not after a moment. The number."""
    for _ in range(STEPS_MAX):
        bring_back(configured, source, target, at)
        found = one_number(target, question)
        if most is None or found <= most:
            return found
        for path in (target, *(target.with_name(target.name + end) for end in ("-wal", "-shm"))):
            path.unlink(missing_ok=True)
        at = (at or newest_of(source)) - STEP
    raise Finding(f"the archive holds no {source.name} that goes with the rest")


def newest_of(source: Path) -> datetime:
    """When a file was last written to."""
    from_wal = source.with_name(source.name + "-wal")
    written = max(path.stat().st_mtime for path in (source, from_wal) if path.exists())
    return datetime.fromtimestamp(written, tz=UTC)
