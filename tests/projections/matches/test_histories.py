"""Matches of a player in the order of their list, also in read models that an earlier version wrote."""

from functools import partial

import pytest

from domain.eventstore.application import Matches
from domain.matches.facts import Table
from projections.catalogue import PROJECTIONS
from projections.follow import ensure_tables
from projections.loop import FollowerLoop
from projections.matches import lobby
from projections.matches.lobby_histories import fill_histories
from projections.platform.fills import READ_FILLS, READ_OBJECTS, continue_fill
from projections.platform.statements import POSTGRES_DIALECT, SQLITE_DIALECT
from projections.platform.store import ReadStore
from projections.rebuild import rebuild
from tests.projections.tables import at, match_id, open_started_match

COUNT = 7
HISTORIES = "SELECT player, opened, match_id FROM lobby_histories ORDER BY player, opened"
NEW_INDEXES = ("lobby_listed", "lobby_listed_by_status", "lobby_players_of_match")


def follow(matches: Matches, store: ReadStore) -> None:
    FollowerLoop(matches, store, [lobby]).catch_up()


def numbers_of(store: ReadStore, player: str) -> list[int]:
    """Return the numbers of a player's matches, read in pages of two."""
    found, before = list[int](), None
    while True:
        page = lobby.matches_of(store, player, 2, before)
        found += [row.match_id.int for row in page.items]
        if page.next is None:
            return found
        before = page.next


def index_names(store: ReadStore) -> set[str]:
    dialect = SQLITE_DIALECT if store.shard_count == 1 else POSTGRES_DIALECT
    return {name for kind, name, table in store.rows(READ_OBJECTS[dialect]) if kind == "index" and table == "lobby"}


@pytest.fixture
def old_store(matches: Matches, any_store: ReadStore) -> ReadStore:
    """Provide read models as an earlier version wrote them, without the new table and indexes."""
    for number in range(1, COUNT + 1):
        open_started_match(matches, number, ("ann", "ben") if number % 2 else ("ann", "cleo"), Table())
    follow(matches, any_store)
    with any_store.transaction() as transaction:
        transaction.change("DROP TABLE lobby_histories")
        for name in NEW_INDEXES:
            transaction.change(f"DROP INDEX {name}")
        transaction.change("CREATE INDEX lobby_by_status ON lobby (status, opened)")
    return any_store


def test_an_old_store_is_filled_in_slices_while_readers_use_the_old_way(matches: Matches, old_store: ReadStore) -> None:
    """The first consumer is killed in the middle, and another one continues."""
    ensure_tables(old_store, lobby)
    assert index_names(old_store) >= {*NEW_INDEXES[:2]}
    assert "lobby_by_status" not in index_names(old_store)
    with old_store.transaction() as transaction:
        assert not continue_fill(transaction, "lobby_histories", partial(fill_histories, limit=3))
    assert len(old_store.rows(HISTORIES)) == 3
    open_started_match(matches, COUNT + 1, ("ann", "dora"), Table())

    assert numbers_of(old_store, "ann") == list(range(COUNT, 0, -1))
    follow(matches, old_store)

    assert old_store.rows(READ_FILLS) == []
    assert numbers_of(old_store, "ann") == list(range(COUNT + 1, 0, -1))
    assert numbers_of(old_store, "ben") == [7, 5, 3, 1]
    filled = old_store.rows(HISTORIES)
    rebuild(["lobby"], matches, old_store, entries=1)
    assert old_store.rows(HISTORIES) == filled


def test_a_rebuild_ends_a_fill(matches: Matches, old_store: ReadStore) -> None:
    ensure_tables(old_store, lobby)

    rebuild(["lobby"], matches, old_store)

    assert old_store.rows(READ_FILLS) == []
    assert numbers_of(old_store, "cleo") == [6, 4, 2]


def test_someone_who_leaves_before_the_start_loses_the_match(matches: Matches, any_store: ReadStore) -> None:
    match = matches.open(match_id(1), title="toy", seats=2, by="ann", at=at(0))
    matches.take_seat(match.id, 0, "ann", at=at(0))
    matches.take_seat(match.id, 1, "ben", at=at(0))
    follow(matches, any_store)
    assert numbers_of(any_store, "ben") == [1]

    matches.leave_seat(match.id, 1, "ben", at=at(1))
    follow(matches, any_store)

    assert numbers_of(any_store, "ben") == []
    assert numbers_of(any_store, "ann") == [1]
    assert set(PROJECTIONS["lobby"].TABLES) == {"lobby", "lobby_players", "lobby_histories"}
