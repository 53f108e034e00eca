"""A player's matches in the order of the time left."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from domain.eventstore.application import Matches
from domain.matches.facts import Clock, Table
from projections.loop import FollowerLoop
from projections.matches import clocks, lobby
from projections.matches.own_tables import list_own_tables
from projections.platform.store import ReadStore
from tests.projections.tables import START, open_started_match, take_action

DAY = 86_400
FAST, SLOW, NO_CLOCK = (
    Table(clock=Clock("correspondence", DAY)),
    Table(clock=Clock("correspondence", 3 * DAY)),
    Table(),
)


def test_own_tables_are_listed_by_the_time_left(matches: Matches, store: ReadStore) -> None:
    moved, *_ = (
        open_started_match(matches, number, ("anna", "bela"), table)
        for number, table in enumerate((FAST, NO_CLOCK, SLOW, FAST), start=1)
    )
    take_action(matches, moved, 0, 60)
    open_started_match(matches, 5, ("bela", "cleo"), FAST)
    FollowerLoop(matches, store, (lobby, clocks)).catch_up()

    page = list_own_tables(store, "anna", 3)
    rest = list_own_tables(store, "anna", 3, page.next or 0)

    assert [each.row.match_id.int for each in (*page.items, *rest.items)] == [4, 3, 2, 1]
    assert [each.ends for each in page.items] == [START + timedelta(days=1), START + timedelta(days=3), None]
    assert (page.next, rest.next, rest.items[0].ends) == (3, None, None)
    assert list_own_tables(store, "nobody", 3).items == ()


def test_the_order_changes_with_each_turn(matches: Matches, store: ReadStore) -> None:
    slow = open_started_match(matches, 1, ("anna", "bela"), SLOW)
    fast = open_started_match(matches, 2, ("anna", "bela"), FAST)
    loop = FollowerLoop(matches, store, (lobby, clocks))
    loop.catch_up()

    def own(player: str) -> list[UUID]:
        return [each.row.match_id for each in list_own_tables(store, player, 9).items]

    assert own("bela") == [fast.id, slow.id]
    take_action(matches, fast, 1, 60)
    loop.catch_up()
    assert own("bela") == [slow.id, fast.id]
