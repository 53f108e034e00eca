"""The proposed draw of a season with a schedule: waiting players, departures and changes by the organiser."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.leagues import commands, proposals, seasons
from domain.leagues.facts import PlayerEntered
from domain.leagues.plan import Division, LeagueRefused
from tests.domain.leagues.season_clock import ID, PLAN, SeasonClock, draw_season
from tests.projections.tables import matches_in

PLAYERS = ("ann", "ben", "cleo", "dora", "eva", "fay", "gus", "hal")


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    with matches_in(tmp_path / "log.db") as matches:
        yield matches


def test_the_waiting_list_fills_vacancies_at_the_draw(matches: Matches) -> None:
    clock = SeasonClock(matches, replace(PLAN, cap=4))
    clock.take_until("register")
    clock.enter("ann", "ben", "cleo", "dora", "eva", "fay")
    season = clock.league.seasons[0]
    assert [(entry.actor, entry.waiting) for entry in season.entered][3:] == [
        ("dora", False),
        ("eva", True),
        ("fay", True),
    ]
    clock.do(lambda league: seasons.leave(league, "ann", "ann"))
    clock.take_until("propose")
    assert {*clock.league.seasons[0].proposed[0].players} == {"ben", "cleo", "dora", "eva"}
    clock.enter("gus")
    clock.do(lambda league: seasons.leave(league, "gus", "gus"))
    clock.do(lambda league: seasons.leave(league, "ben", "ben"))
    clock.take_until("draw")
    drawn_players = {place.actor for place in clock.league.seasons[0].groups[0].places}
    assert drawn_players == {"cleo", "dora", "eva", "fay"}


def test_a_group_shrinks_if_no_one_waits(matches: Matches) -> None:
    clock = SeasonClock(matches)
    clock.take_until("register")
    clock.enter(*PLAYERS)
    clock.take_until("propose")
    clock.do(lambda league: seasons.leave(league, "ann", "ann"))
    clock.take_until("draw")

    assert [len(group.places) for group in clock.league.seasons[0].groups] == [3, 4]


def test_a_group_that_fills_no_table_is_drawn_again_with_the_others(matches: Matches) -> None:
    clock = SeasonClock(matches, replace(PLAN, divisions=(Division("First", 1, 2), Division("Second", 0, 4))))
    clock.take_until("register")
    clock.enter(*PLAYERS[:4])
    clock.take_until("propose")
    clock.do(lambda league: seasons.leave(league, "ann", "ann"))
    clock.take_until("draw")

    assert [[place.actor for place in group.places] for group in clock.league.seasons[0].groups] == [
        ["ben", "cleo", "dora"]
    ]


def test_an_organiser_changes_the_proposed_draw(matches: Matches) -> None:
    clock = SeasonClock(matches)
    clock.take_until("register")
    with pytest.raises(LeagueRefused, match="the draw of season 1 is not proposed yet"):
        proposals.swap(clock.league, "org", "ann", "eva", "Friends.")
    clock.enter(*PLAYERS)
    with pytest.raises(LeagueRefused, match="season 1 is drawn by its schedule, at "):
        seasons.draw(clock.league, "org", {})
    clock.take_until("propose")
    clock.do(lambda league: proposals.swap(league, "org", "ann", "eva", "Friends."))
    clock.do(lambda league: proposals.move(league, "org", "ben", 1, "Strength."))
    for change, why in (
        (lambda league: proposals.swap(league, "org", "ann", "zoe", "x"), "zoe is not in the proposed draw"),
        (lambda league: proposals.move(league, "org", "ben", 1, "x"), "ben is already in group 2"),
        (lambda league: proposals.move(league, "org", "ben", 2, "x"), "the draw has groups 1 to 2, not 3"),
        (lambda league: proposals.swap(league, "org", "ann", "eva", " "), "a change of the draw needs a reason"),
    ):
        with pytest.raises(LeagueRefused, match=why):
            clock.do(change)
    clock.take_until("draw")
    groups = [{place.actor for place in group.places} for group in clock.league.seasons[0].groups]
    assert groups == [{"eva", "cleo", "dora"}, {"ann", "ben", "fay", "gus", "hal"}]


def test_a_group_that_just_fills_a_table_loses_no_one(matches: Matches) -> None:
    clock = SeasonClock(matches, replace(PLAN, divisions=(Division("First", 1, 2), Division("Second", 0, 4))))
    clock.take_until("register")
    clock.enter(*PLAYERS[:4])
    clock.take_until("propose")

    with pytest.raises(LeagueRefused, match="group 1 has only 2 players, who fill a table"):
        proposals.move(clock.league, "org", "ann", 1, "x")


def test_the_rounds_of_a_schedule_are_not_opened_by_hand(matches: Matches) -> None:
    clock = draw_season(matches, "ann", "ben")

    with pytest.raises(LeagueRefused, match="the rounds of season 1 are opened by its schedule"):
        seasons.open_round(clock.league, "org", clock.at)


def test_a_plan_with_more_places_promotes_waiting_players(matches: Matches) -> None:
    clock = SeasonClock(matches, replace(PLAN, cap=2))
    clock.take_until("register")
    clock.enter(*PLAYERS[:4])
    commands.change_plan(matches, ID, "org", replace(PLAN, cap=3), at=clock.at)

    assert [entry.waiting for entry in clock.league.seasons[0].entered] == [False, False, False, True]


def test_entries_decided_together_share_the_places(matches: Matches) -> None:
    clock = SeasonClock(matches, replace(PLAN, cap=2))
    clock.take_until("register")
    clock.enter("ann")
    entered = {"ann"}
    decided = [
        seasons.enter(clock.league, "org", bot, 0, is_organiser=True, entered=entered, added=added)
        for added, bot in enumerate(("bot:y@1", "bot:z@1"))
    ]

    assert [isinstance(fact, PlayerEntered) and fact.waiting for fact in decided] == [False, True]
