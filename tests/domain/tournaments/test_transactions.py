"""Commands are atomic: a failure of the store leaves nothing behind."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from eventsourcing.persistence import PersistenceError

from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.title import Titles
from domain.matches.log.records import Record
from domain.titles import TITLES
from domain.tournaments import commands, no_shows, rounds
from tests.domain.tournaments.building import AT, BY, EVENT
from tests.domain.tournaments.test_commands import BOT, start_event


class FailingMatches(Matches):
    """A store that fails after this many transactions."""

    left = 1_000

    def save(self, *events: Any, **kwargs: Any) -> None:
        if events and self.left == 0:
            raise PersistenceError("the disk is full")
        self.left -= bool(events)
        super().save(*events, **kwargs)


def open_brittle(folder: Path, titles: Titles = TITLES) -> FailingMatches:
    opened = open_store(store_env(folder / "log.db"), titles=titles)
    return FailingMatches(opened.log, opened.dependencies, opened.lines, opened.streams)


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[FailingMatches]:
    matches = open_brittle(tmp_path)
    yield matches
    matches.close()


def records(matches: Matches) -> tuple[Record, ...]:
    return matches.streams.records(EVENT)


def playing(matches: Matches) -> commands.TournamentStream:
    """Start a round of one table whose match is running."""
    event = start_event(matches, "ann", "ben")
    match = commands.open_table(matches, EVENT, 1, 1, at=AT)
    assert match is not None
    for seat, info in enumerate(match.seats):
        assert info.actor is not None
        matches.ready(match.id, seat, info.actor, at=AT)
    return event


@pytest.mark.parametrize("left", range(5))
def test_a_no_show_and_the_seating_of_the_bot_are_atomic(matches: FailingMatches, left: int) -> None:
    event = start_event(matches, "ann", "ben")
    commands.open_table(matches, EVENT, 1, 1, at=AT)
    table = event.state.rounds[0].tables[0]
    assert table.match is not None
    before, line = records(matches), matches.get(table.match).version
    matches.left = left

    try:
        no_shows.record_no_show(matches, EVENT, 1, table.entries[0], BOT, "not seen", BY, at=AT)
        is_done = True
    except PersistenceError:
        is_done = False

    assert is_done == (left > 0)
    assert len(records(matches)) == len(before) + is_done
    assert (matches.get(table.match).version > line) == is_done
    assert (matches.get(table.match).seats[0].actor == BOT) == is_done


@pytest.mark.parametrize("left", range(4))
def test_a_ruling_and_the_voiding_of_its_match_are_atomic(matches: FailingMatches, left: int) -> None:
    event = playing(matches)
    table = event.state.rounds[0].tables[0]
    assert table.match is not None
    before = records(matches)
    matches.left = left

    try:
        commands.rule_table(
            matches, EVENT, lambda state: rounds.rule_table(state, 1, 1, (1, 0), (1, 2), "late", BY), at=AT
        )
        is_done = True
    except PersistenceError:
        is_done = False

    assert is_done == (left > 0)
    assert len(records(matches)) == len(before) + is_done
    assert (matches.get(table.match).status == "void") == is_done


@pytest.mark.parametrize("left", range(3))
def test_opening_a_table_and_seating_its_players_are_atomic(matches: FailingMatches, left: int) -> None:
    event = start_event(matches, "ann", "ben")
    match_id = event.state.rounds[0].tables[0].match
    assert match_id is not None
    matches.left = left

    try:
        commands.open_table(matches, EVENT, 1, 1, at=AT)
        is_done = True
    except PersistenceError:
        is_done = False

    assert is_done == (left > 0) == matches.lines.has(match_id)
    assert not is_done or all(info.actor for info in matches.get(match_id).seats)
