"""Damaged files of read models are set aside, not deleted; intact ones stay."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Column

from projections.platform.damaged_files import is_readable, set_aside_unreadable
from projections.platform.setting_values import SQLITE
from projections.platform.statements import insert_row
from projections.platform.store import ReadStore
from projections.platform.tables import NUMBER, TEXT, read_model

PAGES = read_model("pages", Column("id", NUMBER, primary_key=True), Column("view", TEXT))


def create_store(path: Path) -> None:
    """Create a store with some pages."""
    store = ReadStore(path)
    store.ensure_tables("pages", "1", (PAGES,))
    with store.transaction() as transaction:
        for number in range(400):
            transaction.change(insert_row(PAGES), id=number, view="x" * 400)
    store.close()
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def damage(path: Path, how: str) -> None:
    content = bytearray(path.read_bytes())
    if how == "garbage":
        content[:] = b"no database " * 1_000
    elif how == "page":
        content[8_192:28_672] = bytes(20_480)
    else:
        del content[len(content) // 2 :]
    path.write_bytes(content)


@pytest.mark.parametrize("how", ["garbage", "page", "cut"])
def test_a_damaged_file_is_set_aside_and_nothing_is_lost(tmp_path: Path, how: str) -> None:
    path = tmp_path / "reads.db"
    for number in (1, 2):
        create_store(path)
        damage(path, how)
        content = path.read_bytes()

        aside = set_aside_unreadable(f"{SQLITE}{path}")

        assert aside == tmp_path / f"reads.db.unreadable-{number}"
        assert (aside.read_bytes(), path.exists()) == (content, False)


def test_intact_locked_and_missing_files_stay(tmp_path: Path) -> None:
    path = tmp_path / "reads.db"
    assert set_aside_unreadable(str(path)) is None
    assert set_aside_unreadable("postgresql://nobody@/nowhere") is None
    create_store(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert set_aside_unreadable(str(path)) is None
    assert is_readable(path)


def test_only_the_catalogue_of_a_large_file_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "reads.db"
    create_store(path)
    assert is_readable(path, 0)
    damage(path, "garbage")
    assert not is_readable(path, 0)


def test_an_empty_file_is_a_database_without_tables(tmp_path: Path) -> None:
    path = tmp_path / "reads.db"
    path.touch()
    assert is_readable(path)
