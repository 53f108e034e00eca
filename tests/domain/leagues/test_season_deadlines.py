"""Deadlines of seasons by the clock."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from domain.contests.deadlines import ASKED_AGAIN, BY_LOT, NO_ORGANISER, DeadlineRule
from domain.contests.duties import DueStep
from domain.eventstore.application import Matches
from domain.leagues.plan import Division, LeagueRefused
from domain.leagues.state import match_of
from domain.matches.facts import SERVICE
from domain.matches.play.commands import void
from domain.standings.results import TableResult
from tests.domain.leagues.season_clock import DAY, ID, STARTS, dates, draw_season
from tests.projections.tables import matches_in

PLAYERS = ("ann", "ben", "cleo", "dora", "eva", "fay", "gus", "hal")


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    with matches_in(tmp_path / "log.db") as matches:
        yield matches


def test_the_deadline_decides_each_table_with_its_reason(matches: Matches) -> None:
    clock = draw_season(matches, *PLAYERS)
    clock.take_until("open")
    clock.play((0, 1, 2), (1, 1, 1))
    assert [clock.take() for _ in range(4)] == ["remind", "expire", "round", "open"]
    season = clock.league.seasons[0]
    rulings = [ruling for group in season.groups for ruling in group.ruled]

    assert [(each.round, each.table, each.by, each.reason) for each in rulings] == [
        (1, 2, SERVICE, BY_LOT),
        (1, 1, SERVICE, BY_LOT),
    ]
    assert all(sorted(each.places) == [1, 2] for each in rulings)
    assert clock.matches.get(match_of(ID, 1, 0, 1, 2)).is_over
    assert season.clocks[0].expired == season.deadlines[0]


def test_unfinished_tables_are_extended_once(matches: Matches) -> None:
    clock = draw_season(
        matches, *PLAYERS[:2], deadlines=DeadlineRule(consequence="lots", extension_days=3, reminders=(60,))
    )
    clock.take_until("expire")
    assert dates(*clock.league.seasons[0].deadlines) == [10 * DAY]
    assert clock.taken[-2:] == ["remind", "expire"]
    assert [clock.take() for _ in range(3)] == ["remind", "expire", "close"]


def test_the_next_round_does_not_wait_for_extended_tables(matches: Matches) -> None:
    clock = draw_season(
        matches, *PLAYERS[:4], deadlines=DeadlineRule(consequence="lots", extension_days=3, reminders=())
    )
    clock.take_until("expire")

    assert [clock.take() for _ in range(4)] == ["round", "open", "expire", "expire"]
    assert clock.league.seasons[0].clocks[0].expired == STARTS + 10 * DAY


def test_ten_tables_are_decided_at_once(matches: Matches) -> None:
    players = tuple(f"p{number}" for number in range(24))
    clock = draw_season(matches, *players, divisions=(Division("All", 0, 4),))
    clock.take_until("open")
    clock.take_until("expire")
    decided = sum(len(group.ruled) for group in clock.league.seasons[0].groups)

    assert (decided, clock.league.seasons[0].clocks[0].expired) == (10, None)
    assert clock.take() == "expire"
    assert clock.league.seasons[0].clocks[0].expired is not None
    assert sum(len(group.ruled) for group in clock.league.seasons[0].groups) == 12


def test_disputed_tables_wait_for_their_ruling(matches: Matches) -> None:
    clock = draw_season(matches, "ann", "ben")
    clock.take_until("open")
    match = match_of(ID, 1, 0, 1, 1)
    clock.take()
    clock.take([match])
    season = clock.league.seasons[0]

    assert (clock.taken[-1], season.groups[0].ruled) == ("expire", ())
    assert clock.duty() == DueStep("expire", clock.at + ASKED_AGAIN)
    clock.results[match] = TableResult((1, 2), (3, 2))
    with pytest.raises(LeagueRefused, match="disputes about these tables are still open"):
        clock.take([match])
    assert clock.take() == "close"


def test_an_organiser_can_decide_unfinished_tables(matches: Matches) -> None:
    clock = draw_season(matches, "ann", "ben", deadlines=DeadlineRule(reminders=()))
    clock.take_until("expire")
    season = clock.league.seasons[0]

    assert season.groups[0].ruled == ()
    assert clock.duty() == DueStep("expire", season.deadlines[0] + timedelta(days=7))
    assert [clock.take() for _ in range(2)] == ["expire", "close"]
    assert [each.reason for each in clock.league.seasons[0].groups[0].ruled] == [f"{NO_ORGANISER}; by lot"]


def test_a_table_that_ended_meanwhile_is_not_ruled(matches: Matches) -> None:
    clock = draw_season(matches, "ann", "ben")
    clock.take_until("open")
    clock.take()
    match = matches.get(match_of(ID, 1, 0, 1, 1))
    matches.append(match.id, clock.at, lambda current: void(current, SERVICE))
    assert clock.take() == "expire"
    assert clock.league.seasons[0].groups[0].ruled == ()
