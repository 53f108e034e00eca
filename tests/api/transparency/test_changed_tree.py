"""A tree file that was tampered with is neither continued nor signed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from api.transparency.errors import TreeDiffers
from api.transparency.store import TreeStore
from domain.transparency.errors import TransparencyFault
from tests.api.transparency.test_sequencer import AT, Log, sequence_all, sequencer_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tree.db"


@pytest.fixture
def log() -> Log:
    log = Log()
    log.append(*["entry"] * 300, "league.opened", "study.opened", "roles.granted", *["entry"] * 40)
    return log


def change(path: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(path) as database:
        assert database.execute(statement, values).rowcount
    database.close()


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (
            "UPDATE tiles SET hashes = zeroblob(length(hashes)) WHERE level = 0 AND number = 1",
            "has a different root than the signed one",
        ),
        (
            "UPDATE tiles SET hashes = zeroblob(length(hashes)) WHERE level = 1",
            "has a different root than the signed one",
        ),
        ("UPDATE checkpoints SET text = 'nonsense'", "three lines"),
        ("UPDATE checkpoints SET signature = 'nonsense'", "the last line has no newline"),
        ("DELETE FROM tiles WHERE level = 0 AND number = 1", "no longer has"),
        ("UPDATE checkpoints SET text = replace(text, '342', '341')", "has a different root than the signed one"),
        ("UPDATE leaves SET version = 9999 WHERE number = 341", "the log has changed since leaf 341"),
    ],
)
def test_a_tree_that_was_changed_is_neither_continued_nor_signed(
    log: Log, path: Path, statement: str, reason: str
) -> None:
    store = TreeStore(path)
    sequence_all(log, store).sign(AT)
    change(path, statement)

    with pytest.raises((TreeDiffers, TransparencyFault), match=reason):
        sequencer_of(log, store)
    store.close()


def test_a_tree_that_is_changed_while_it_is_kept_is_not_signed(log: Log, path: Path) -> None:
    store = TreeStore(path)
    sequencer = sequence_all(log, store)
    sequencer.sign(AT)
    change(path, "UPDATE tiles SET hashes = zeroblob(length(hashes)) WHERE level = 1")
    log.append("entry")
    sequencer.append_batch()

    with pytest.raises(TreeDiffers):
        sequencer.sign(AT)
    store.close()
