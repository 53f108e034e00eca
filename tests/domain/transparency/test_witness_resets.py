"""Resets of a witness: only the root key of the log replaces its key and takes a tree back."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import pytest

from domain.transparency.key_notes import KeyChange
from domain.transparency.witness_resets import LogOfWitness, check_reset, keys_after, tree_after
from domain.transparency.witnessing import CosignRefusal, SeenTree
from tests.domain.transparency.key_holders import (
    BEGIN,
    GOOD_ROOT,
    ORIGIN,
    OVERLAP,
    change,
    log_key,
    naming,
    root_key,
    signer_named,
)

OLD, NEW, ROOT = log_key(0), log_key(1), root_key()
LOGS: Final = {ORIGIN: LogOfWitness((OLD.key,), (root_key(3).key, ROOT.key))}
STOLEN: Final = KeyChange(OLD.key, NEW.key, "stolen", 12, GOOD_ROOT)
PLANNED: Final = KeyChange(OLD.key, NEW.key, "planned", 12, GOOD_ROOT, BEGIN + OVERLAP)


@pytest.mark.parametrize("expected", [STOLEN, PLANNED])
def test_a_change_signed_with_the_root_key_is_accepted(expected: KeyChange) -> None:
    assert check_reset(change(OLD, NEW, ROOT, 12, expected.reason).encode(), LOGS) == expected


@pytest.mark.parametrize(
    ("note", "status", "why"),
    [
        ("nonsense", 400, "no empty line"),
        (naming(OLD, ROOT), 400, "the note names a root key"),
        (change(log_key(0, "other"), log_key(1, "other"), ROOT, 12), 404, "does not watch this log"),
        (change(OLD, signer_named("renamed", "log key 1"), ROOT, 12), 404, "does not watch this log"),
        (change(OLD, NEW, root_key(66), 12, "stolen"), 403, "not signed with a root key that this witness knows"),
        (change(NEW, log_key(2), ROOT, 12), 409, f"the log does not have the key {NEW.key}"),
    ],
)
def test_every_other_request_is_refused(note: str, status: int, why: str) -> None:
    """Trust row: the thief of the log's key cannot reset a witness."""
    refusal = check_reset(note.encode(), LOGS)

    assert isinstance(refusal, CosignRefusal)
    assert (refusal.status, why in refusal.reason) == (status, True)


def test_a_stolen_key_ends_at_once_and_a_replaced_one_after_its_overlap() -> None:
    assert keys_after([OLD.key], [STOLEN], BEGIN) == (NEW.key,)
    assert keys_after([OLD.key], [PLANNED], BEGIN) == (OLD.key, NEW.key)
    assert keys_after([OLD.key], [PLANNED], BEGIN + OVERLAP + timedelta(seconds=1)) == (NEW.key,)
    # The list of the operator may have the new key already.
    assert keys_after([NEW.key], [STOLEN], BEGIN) == (NEW.key,)


def test_only_a_loss_or_theft_takes_a_larger_or_another_tree_back() -> None:
    """A thief may have added a leaf at the same time as the service, so that both trees have the same size."""
    other_root = b"\x01" * 32
    larger, other = SeenTree(30, other_root), SeenTree(12, other_root)

    assert tree_after(larger, STOLEN) == tree_after(other, STOLEN) == SeenTree(12, GOOD_ROOT)
    assert tree_after(SeenTree(12, GOOD_ROOT), STOLEN) is None
    assert tree_after(SeenTree(11, other_root), STOLEN) is None
    assert tree_after(larger, PLANNED) is None
