"""A projection made again from the log has the same rows, byte for byte, whatever went on meanwhile."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.matches.application import Matches
from domain.matches.facts import Clock, Table
from projections.catalogue import PROJECTIONS
from projections.database import Row
from projections.follow import Loop
from projections.matches import replay
from projections.rebuild import RebuiltTwice, UnknownProjection, begin, rebuild
from projections.store import ReadStore
from tests.projections.tables import BOT, at, match_id, matches_in, opened, played

PLAYERS = ("anna", BOT, "bela")
FILLED_ELSEWHERE = {
    "audit",
    "desk_disputes",
    "desk_forks",
    "desk_studies",
    "habits",
    "leagues",
    "ratings",
    "tournaments",
}
"""What follows records, or matches of another kind than these; their own tests rebuild them with rows."""


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    """Three matches, a fork among them: one over, one going on, one paused."""
    with matches_in(tmp_path / "log.db") as matches:
        over = played(matches, opened(matches, 1, PLAYERS, Table(clock=Clock("increment", 900, 5))))
        played(matches, opened(matches, 2, PLAYERS, Table(clock=Clock("per_move", 60))), 8)
        matches.open(match_id(4), title="toy", seats=2, by="anna", at=at(0))
        fork = matches.fork(
            over.id,
            at_version=over.version - 6,
            new_id=match_id(3),
            luck="same",
            by="anna",
            at=at(99),
            seats=(BOT, "anna", BOT),
        )
        matches.pause(played(matches, fork, 3).id, "service", at=at(999))
        yield matches


@pytest.fixture
def store(any_store: ReadStore) -> ReadStore:
    return any_store


def rows(store: ReadStore, name: str) -> dict[str, list[Row]]:
    return {table: sorted(store.rows(f"SELECT * FROM {table}"), key=repr) for table in PROJECTIONS[name].TABLES}


@pytest.mark.parametrize("name", sorted(PROJECTIONS))
def test_a_rebuilt_projection_has_the_same_rows(matches: Matches, store: ReadStore, name: str) -> None:
    loop = Loop(matches, store, tuple(PROJECTIONS.values()))
    while loop.advance():
        pass
    before = rows(store, name)
    assert all(before.values()) or name in FILLED_ELSEWHERE

    position = rebuild(name, matches, store).position

    assert rows(store, name) == before
    assert store.position(name) == position == matches.last_position()


@pytest.mark.parametrize("name", sorted(PROJECTIONS))
def test_what_happens_during_a_rebuild_is_neither_lost_nor_doubled(
    matches: Matches, store: ReadStore, tmp_path: Path, name: str
) -> None:
    loop = Loop(matches, store, tuple(PROJECTIONS.values()))
    loop.catch_up()

    def go_on(_: str, __: int) -> None:
        """Somebody plays, and the follower follows, after what the rebuild has read last."""
        if not matches.get(match_id(2)).is_over:
            played(matches, matches.get(match_id(2)), 1)
            loop.catch_up()

    rebuild(name, matches, store, go_on)
    played(matches, matches.get(match_id(2)), 2)
    loop.catch_up()
    fresh = ReadStore(tmp_path / "fresh.db")
    Loop(matches, fresh, tuple(PROJECTIONS.values())).catch_up()

    assert rows(store, name) == rows(fresh, name)
    assert store.positions() == fresh.positions()


def test_of_two_rebuilds_at_the_same_time_the_later_one_goes_on(matches: Matches, store: ReadStore) -> None:
    loop = Loop(matches, store, tuple(PROJECTIONS.values()))
    loop.catch_up()
    before = rows(store, "replay")

    def again(_: str, __: int) -> None:
        begin(store, PROJECTIONS["replay"])

    with pytest.raises(RebuiltTwice, match="somebody else has begun to rebuild replay"):
        rebuild("replay", matches, store, again)
    unharmed = rows(store, "replay")
    rebuild("replay", matches, store)

    assert before == unharmed == rows(store, "replay")


def test_a_follower_that_was_ahead_of_the_new_tables_goes_on_from_where_they_end(
    matches: Matches, store: ReadStore
) -> None:
    loop = Loop(matches, store, tuple(PROJECTIONS.values()))
    loop.catch_up()
    with store.transaction() as transaction:
        transaction.change("DELETE FROM {replay} WHERE version > 5")
        transaction.move("replay", matches.last_position(), 0)
        transaction.change("DELETE FROM {replay}")
    played(matches, matches.get(match_id(2)), 1)

    loop.catch_up()

    told = [line.version for line in replay.lines(store, match_id(2))]
    assert told == list(range(1, matches.get(match_id(2)).version + 1))


def test_a_fork_is_told_from_the_beginning_of_its_parent(matches: Matches, store: ReadStore) -> None:
    Loop(matches, store, tuple(PROJECTIONS.values())).catch_up()
    parent, fork = (matches.get(match_id(number)) for number in (1, 3))
    shared = parent.version - 6

    lines = replay.lines(store, fork.id)

    assert [line.version for line in lines] == list(range(1, fork.version + 1))
    assert lines[:shared] == replay.lines(store, parent.id)[:shared]
    assert lines[shared].kind == "match_forked"
    assert replay.lines(store, fork.id, after=shared - 2, limit=4) == lines[shared - 2 : shared + 2]
    assert replay.lines(store, fork.id, after=shared) == lines[shared:]


def test_a_projection_nobody_knows_is_refused_by_name(matches: Matches, store: ReadStore) -> None:
    with pytest.raises(UnknownProjection, match="there is no projection 'weather'; there are: audit, boards"):
        rebuild("weather", matches, store)
