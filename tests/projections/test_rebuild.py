"""A rebuilt projection has the same rows, byte for byte, whatever happens during the rebuild."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import update

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.matches.facts import Clock, Table
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.matches import replay
from projections.platform.database import Row
from projections.platform.store import POSITIONS, ReadStore
from projections.rebuild import RebuildSuperseded, RebuildTables, UnknownProjection, rebuild
from tests.projections.tables import BOT, at, match_id, matches_in, open_started_match, play_match
from tests.seeding import one_in

PLAYERS = ("anna", BOT, "bela")
NAMES = sorted(PROJECTIONS)
FILLED_ELSEWHERE = {
    "absences",
    "archive",
    "audit",
    "circuits",
    "clubs",
    "desk_disputes",
    "desk_forks",
    "desk_studies",
    "habits",
    "integrity",
    "leagues",
    "lessons",
    "rankings",
    "ratings",
    "tournaments",
}
"""Projections of records or of other matches, which their own tests rebuild with rows."""


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    """Provide a finished, a running and a paused match, one of them a fork."""
    with matches_in(tmp_path / "log.db") as matches:
        over = play_match(matches, open_started_match(matches, 1, PLAYERS, Table(clock=Clock("increment", 900, 5))))
        play_match(matches, open_started_match(matches, 2, PLAYERS, Table(clock=Clock("per_move", 60))), 8)
        matches.open(match_id(4), title="toy", seats=2, by="anna", at=at(0))
        fork = fork_match(
            matches,
            over.id,
            at_version=over.version - 6,
            new_id=match_id(3),
            luck="same",
            by="anna",
            at=at(99),
            seats=(BOT, "anna", BOT),
        )
        matches.pause(play_match(matches, fork, 3).id, "service", at=at(999))
        yield matches


@pytest.fixture
def store(any_store: ReadStore) -> ReadStore:
    return any_store


def rows(store: ReadStore, name: str) -> dict[str, list[Row]]:
    return {table: sorted(store.rows(f"SELECT * FROM {table}"), key=repr) for table in PROJECTIONS[name].TABLES}


def all_rows(store: ReadStore) -> dict[str, dict[str, list[Row]]]:
    return {name: rows(store, name) for name in PROJECTIONS}


@pytest.mark.parametrize("entries", [1, 40, 10_000])
def test_rebuilt_projections_have_the_same_rows(matches: Matches, store: ReadStore, entries: int) -> None:
    """Independently of the ranges."""
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()
    before = all_rows(store)
    assert all(all(table_rows.values()) or name in FILLED_ELSEWHERE for name, table_rows in before.items())
    progress = list[int]()

    position = rebuild(NAMES, matches, store, progress.append, entries=entries).position

    assert all_rows(store) == before
    assert store.least_offsets() == dict.fromkeys(NAMES, position)
    assert position == matches.last_position()
    assert progress == sorted(progress)
    assert (len(progress) > 1) == (entries < 10_000)


@pytest.mark.parametrize("name", one_in(4, NAMES, "rebuilt projections"))
def test_rebuilding_one_projection_keeps_the_others(matches: Matches, store: ReadStore, name: str) -> None:
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()
    before = all_rows(store)
    with store.transaction() as transaction:
        for table in PROJECTIONS[name].TABLES:
            transaction.change(f"DELETE FROM {table}")

    rebuild([name], matches, store, entries=1)

    assert all_rows(store) == before


def test_entries_during_a_rebuild_are_neither_lost_nor_duplicated(
    matches: Matches, store: ReadStore, tmp_path: Path
) -> None:
    loop = FollowerLoop(matches, store, tuple(PROJECTIONS.values()))
    loop.catch_up()

    def go_on(_: int) -> None:
        """Play and follow after the part that the rebuild has read."""
        if not matches.get(match_id(2)).is_over:
            play_match(matches, matches.get(match_id(2)), 1)
            loop.catch_up()

    rebuild(NAMES, matches, store, go_on, entries=1)
    play_match(matches, matches.get(match_id(2)), 2)
    loop.catch_up()
    fresh = ReadStore(tmp_path / "fresh.db")
    FollowerLoop(matches, fresh, tuple(PROJECTIONS.values())).catch_up()

    assert all_rows(store) == all_rows(fresh)
    assert store.least_offsets() == fresh.least_offsets()
    fresh.close()


def test_the_old_rows_are_read_until_the_new_ones_are_complete(matches: Matches, store: ReadStore) -> None:
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()
    before, comparisons = all_rows(store), list[bool]()

    rebuild(NAMES, matches, store, lambda _: comparisons.append(all_rows(store) == before), entries=1)

    assert len(comparisons) > 1
    assert all(comparisons)


def test_the_later_of_two_concurrent_rebuilds_continues(matches: Matches, store: ReadStore) -> None:
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()
    before = all_rows(store)

    def again(_: int) -> None:
        RebuildTables(["replay"], store).begin()

    with pytest.raises(RebuildSuperseded, match="another process has started to rebuild boards, replay; stopping"):
        rebuild(["boards", "replay"], matches, store, again)
    unharmed = all_rows(store)
    rebuild(["boards", "replay"], matches, store)

    assert before == unharmed == all_rows(store)


def test_an_empty_log_leaves_empty_tables(tmp_path: Path, store: ReadStore) -> None:
    with matches_in(tmp_path / "empty.db") as matches:
        assert rebuild(NAMES, matches, store).position == 0

    assert not any(table_rows for tables in all_rows(store).values() for table_rows in tables.values())


def test_a_consumer_ahead_of_the_rebuilt_tables_continues_from_their_end(matches: Matches, store: ReadStore) -> None:
    loop = FollowerLoop(matches, store, tuple(PROJECTIONS.values()))
    loop.catch_up()
    with store.transaction() as transaction:
        transaction.change(update(POSITIONS).where(POSITIONS.c.follower.like("replay%")).values(position=0))
        transaction.change("DELETE FROM replay")
    play_match(matches, matches.get(match_id(2)), 1)

    loop.catch_up()

    versions = [line.version for line in replay.lines(store, match_id(2))]
    assert versions == list(range(1, matches.get(match_id(2)).version + 1))


def test_the_narration_of_a_fork_starts_with_its_parent(matches: Matches, store: ReadStore) -> None:
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()
    parent, fork = (matches.get(match_id(number)) for number in (1, 3))
    shared = parent.version - 6

    lines = replay.lines(store, fork.id)

    assert [line.version for line in lines] == list(range(1, fork.version + 1))
    assert lines[:shared] == replay.lines(store, parent.id)[:shared]
    assert lines[shared].kind == "match_forked"
    assert replay.lines(store, fork.id, after=shared - 2, limit=4) == lines[shared - 2 : shared + 2]
    assert replay.lines(store, fork.id, after=shared) == lines[shared:]


def test_an_unknown_projection_is_refused(matches: Matches, store: ReadStore) -> None:
    with pytest.raises(UnknownProjection, match="unknown projection 'weather'; choose from absences, archive, audit"):
        rebuild(["weather"], matches, store)
