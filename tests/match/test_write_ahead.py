"""Files of SQLite are brought to write-ahead by whoever opens them, and several may be the first."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier, Semaphore
from typing import Any

import pytest

from domain.match.application import Matches
from domain.match.store import store_env
from domain.match.write_ahead import write_ahead

OPENERS = 4


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "new.db"


@pytest.fixture
def holder(file: Path) -> Iterator[sqlite3.Connection]:
    """Somebody who has the whole file."""
    with closing(sqlite3.connect(file, isolation_level=None)) as holder:
        holder.execute("CREATE TABLE held (id INTEGER)")
        holder.execute("BEGIN EXCLUSIVE")
        yield holder


def test_a_file_that_stays_locked_is_refused(file: Path, holder: sqlite3.Connection) -> None:
    with closing(sqlite3.connect(file, timeout=0)) as other, pytest.raises(sqlite3.OperationalError, match="locked"):
        write_ahead(other, 0)


class Asking(sqlite3.Connection):
    """Says every time that something is asked of the file."""

    asked = Semaphore(0)

    def execute(self, *statement: Any) -> sqlite3.Cursor:
        self.asked.release()
        return super().execute(*statement)


def test_a_file_that_is_locked_for_a_moment_is_asked_again(file: Path, holder: sqlite3.Connection) -> None:
    def brought() -> str:
        with closing(sqlite3.connect(file, timeout=0, factory=Asking)) as other:
            write_ahead(other, 60)
            return str(other.execute("PRAGMA journal_mode").fetchone()[0])

    with ThreadPoolExecutor(1) as thread:
        bringing = thread.submit(brought)
        has_failed_once = all(Asking.asked.acquire(timeout=60) for _ in range(2))
        holder.execute("COMMIT")

        assert (has_failed_once, bringing.result()) == (True, "wal")


def test_several_may_open_a_new_log_at_once(tmp_path: Path) -> None:
    def opened(path: Path, together: Barrier) -> None:
        together.wait()
        Matches(store_env(path)).close()

    with ThreadPoolExecutor(OPENERS) as openers:
        for number in range(20):
            together = Barrier(OPENERS)
            each = [openers.submit(opened, tmp_path / f"{number}.db", together) for _ in range(OPENERS)]
            for opening in each:
                opening.result()
