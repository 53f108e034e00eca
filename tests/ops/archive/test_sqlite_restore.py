"""Restored databases are consistent, even if only the archive is left."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ops.archive.sqlite_restore import TREE_POSITION_QUERY, position_of, restore_earlier, time_of_last_entry
from ops.archive.verification import damage, prove
from ops.console import Finding
from ops.progress import silence
from projections.platform.settings import Settings
from tests.projections.tables import BOT, START, matches_in, open_started_match

JUNK = b"no database " * 1_000
LAST = datetime(2026, 1, 1, tzinfo=UTC)


def tree_of(position_at: Callable[[datetime], int]) -> Callable[[Path, datetime | None], None]:
    """Return the restoration of a tree that had reached `position_at` at each moment."""

    def restore(target: Path, at: datetime | None) -> None:
        with closing(sqlite3.connect(target)) as tree:
            tree.execute("CREATE TABLE reading (id INTEGER, position INTEGER)")
            tree.execute("INSERT INTO reading VALUES (1, ?)", (position_at(at or LAST + timedelta(seconds=2)),))
            tree.commit()

    return restore


def test_a_tree_ahead_of_the_log_is_restored_from_an_earlier_moment(tmp_path: Path) -> None:
    tree = tree_of(lambda at: 100 + (at - LAST) // timedelta(seconds=1))

    assert restore_earlier(tree, tmp_path / "tree.db", None, TREE_POSITION_QUERY, 100, lambda: LAST) == 99
    assert restore_earlier(tree, tmp_path / "same.db", LAST, TREE_POSITION_QUERY, 97, lambda: LAST) == 97


def test_a_tree_that_never_fits_the_log_is_reported(tmp_path: Path) -> None:
    with pytest.raises(Finding, match=r"the archive has no tree\.db that is consistent with the other databases"):
        restore_earlier(tree_of(lambda _: 101), tmp_path / "tree.db", None, TREE_POSITION_QUERY, 100, lambda: LAST)


def test_an_empty_tree_fits_every_log(tmp_path: Path) -> None:
    def restore(target: Path, _: datetime | None) -> None:
        with closing(sqlite3.connect(target)) as tree:
            tree.execute("CREATE TABLE reading (id INTEGER, position INTEGER)")

    assert restore_earlier(restore, tmp_path / "tree.db", None, TREE_POSITION_QUERY, 0, lambda: LAST) == 0


def test_the_end_of_the_log_is_read_from_the_log(tmp_path: Path) -> None:
    with matches_in(tmp_path / "log.db") as matches:
        open_started_match(matches, 1, (BOT, BOT))

    assert position_of(tmp_path / "log.db") > 1
    assert time_of_last_entry(tmp_path / "log.db") == START


def test_a_restored_file_that_is_no_database_is_reported(tmp_path: Path) -> None:
    def restore(target: Path, _: datetime | None) -> None:
        target.write_bytes(JUNK)

    with pytest.raises(Finding, match=r"cannot read the restored tree\.db: file is not a database"):
        restore_earlier(restore, tmp_path / "tree.db", None, TREE_POSITION_QUERY, 100, lambda: LAST)


def test_damaged_files_are_faults(tmp_path: Path) -> None:
    """A damaged page of the log, and a tree and accounts that are no databases."""
    with closing(sqlite3.connect(tmp_path / "log.db")) as log:
        log.execute("CREATE TABLE stored_events (originator_id TEXT)")
        log.executemany("INSERT INTO stored_events VALUES (?)", [("x" * 100,)] * 1_000)
        log.commit()
    content = bytearray((tmp_path / "log.db").read_bytes())
    content[8_192:12_288] = bytes(4_096)
    (tmp_path / "log.db").write_bytes(content)
    for name in ("tree.db", "people.db"):
        (tmp_path / name).write_bytes(JUNK)
    restored = Settings(data=tmp_path)

    proof = prove(restored, restored, None, silence)

    assert not proof.is_good
    assert {fault.partition(":")[0] for fault in proof.faults} == {"log.db", "tree.db", "people.db"}
    assert damage(tmp_path / "people.db") == ["people.db: file is not a database"]
