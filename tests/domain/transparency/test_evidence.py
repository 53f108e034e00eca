"""Evidence against a log: what each kind proves, and files that prove nothing. Leaves that no log may have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pytest

from domain.kernel.values import replace
from domain.transparency.announcements import FORMAT, Announcement, FormatChanged, LogBegun, encode_announcement
from domain.transparency.checkpoints import Checkpoint
from domain.transparency.errors import FalseProof, Malformed, NotSigned, TransparencyFault
from domain.transparency.evidence import FORMAT as EVIDENCE
from domain.transparency.evidence import Evidence, EvidentLeaf, check_evidence, encode_evidence, parse_evidence
from domain.transparency.keys import Signer
from domain.transparency.leaf_rules import read_leaf
from domain.transparency.merkle import leaf_hash
from domain.transparency.notes import Note
from domain.transparency.tiles import GrowingTree, Tiles

LOG: Final = Signer("log.example/tlog", b"\x01" * 32)
LABELS: Final = FormatChanged(FORMAT, LOG.key.name, "0a" * 32)
ANNOUNCED: Final = encode_announcement(LABELS)
PLAIN: Final = bytes(32)
FIRST: Final = bytes([7] * 32 + [1] * 32)
SECOND: Final = bytes([7] * 32 + [2] * 32)
OTHER: Final = bytes([8] * 32 + [2] * 32)
LEAVES: Final = (PLAIN, ANNOUNCED, FIRST, OTHER, SECOND)


class SmallTree:
    """A signed tree with these leaves."""

    def __init__(self, *leaves: bytes) -> None:
        self.leaves, growth = leaves, GrowingTree(0, {})
        growth.add([leaf_hash(leaf) for leaf in leaves])
        tiles = growth.take_changed_tiles()
        self.tiles = Tiles(lambda level, number: tiles.get((level, number)))

    def note(self, signer: Signer = LOG) -> str:
        text = Checkpoint(LOG.key.name, len(self.leaves), self.tiles.root(len(self.leaves))).text
        return str(Note(text, (signer.sign(text),)))

    def evident(self, index: int) -> EvidentLeaf:
        path = self.tiles.inclusion(index, len(self.leaves))
        return EvidentLeaf(index, self.leaves[index].hex(), tuple(each.hex() for each in path))

    def evidence(self, kind: str, *indices: int) -> Evidence:
        leaves = tuple(map(self.evident, indices))
        return Evidence(EVIDENCE, kind, "", (str(LOG.key),), (self.note(),), leaves)


TREE: Final = SmallTree(*LEAVES)


def two_trees(first: SmallTree, second: SmallTree, kind: str = "two_trees", **parts: Any) -> Evidence:
    keys, size = (str(LOG.key),) * 2, len(first.leaves)
    path = tuple(each.hex() for each in second.tiles.consistency(size, len(second.leaves)))
    found = Evidence(EVIDENCE, kind, "", keys, (first.note(), second.note()), (), second.tiles.root(size).hex(), path)
    return replace(found, **parts)


def why_nothing(evidence: Evidence) -> str:
    with pytest.raises(TransparencyFault) as raised:
        check_evidence(evidence)
    return str(raised.value)


def test_evidence_round_trips() -> None:
    evidence = TREE.evidence("double_label", 1, 2, 4)

    assert parse_evidence(encode_evidence(evidence)) == evidence


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff", b"[" * 9_999, b'{"format":"x"}', b" " * 1_000_001])
def test_other_files_are_no_evidence(data: bytes) -> None:
    with pytest.raises(Malformed):
        parse_evidence(data)
    with pytest.raises(Malformed, match=r"the format 'x' must be esporles\.evidence/1"):
        parse_evidence(encode_evidence(replace(TREE.evidence("leaf", 1), format="x")))


def test_two_leaves_with_one_label() -> None:
    assert check_evidence(TREE.evidence("double_label", 1, 2, 4)) == (
        "log.example/tlog has signed two leaves for one entry or record: 2 and 4"
    )
    assert "different labels" in why_nothing(TREE.evidence("double_label", 1, 2, 3))
    assert "does not announce labels" in why_nothing(TREE.evidence("double_label", 0, 2, 4))
    assert "does not announce labels" in why_nothing(TREE.evidence("double_label", 1, 4, 2))
    assert "needs the announcement" in why_nothing(TREE.evidence("double_label", 1, 2))
    twice = SmallTree(ANNOUNCED, encode_announcement(LogBegun("x")), ANNOUNCED)
    assert "only the first leaf" in why_nothing(twice.evidence("double_label", 0, 1, 2))


def test_equal_contents_without_labels_are_no_fraud() -> None:
    begun = encode_announcement(LogBegun("a new tree"))
    tree = SmallTree(begun, ANNOUNCED, FIRST)

    assert "does not announce labels" in why_nothing(tree.evidence("double_label", 0, 1, 2))


@pytest.mark.parametrize(
    ("leaves", "indices", "reason"),
    [
        ((ANNOUNCED, PLAIN), (0, 1), "it has 32 bytes, expected 64"),
        ((ANNOUNCED, ANNOUNCED), (0, 1), "labels were announced before, at leaf 0"),
        ((b"short",), (0,), "it has 5 bytes, expected 32"),
        ((PLAIN, encode_announcement(LogBegun("late"))), (1,), "only the first leaf announces the beginning"),
        ((ANNOUNCED[:-1],), (0,), "an announcement of the log cannot be read"),
    ],
)
def test_a_wrong_leaf(leaves: Sequence[bytes], indices: Sequence[int], reason: str) -> None:
    proven = check_evidence(SmallTree(*leaves).evidence("leaf", *indices))

    assert f"has signed a tree with the wrong leaf {indices[-1]}: " in proven
    assert reason in proven


@pytest.mark.parametrize(
    ("indices", "why"),
    [
        ((0,), "the leaf 0 may be valid"),
        ((1,), "the leaf 1 may be valid"),
        ((2,), "the leaf 2 may be valid"),
        ((1, 2), "the leaf 2 may be valid"),
        ((0, 2), "does not announce labels"),
        ((1, 0), "does not announce labels"),
        ((), "needs itself"),
        ((1, 2, 3), "needs itself"),
    ],
)
def test_a_leaf_that_may_be_valid_is_no_evidence(indices: Sequence[int], why: str) -> None:
    assert why in why_nothing(TREE.evidence("leaf", *indices))


def test_a_leaf_outside_the_tree_is_no_evidence() -> None:
    evidence = TREE.evidence("leaf", 1)
    (leaf,) = evidence.leaves

    assert "does not lead to the root" in why_nothing(replace(evidence, leaves=(replace(leaf, content=PLAIN.hex()),)))
    assert "is not hexadecimal" in why_nothing(replace(evidence, leaves=(replace(leaf, content="x"),)))
    assert "the proof is too long" in why_nothing(replace(evidence, leaves=(replace(leaf, path=("00",) * 64),)))


def test_two_trees() -> None:
    forged = SmallTree(PLAIN, ANNOUNCED, OTHER, OTHER, SECOND)
    longer = SmallTree(*forged.leaves, bytes(64))

    assert check_evidence(two_trees(TREE, forged)) == "log.example/tlog has signed two trees of 5 leaves"
    assert check_evidence(two_trees(TREE, longer)) == (
        "log.example/tlog has signed a tree of 5 leaves that is no prefix of its tree of 6"
    )
    assert "same root" in why_nothing(two_trees(TREE, TREE))
    assert "is a prefix" in why_nothing(two_trees(forged, longer))
    assert "no prefix of 6" in why_nothing(two_trees(TREE, longer, checkpoints=(longer.note(), TREE.note())))


def test_a_rollback_names_both_sizes() -> None:
    longer = SmallTree(*LEAVES, bytes(64))

    assert check_evidence(two_trees(TREE, longer, "rollback")) == (
        "log.example/tlog has signed trees of 5 and 6 leaves; which it showed later is not signed"
    )
    assert "same size" in why_nothing(two_trees(TREE, TREE, "rollback"))


def test_evidence_needs_the_signatures_of_the_log() -> None:
    evidence, thief = TREE.evidence("double_label", 1, 2, 4), Signer(LOG.key.name, b"\x05" * 32)

    with pytest.raises(NotSigned):
        check_evidence(replace(evidence, checkpoints=(TREE.note(thief),)))
    assert "is from 'log.example/tlog', not from 'other'" in why_nothing(
        replace(evidence, keys=(str(other := Signer("other", b"\x01" * 32).key),), checkpoints=(resigned(other.name),))
    )
    assert "1 checkpoints have 0 keys" in why_nothing(replace(evidence, keys=()))
    assert "must have checkpoints of one log: 2" in why_nothing(replace(evidence, kind="two_trees"))
    assert "has not signed what it returned" in why_nothing(replace(evidence, kind="served"))


def resigned(name: str) -> str:
    """Return the checkpoint of the tree with a signature under another name."""
    text = Checkpoint(LOG.key.name, 5, TREE.tiles.root(5)).text
    return str(Note(text, (Signer(name, b"\x01" * 32).sign(text),)))


@pytest.mark.parametrize(
    ("number", "announcement", "labelled_from", "expected"),
    [
        (1, LogBegun("late"), None, "only the first leaf announces the beginning of a log"),
        (5, LABELS, 2, "labels were announced before, at leaf 2"),
        (5, replace(LABELS, format=3), None, "it announces the format 3, expected 2 and a key of labels"),
        (5, replace(LABELS, vrf="xx"), None, "expected 2 and a key of labels"),
    ],
)
def test_announcements_that_a_log_may_not_make(
    number: int, announcement: Announcement, labelled_from: int | None, expected: str
) -> None:
    with pytest.raises(Malformed, match=expected):
        read_leaf(number, encode_announcement(announcement), labelled_from)


def test_leaves_have_labels_after_the_announcement() -> None:
    assert read_leaf(0, PLAIN, None).label == b""
    assert read_leaf(0, encode_announcement(LogBegun("new")), None).announcement == LogBegun("new")
    assert read_leaf(1, ANNOUNCED, None).begins_labels
    assert read_leaf(2, FIRST, 1).label == bytes([7] * 32)
    with pytest.raises(Malformed, match="it has 64 bytes, expected 32"):
        read_leaf(2, FIRST, None)


def test_a_false_prefix_is_no_evidence() -> None:
    longer = SmallTree(PLAIN, ANNOUNCED, OTHER, OTHER, SECOND, bytes(64))

    with pytest.raises(FalseProof, match="is not a prefix"):
        check_evidence(two_trees(TREE, longer, prefix=bytes(32).hex()))
