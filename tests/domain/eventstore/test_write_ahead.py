"""Switching SQLite files to write-ahead logging, also concurrently."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Semaphore
from typing import Any

import pytest

from domain.eventstore.write_ahead import write_ahead


class TracedConnection(sqlite3.Connection):
    """A connection that reports every statement."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.asked = Semaphore(0)

    def execute(self, *statement: Any) -> sqlite3.Cursor:
        self.asked.release()
        return super().execute(*statement)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "new.db"


@pytest.fixture
def holder(file: Path) -> Iterator[sqlite3.Connection]:
    """Hold an exclusive lock on the file."""
    with closing(sqlite3.connect(file, isolation_level=None)) as holder:
        holder.execute("CREATE TABLE held (id INTEGER)")
        holder.execute("BEGIN EXCLUSIVE")
        yield holder


def test_a_file_that_stays_locked_is_refused(file: Path, holder: sqlite3.Connection) -> None:
    with closing(sqlite3.connect(file, timeout=0)) as other, pytest.raises(sqlite3.OperationalError, match="locked"):
        write_ahead(other, 0)


def test_a_read_only_file_is_not_retried(file: Path) -> None:
    with closing(sqlite3.connect(file)) as maker:
        maker.execute("CREATE TABLE made (id INTEGER)")
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, factory=TracedConnection)) as reader:
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            write_ahead(reader, 60)
        assert [reader.asked.acquire(blocking=False) for _ in range(2)] == [True, False]


def test_a_briefly_locked_file_is_retried(file: Path, holder: sqlite3.Connection) -> None:
    with (
        closing(sqlite3.connect(file, timeout=0, factory=TracedConnection, check_same_thread=False)) as other,
        ThreadPoolExecutor(1) as thread,
    ):
        bringing = thread.submit(write_ahead, other, 60)
        has_failed_once = all(other.asked.acquire(timeout=60) for _ in range(2))
        holder.execute("COMMIT")
        bringing.result()

        assert has_failed_once
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
