"""A match on one device is in its opener's lists and in no statistics."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from domain.eventstore.application import Matches
from domain.matches.entropy import server_seed
from domain.matches.facts import Table
from domain.matches.seats.event_tables import begin_on_one_device
from domain.titles import TITLES
from projections.archive import projection as archive
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.matches import habits, lobby
from projections.notifications import NAME as NOTIFICATIONS
from projections.platform.store import ReadStore
from projections.ratings import early_leavers
from tests.domain.matches.match_helpers import BOT, START, play_out, uuid
from tests.projections.tables import matches_in

LOCALS: Final = ("local-" + "a" * 32, "local-" + "b" * 32)


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    with matches_in(tmp_path / "log.db", titles=TITLES) as matches:
        yield matches


def test_a_match_on_one_device_is_listed_for_its_opener_and_not_counted(matches: Matches, store: ReadStore) -> None:
    followers = (archive, habits, early_leavers, lobby, PROJECTIONS[NOTIFICATIONS])
    begun = matches.transact(
        lambda batch: begin_on_one_device(
            batch,
            TITLES["el_grande"],
            uuid(1),
            players=(*LOCALS, BOT),
            options={},
            table=Table(one_device=True),
            by="opener",
            seed=server_seed(matches.entropy, uuid(1)),
        ),
        at=START,
    )
    loop = FollowerLoop(matches, store, followers)
    loop.catch_up()
    going_on = lobby.list_unfinished_page(store, "opener").items

    assert [row.match_id for row in going_on] == [begun.id]
    assert lobby.waiting_for(store, "opener", 10) == (0, ())
    ended = play_out(matches, begun)
    loop.catch_up()
    assert lobby.list_unfinished_page(store, "opener").items == ()
    assert [row.match_id for row in lobby.matches_of(store, "opener").items] == [ended.id]
    for player in LOCALS:
        assert habits.of_player(store, player) == ()
        assert early_leavers.of_player(store, player).matches == 0
        assert lobby.matches_of(store, player).items == ()
    for table in ("archive_kept", "habit_actions", "notices"):
        assert store.rows(f"SELECT * FROM {table}") == [], table
