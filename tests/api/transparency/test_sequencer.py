"""The sequencer: events are appended once, survive crashes, and never contradict a signed tree."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, Final
from uuid import UUID

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import domain
from api.transparency.errors import TreeDiffers
from api.transparency.sequencer import BATCH, Sequencer
from api.transparency.store import ADD_LEAF, SIGNED, Leaf, TreeStore
from domain.eventstore.guard import compute_leaf, stream_of
from domain.matches.log.entries import EPOCH, NO_DIGEST, Entry
from domain.matches.log.records import Kind, Record
from domain.transparency.bundles import bundle_of
from domain.transparency.keys import Signer, is_signed
from domain.transparency.leaves import LOGGED_KINDS, SALT_BYTES
from domain.transparency.merkle import leaf_hash, root_of
from domain.transparency.tiles import Tile
from tests.domain.eventstore.postgres import fresh_database
from tests.seeding import derive, entropy, example_count, new_id

SIGNER: Final = Signer("house.example/tlog", b"\x01" * 32)
AT: Final = datetime(2026, 11, 23, tzinfo=UTC)
KINDS: Final = {
    value.name
    for module in walk_packages(domain.__path__, "domain.")
    for value in vars(import_module(module.name)).values()
    if isinstance(value, Kind)
}
"""All kinds of records, from all modules of the domain."""


def event(position: int, what: str = "entry") -> Entry | Record:
    """Return an event: an entry of a match, or a record with this tag."""
    body: Any = b'{"type":"%s"}' % what.encode()
    stream = UUID(bytes=derive(f"stream/{position % 7}", 16), version=4)
    kind: type[Entry] | type[Record] = Entry if what == "entry" else Record
    return kind(originator_id=stream, originator_version=position, timestamp=EPOCH, previous=NO_DIGEST, body=body)


class Log:
    """A log in memory."""

    def __init__(self) -> None:
        self.events = list[tuple[int, Entry | Record]]()

    def append(self, *what: str) -> None:
        for each in what:
            position = len(self.events) + 1
            self.events.append((position, event(position, each)))

    def read_log_items(self, after: int, limit: int) -> list[tuple[int, Entry | Record]]:
        return [each for each in self.events if each[0] > after][:limit]


class Killed(Exception):
    """The process was killed."""


class DyingStore(TreeStore):
    """A tree store whose process dies before, during or after a transaction."""

    moment = ""

    def append(
        self,
        first: int,
        leaves: Sequence[Leaf],
        tiles: dict[tuple[int, int], bytes],
        position: int,
        position_from: int | None = None,
    ) -> None:
        if self.moment == "before":
            raise Killed
        if self.moment == "within":
            with self.transaction():
                self._insert_first(first, leaves[0])
                raise Killed
        super().append(first, leaves, tiles, position, position_from)
        if self.moment == "after":
            raise Killed

    def _insert_first(self, first: int, row: Leaf) -> None:
        """Insert a leaf without the tiles that it changes."""
        self._writer.change(ADD_LEAF, **row.row(first))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tree.db"


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, path: Path) -> Iterator[TreeStore]:
    """Open an empty tree in a file, and for the same tests in PostgreSQL."""
    store = TreeStore(path if request.param == "sqlite" else str(request.getfixturevalue("fresh_postgres")))
    yield store
    store.close()


@pytest.fixture
def file_store(path: Path) -> Iterator[TreeStore]:
    store = TreeStore(path)
    yield store
    store.close()


@pytest.fixture(scope="module")
def server(postgres: str) -> str:
    return fresh_database(postgres, "trees")


def empty_place(kind: str, server: str, folders: pytest.TempPathFactory) -> Path | str:
    """Return a place without a tree."""
    if kind == "sqlite":
        return folders.mktemp("tree") / "tree.db"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS tree CASCADE")
    return server


@pytest.fixture
def log() -> Log:
    log = Log()
    log.append(*["entry"] * 300, "league.opened", "study.opened", "roles.granted", *["entry"] * 40)
    return log


def sequencer_of(log: Log, store: TreeStore, signer: Signer = SIGNER) -> Sequencer:
    return Sequencer(log, store, signer, entropy())


def sequence_all(log: Log, store: TreeStore) -> Sequencer:
    sequencer = sequencer_of(log, store)
    while sequencer.append_batch():
        pass
    return sequencer


def list_logged(log: Log) -> list[Entry | Record]:
    """Return all events except studies, as specified."""
    return [each for _, each in log.events if isinstance(each, Entry) or not each.tag.startswith("study.")]


def test_all_kinds_of_records_are_logged_except_erasable_and_irrelevant_ones() -> None:
    assert LOGGED_KINDS | {"study", "call", "club", "sanctions", "ranking_content", "ranking_members"} == KINDS


def test_events_except_studies_are_appended_once_in_order(log: Log, store: TreeStore) -> None:
    sequencer = sequence_all(log, store)
    leaves = [leaf for _, leaf in store.newest(1_000)]

    assert len(log.events) > BATCH
    assert [(leaf.stream, leaf.version) for leaf in leaves] == [(stream_of(e), e.version) for e in list_logged(log)]
    assert [leaf.leaf for leaf in leaves] == [
        compute_leaf(leaf.salt, each) for leaf, each in zip(leaves, list_logged(log), strict=True)
    ]
    assert len({leaf.salt for leaf in leaves}) == len(leaves) == store.size
    assert all(len(leaf.salt) == SALT_BYTES for leaf in leaves)
    assert store.position == len(log.events)
    assert not sequencer.append_batch()


def test_a_checkpoint_is_over_the_root_of_all_leaves(log: Log, store: TreeStore) -> None:
    signed = sequence_all(log, store).sign(AT)
    assert signed is not None
    checkpoint = signed.checkpoint

    assert is_signed(SIGNER.key, signed.text, signed.signature)
    assert (checkpoint.origin, checkpoint.size) == ("house.example/tlog", 342)
    assert checkpoint.root == root_of([leaf_hash(leaf.leaf) for _, leaf in store.newest(1_000)])
    assert store.checkpoint(SIGNED) == signed


def test_nothing_is_signed_twice_and_no_empty_tree(log: Log, store: TreeStore) -> None:
    empty = sequencer_of(Log(), store)
    assert empty.sign(AT) is None
    sequencer = sequence_all(log, store)

    assert sequencer.sign(AT)
    assert sequencer.sign(AT) is None
    log.append("study.opened")
    assert sequencer.append_batch()
    assert sequencer.sign(AT) is None


def test_a_renamed_service_does_not_continue_the_tree(log: Log, store: TreeStore) -> None:
    """Trust row: otherwise the tree would be served again under another name, without a link."""
    sequence_all(log, store).sign(AT)

    with pytest.raises(TreeDiffers, match=r"is that of house\.example/tlog, but this service is named other\.example"):
        sequencer_of(log, store, Signer("other.example/tlog", b"\x01" * 32))


def test_partial_tiles_and_leaves_are_served(log: Log, store: TreeStore) -> None:
    sequence_all(log, store)
    leaves = [leaf.leaf for _, leaf in store.newest(1_000)]
    hashes = [leaf_hash(leaf) for leaf in leaves]

    assert store.tile_served(0, Tile(0)) == b"".join(hashes[:256])
    assert store.tile_served(0, Tile(1, 86)) == b"".join(hashes[256:])
    assert store.tile_served(0, Tile(1, 5)) == b"".join(hashes[256:261])
    assert store.tile_served(1, Tile(0, 1)) == root_of(hashes[:256])
    assert store.bundle(Tile(0)) == bundle_of(leaves[:256])
    assert store.bundle(Tile(1, 86)) == bundle_of(leaves[256:])
    for level, tile in ((0, Tile(1, 87)), (0, Tile(1)), (0, Tile(2, 1)), (1, Tile(0)), (2, Tile(0, 1)), (63, Tile(0))):
        assert store.tile_served(level, tile) is None
    assert store.bundle(Tile(1)) is store.bundle(Tile(10**15, 1)) is None


steps = st.lists(
    st.sampled_from(["entry", "study", "many", "take up", "sign", "before", "within", "after"]), max_size=30
)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
@given(steps)
@settings(max_examples=example_count(30), deadline=None)
def test_a_crash_at_any_moment_keeps_the_order(
    tmp_path_factory: pytest.TempPathFactory, server: str, kind: str, steps: list[str]
) -> None:
    """All written leaves keep their position and salt, and the signed root is reproduced."""
    path, log = empty_place(kind, server, tmp_path_factory), Log()
    store, known, roots = DyingStore(path), list[Leaf](), dict[int, bytes]()
    sequencer = sequencer_of(log, store)
    for step in steps:
        if step in {"entry", "study", "many"}:
            log.append(*{"entry": ["entry"], "study": ["study.opened"], "many": ["entry"] * 130}[step])
        elif step == "take up":
            sequencer.append_batch()
        elif step == "sign":
            if signed := sequencer.sign(AT):
                roots[signed.checkpoint.size] = signed.checkpoint.root
        else:
            store.moment = step
            try:
                sequencer.append_batch()
            except (Killed, IndexError):
                store.close()
                store = DyingStore(path)
                sequencer = sequencer_of(log, store)
            store.moment = ""
        now = [leaf for _, leaf in store.newest(100_000)]
        assert now[: len(known)] == known
        known = now
    while sequencer.append_batch():
        pass
    leaves = [leaf_hash(leaf.leaf) for _, leaf in store.newest(100_000)]

    assert [leaf.version for _, leaf in store.newest(100_000)] == [each.version for each in list_logged(log)]
    assert store.tiles.root(store.size) == root_of(leaves)
    assert all(store.tiles.root(size) == root for size, root in roots.items())
    store.close()


def test_a_sequencer_continues_after_a_failure(log: Log, path: Path) -> None:
    store = DyingStore(path)
    sequencer = sequencer_of(log, store)
    for moment in ("before", "within", "after"):
        store.moment = moment
        with pytest.raises(Killed):
            sequencer.append_batch()
        store.moment = ""
        log.append("entry", "entry")
    while sequencer.append_batch():
        pass

    assert sequencer.sign(AT)
    assert store.size == len(list_logged(log))
    store.close()


def test_a_tree_signed_with_another_key_is_rejected(log: Log, store: TreeStore) -> None:
    sequence_all(log, store).sign(AT)

    with pytest.raises(TreeDiffers, match="the latest checkpoint is not signed with the key of this service"):
        sequencer_of(log, store, Signer("house.example/tlog", b"\x02" * 32))


def test_a_truncated_log_is_detected(log: Log, store: TreeStore) -> None:
    """Positions would otherwise be reused, and their entries never become leaves."""
    sequence_all(log, store).sign(AT)
    position, last = log.events.pop()
    with pytest.raises(TreeDiffers, match=f"the log ends before position {position}"):
        sequencer_of(log, store)
    log.events.append((position, event(position + 1)))
    with pytest.raises(TreeDiffers, match=r"the log has changed since leaf 341 was appended \(position"):
        sequencer_of(log, store)
    log.events[-1] = (position, last)
    assert sequencer_of(log, store)
    log.append("study.opened")
    assert sequencer_of(log, store).append_batch()
    log.events.pop()
    with pytest.raises(TreeDiffers, match="the log ends before"):
        sequencer_of(log, store)


def test_earlier_tampering_does_not_stop_the_tree(
    log: Log, store: TreeStore, capsys: pytest.CaptureFixture[str]
) -> None:
    """Single tampered streams are only logged."""
    sequence_all(log, store).sign(AT)
    log.events[-1] = (343, event(343, "roles.granted"))
    changed, deleted = log.events[-1][1], log.events.pop(-5)[1]
    log.events.append((344, event(344)))
    sequencer = sequencer_of(log, store)
    output = capsys.readouterr().out

    assert output.count("differs from the signed tree") == 2
    assert all(f"entry={each.version}" in output and str(stream_of(each)) in output for each in (changed, deleted))
    assert sequencer.append_batch()
    assert sequencer.sign(AT)


def test_replacements_of_leaves_are_not_appended(log: Log, store: TreeStore) -> None:
    """After a stream is truncated and continued, existing leaves stay, and only other events are appended."""
    sequencer = sequence_all(log, store)
    size, again = store.size, event(3, "roles.granted")
    log.events += [(400, again), (401, event(401))]

    assert sequencer.append_batch()
    assert store.size == size + 1
    found = store.leaf(stream_of(again), 3)
    assert found is not None
    assert found[1].leaf == compute_leaf(found[1].salt, event(3))
    assert sequencer.sign(AT)


def test_a_copy_of_the_tree_is_continued(log: Log, file_store: TreeStore, path: Path) -> None:
    sequence_all(log, file_store).sign(AT)
    file_store.close()
    copied = path.with_name("copy.db")
    shutil.copy(path, copied)
    log.append("entry")
    one, two = TreeStore(path), TreeStore(copied)
    sequence_all(log, one)
    sequence_all(log, two)

    assert one.tiles.root(342) == two.tiles.root(342)
    one.close()
    two.close()


def test_leaves_are_found_by_stream_and_version(log: Log, store: TreeStore) -> None:
    sequence_all(log, store)
    found = store.leaf(stream_of(log.events[5][1]), 6)

    assert found is not None
    assert found[0] == 5
    assert store.leaf(new_id(), 1) is None


def test_the_salts_are_for_the_owner_alone(file_store: TreeStore, path: Path) -> None:
    assert path.stat().st_mode & 0o077 == 0
