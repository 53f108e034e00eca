"""Labels of leaves: announced once, one for each event, by the key of the service."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from api.transparency.errors import TreeDiffers
from api.transparency.labels import ExpectedLabels, label_of
from api.transparency.sequencer import Sequencer
from api.transparency.store import TreeStore
from domain.transparency.announcements import FormatChanged, encode_announcement, parse_announcement
from domain.transparency.bundles import entries_in
from domain.transparency.keys import Signer
from domain.transparency.labels import LABEL_BYTES, Labeller
from domain.transparency.leaves import SALT_BYTES
from domain.transparency.merkle import leaf_hash, root_of
from domain.transparency.tiles import Tile
from domain.transparency.vrf import VrfKey
from projections.leaves import TreeLeaves
from tests.api.transparency.test_sequencer import AT, SIGNER, Log, list_logged
from tests.seeding import entropy

VRF: Final = VrfKey(b"\x05" * 64)
OTHER: Final = VrfKey(b"\x06" * 64)
ORIGIN: Final = SIGNER.key.name
ANNOUNCED: Final = FormatChanged(2, ORIGIN, VRF.public.hex())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tree.db"


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, path: Path) -> Iterator[TreeStore]:
    store = TreeStore(path if request.param == "sqlite" else str(request.getfixturevalue("fresh_postgres")))
    yield store
    store.close()


@pytest.fixture
def log() -> Log:
    log = Log()
    log.append(*["entry"] * 20, "league.opened", "study.opened", "roles.granted", *["entry"] * 4)
    return log


def append_all(log: Log, store: TreeStore, vrf: VrfKey | None = VRF, signer: Signer = SIGNER) -> Sequencer:
    sequencer = Sequencer(log, store, signer, entropy(), vrf)
    while sequencer.append_batch():
        pass
    return sequencer


def test_a_new_tree_begins_with_the_announcement_of_labels(log: Log, store: TreeStore) -> None:
    signed = append_all(log, store).sign(AT)
    (_, first), *others = store.newest(1_000)

    assert (first.content, first.is_announcement) == (encode_announcement(ANNOUNCED), True)
    assert store.announcements() == [(0, first)]
    events = list_logged(log)
    labeller = Labeller(VRF, ORIGIN)
    assert [leaf.label for _, leaf in others] == [label_of(labeller, event) for event in events]
    assert len({leaf.label for _, leaf in others}) == len(events)
    assert {(len(leaf.label), len(leaf.content), len(leaf.salt)) for _, leaf in others} == {
        (LABEL_BYTES, 64, SALT_BYTES)
    }
    contents = [first.content, *(leaf.content for _, leaf in others)]
    assert entries_in(store.bundle(Tile(0, len(contents))) or b"") == contents
    assert signed is not None
    assert signed.checkpoint.root == root_of([leaf_hash(each) for each in contents])


def test_an_older_tree_is_announced_at_its_next_append(log: Log, store: TreeStore) -> None:
    append_all(log, store, vrf=None).sign(AT)
    before = store.newest(1_000)

    append_all(log, store)
    assert store.newest(1_000) == before
    log.append("entry", "roles.granted")
    append_all(log, store)

    after = store.newest(1_000)
    assert after[: len(before)] == before
    assert parse_announcement(after[len(before)][1].content) == ANNOUNCED
    assert [bool(leaf.label) for _, leaf in after] == [False] * len(before) + [False, True, True]
    assert [number for number, _ in store.announcements()] == [len(before)]


def test_labels_keep_the_origin_of_the_announcement(log: Log, store: TreeStore) -> None:
    append_all(log, store)
    log.append("entry")

    append_all(log, store, signer=Signer("renamed.example/tlog", b"\x01" * 32))

    assert len(store.announcements()) == 1
    assert store.newest(1)[0][1].label == label_of(Labeller(VRF, ORIGIN), log.events[-1][1])


@pytest.mark.parametrize("vrf", [OTHER, None])
def test_a_tree_with_labels_by_another_key_is_not_continued(log: Log, store: TreeStore, vrf: VrfKey | None) -> None:
    append_all(log, store).sign(AT)

    with pytest.raises(TreeDiffers, match="the labels of the tree are not by the key of this service"):
        append_all(log, store, vrf)


def test_announcements_are_no_stream_of_the_log(log: Log, path: Path) -> None:
    with closing(TreeStore(path)) as store:
        append_all(log, store)

        with closing(TreeLeaves(path)) as leaves:
            assert set(leaves.streams()) == {leaf.stream for _, leaf in store.newest(1_000)[1:]}


def test_a_tree_of_an_earlier_version_is_read_and_upgraded(log: Log, path: Path) -> None:
    """Commands open a tree read-only, so they do not create the table of labels."""
    with closing(TreeStore(path)) as store:
        append_all(log, store, vrf=None)
        before = store.newest(1_000)
    with closing(sqlite3.connect(path)) as database:
        database.execute("DROP TABLE labels")
    with closing(TreeStore(path, writable=False)) as reader:
        assert (reader.newest(1_000), reader.announcements()) == (before, [])

        log.append("entry")
        with closing(TreeStore(path)) as store:
            append_all(log, store)
        assert len(reader.newest(1)[0][1].label) == LABEL_BYTES


def test_the_audit_finds_leaves_without_their_labels(log: Log, store: TreeStore) -> None:
    """The labels in the table are compared with the tiles as well, like all contents of leaves."""
    append_all(log, store, vrf=None)
    log.append("entry", "entry", "roles.granted")
    append_all(log, store)
    (_, earlier), *_, (number, one), (_, two), (_, record) = store.newest(1_000)
    first, (_, event), (_, next_event), (_, granted) = log.events[0][1], *log.events[-3:]

    for key in (VRF, None):
        expected = ExpectedLabels(store, key)
        expected.refresh()
        expected.refresh()
        assert expected.find_fault(0, earlier, first) is None
        assert [
            expected.find_fault(number, *each) for each in ((one, event), (two, next_event), (record, granted))
        ] == [None] * 3
        unlabelled = expected.find_fault(0, earlier._replace(label=one.label), first)
        assert unlabelled == "its leaf has a label, but no announcement of labels before it"
        assert expected.find_fault(number, one._replace(label=b""), event) == "its leaf has no label"
        wrong = expected.find_fault(number, one._replace(label=two.label), event)
        assert wrong == (None if key is None else "its leaf has the label of another entry")


def test_the_audit_finds_labels_by_another_key(log: Log, store: TreeStore) -> None:
    append_all(log, store, vrf=OTHER)

    with pytest.raises(TreeDiffers, match="the labels of the tree are not by the key of this service"):
        ExpectedLabels(store, VRF).refresh()


def test_an_unreadable_announcement_is_a_difference(log: Log, path: Path) -> None:
    with closing(TreeStore(path)) as store:
        append_all(log, store)
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("UPDATE leaves SET leaf = CAST(leaf || x'20' AS BLOB) WHERE number = 0")

        with pytest.raises(
            TreeDiffers, match="leaf 0 of the tree: an announcement of the log is not in canonical form"
        ):
            append_all(log, store)
