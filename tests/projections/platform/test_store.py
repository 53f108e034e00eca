"""The database of read models: rows and offset are written together, on SQLite and on PostgreSQL."""

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest
from sqlalchemy import Column
from sqlalchemy.schema import CreateTable

from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from projections.platform.database import ConstraintViolated, SqliteDatabase, connect_to
from projections.platform.statements import insert_row
from projections.platform.store import REBUILT, OffsetChanged, ReadStore, StoredOffset
from projections.platform.tables import BYTES, NUMBER, TEXT, read_model
from tests.open_files import is_open
from tests.seeding import entropy

OPENERS = 6
NOTES = read_model(
    "notes", Column("id", TEXT, primary_key=True), Column("size", NUMBER, nullable=False), Column("text", BYTES)
)
WRITE = insert_row(NOTES)


@pytest.fixture
def store(any_store: ReadStore) -> ReadStore:
    any_store.ensure_tables("notes", "1", (NOTES,))
    return any_store


def note_and_move(store: ReadStore, position_from: int, position_to: int) -> None:
    with store.transaction() as transaction:
        transaction.change(WRITE, id="a", size=1, text=b"x")
        transaction.move(StoredOffset("notes", "1", position_from), position_to)


def note_twice_and_move(store: ReadStore, position_from: int, position_to: int) -> None:
    with store.transaction() as transaction:
        transaction.move(StoredOffset("notes", "1", position_from), position_to)
        transaction.change(WRITE, id="a", size=1, text=b"x")
        transaction.change(WRITE, id="a", size=2, text=b"y")


def fill(database: SqliteDatabase) -> None:
    """Write more than twenty pages."""
    with database.transaction():
        for _ in range(100):
            database.change("INSERT INTO notes (text) VALUES (zeroblob(4000))")


def reads(path: Path) -> None:
    ReadStore(path).close()


def log(path: Path) -> None:
    open_store(store_env(path), entropy=entropy()).close()


@pytest.mark.parametrize("open_store", [reads, log])
def test_several_may_open_a_new_store_at_once(tmp_path: Path, open_store: Callable[[Path], None]) -> None:
    """Several processes may open it, and none gets a "locked" error."""

    def open_together(path: Path, together: Barrier) -> None:
        together.wait()
        open_store(path)

    with ThreadPoolExecutor(OPENERS) as openers:
        for number in range(20):
            together = Barrier(OPENERS)
            each = [openers.submit(open_together, tmp_path / f"{number}.db", together) for _ in range(OPENERS)]
            for opening in each:
                opening.result()


def test_data_and_position_are_written_together(store: ReadStore) -> None:
    with store.transaction() as transaction:
        transaction.change(WRITE, id="a", size=1, text=b"x")
        transaction.move(StoredOffset("notes", "1", 0), 7)

    assert store.rows("SELECT id, size, text FROM notes") == [("a", 1, b"x")]
    assert store.least_offset("notes") == 7


def test_a_failure_writes_neither_rows_nor_offset(store: ReadStore) -> None:
    with pytest.raises(ConstraintViolated):
        note_twice_and_move(store, 0, 7)

    assert store.rows("SELECT id FROM notes") == []
    assert store.least_offset("notes") == 0


def test_a_full_disk_raises_an_error_and_leaves_a_usable_database(tmp_path: Path) -> None:
    with closing(SqliteDatabase(tmp_path / "full.db")) as database:
        database.change("CREATE TABLE notes (text BLOB)")
        database.change("PRAGMA max_page_count = 20")

        with pytest.raises(sqlite3.OperationalError) as full:
            fill(database)

        assert full.value.sqlite_errorcode == sqlite3.SQLITE_FULL
        with database.transaction():
            assert database.rows("SELECT * FROM notes") == []


def test_the_second_writer_at_an_offset_writes_nothing(store: ReadStore) -> None:
    with store.transaction() as transaction:
        transaction.move(StoredOffset("notes", "1", 0), 7)

    with pytest.raises(OffsetChanged, match="notes no longer stands at position 0"):
        note_and_move(store, 0, 3)

    assert store.rows("SELECT id FROM notes") == []
    assert store.least_offsets() == {"notes": 7}


def test_connecting_to_existing_tables_does_not_wait_for_writers(fresh_postgres: str) -> None:
    with (
        closing(connect_to(fresh_postgres, "tree")) as writer,
        writer.transaction(),
        closing(connect_to(fresh_postgres, "tree")) as reader,
    ):
        assert reader.rows("SELECT current_schema()") == [("tree",)]


def test_creating_tables_again_keeps_rows(store: ReadStore) -> None:
    with store.transaction() as transaction:
        transaction.change(WRITE, id="a", size=1, text=b"x")
        transaction.move(StoredOffset("notes", "1", 0), 7)

    changes: list[str] = []
    store.ensure_tables("notes", "1", (NOTES,), announce=lambda _, change: changes.append(change))

    assert changes == []
    assert store.least_offset("notes") == 7
    assert store.rows("SELECT id FROM notes") == [("a",)]


def test_tables_of_another_shape_are_recreated(store: ReadStore) -> None:
    with store.transaction() as transaction:
        transaction.change(WRITE, id="a", size=1, text=b"x")
        transaction.move(StoredOffset("notes", "1", 0), 7)

    changes: list[tuple[str, str]] = []
    store.ensure_tables("notes", "2", (NOTES,), announce=lambda *change: changes.append(change))

    assert changes == [("notes", REBUILT)]
    assert store.least_offset("notes") == 0
    assert store.rows("SELECT id FROM notes") == []


def test_a_suffix_selects_the_tables_of_a_rebuild(store: ReadStore) -> None:
    with store.transaction("_next") as transaction:
        transaction.change(CreateTable(NOTES))
        transaction.change(WRITE, id="a", size=1, text=b"x")

    assert store.rows("SELECT id FROM notes_next") == [("a",)]
    assert store.rows("SELECT id FROM notes") == []


def test_a_store_can_be_used_again_after_closing(store: ReadStore) -> None:
    store.close()

    assert store.least_offset("notes") == 0
    store.close()


def test_the_file_of_read_models_is_accessible_to_its_owner_only(tmp_path: Path) -> None:
    """It contains the view of every seat."""
    store = ReadStore(tmp_path / "reads.db")
    store.ensure_tables("notes", "1", (NOTES,))

    files = sorted(tmp_path.glob("reads.db*"))
    assert len(files) == 3
    assert [file.stat().st_mode & 0o777 for file in files] == [0o600] * 3
    store.close()


def test_the_write_ahead_log_is_larger_only_during_rewrites(tmp_path: Path) -> None:
    """Checkpoints must be short, because a log on the same disk waits for them."""
    file = SqliteDatabase(tmp_path / "reads.db")

    def waiting(*, rewrites: bool) -> int:
        with file.transaction(rewrites=rewrites):
            return int(file.rows("PRAGMA wal_autocheckpoint")[0][0])

    assert [waiting(rewrites=each) for each in (False, True, False)] == [1_000, 4_000, 1_000]
    file.close()


def test_a_file_that_is_no_database_is_closed(tmp_path: Path) -> None:
    """The traceback of the error, which a caller may keep, refers to the connection."""
    file = tmp_path / "reads.db"
    file.write_bytes(b"no database" * 1_000)

    with pytest.raises(sqlite3.DatabaseError, match="not a database") as refused:
        SqliteDatabase(file)

    assert refused.tb is not None
    assert not is_open(file)
