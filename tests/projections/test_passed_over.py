"""Consumers skip tampered streams and follow all others to the end."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.guard import UNGUARDED, Guard
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.facts import SERVICE
from projections.catalogue import PROJECTIONS
from projections.leaves import TreeLeaves
from projections.loop import FollowerLoop
from projections.matches import boards
from projections.platform.store import ReadStore
from tests.domain.eventstore.faulty_stores import Tree, cut, swap, write
from tests.projections.tables import TITLES, at, match_id, matches_in, open_started_match, play_match
from tests.seeding import entropy

CHANGED, OTHER = match_id(1), match_id(2)


def follow_store(path: Path, store: ReadStore, guard: Guard) -> Matches:
    """Follow the store with all projections."""
    with closing(open_store(store_env(path), titles=TITLES, entropy=entropy(), guard=guard)) as matches:
        FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()
        assert set(store.least_offsets().values()) == {matches.last_position()}
        return matches


def two_tables(path: Path) -> Tree:
    with matches_in(path) as matches:
        for number in (1, 2):
            play_match(matches, open_started_match(matches, number, ("anna", "bela")), 3)
        return Tree(matches)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: swap(path, CHANGED, 6, 7),
        lambda path: write(path, CHANGED, 6, b"nonsense"),
        lambda path: cut(path, CHANGED, 5),
    ],
)
@pytest.mark.parametrize("with_tree", [True, False])
def test_a_tampered_stream_does_not_stop_consumers(
    tmp_path: Path, any_store: ReadStore, damage: Callable[[str], object], with_tree: bool
) -> None:
    """With a tree the whole stream is skipped, without one the part after the break."""
    path = tmp_path / "log.db"
    tree = two_tables(path)
    with matches_in(path) as matches:
        play_match(matches, open_started_match(matches, 3, ("anna", "bela")))
    damage(str(path))
    follow_store(path, any_store, tree if with_tree else UNGUARDED)

    assert (boards.get(any_store, CHANGED) is None) == with_tree
    last = boards.get(any_store, match_id(3))
    assert last is not None
    assert last.status == "ended"


def test_a_stream_tampered_with_while_followed_is_skipped(tmp_path: Path, any_store: ReadStore) -> None:
    path = tmp_path / "log.db"
    two_tables(path)
    with matches_in(path) as matches:
        loop = FollowerLoop(matches, any_store, tuple(PROJECTIONS.values()))
        loop.catch_up()
        before = boards.get(any_store, CHANGED)
        assert before is not None
        matches.void(CHANGED, SERVICE, at=at(99))
        matches.void(OTHER, SERVICE, at=at(99))
        swap(str(path), CHANGED, before.version, before.version + 1)
        loop.catch_up()

        assert boards.get(any_store, CHANGED) == before
        after = boards.get(any_store, OTHER)
        assert after is not None
        assert after.status == "void"
        assert set(any_store.least_offsets().values()) == {matches.last_position()}


def test_a_folder_without_a_tree_has_no_leaves(tmp_path: Path) -> None:
    """It is not created either, and an unreadable tree gives no leaves."""
    path = tmp_path / "tree.db"
    with closing(TreeLeaves(path)) as leaves:
        assert (leaves.read_leaves(CHANGED), leaves.streams(), path.exists()) == ({}, [], False)
        path.write_bytes(b"nonsense" * 1_000)
        assert (leaves.read_leaves(CHANGED), leaves.streams()) == ({}, [])
