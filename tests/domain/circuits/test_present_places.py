"""The places of tournaments, seasons and circuits as contests of a circuit."""

from typing import Any
from uuid import UUID

from domain.circuits.counting import ContestStandings, circuit_standings
from domain.circuits.fact_base import ContestKey
from domain.circuits.present_places import (
    SIZE_BOUND,
    circuit_places,
    missing_contest,
    places_of,
    season_places,
    tournament_places,
)
from domain.kernel.values import replace
from domain.leagues import facts as league_facts
from domain.leagues import seasons
from domain.leagues.plan import Division
from domain.standings.contest import Stage
from domain.standings.results import TableResult
from domain.tournaments import facts, registration
from tests.domain.circuits.circuit_stories import ID, CircuitStory, contest, plan_with, standings_of, tournament
from tests.domain.leagues.test_leagues import PLAN
from tests.domain.leagues.test_leagues import Story as LeagueStory
from tests.domain.tournaments.building import BY, Story

EVENT = tournament(1)
SEASON = ContestKey("season", UUID(int=7), 1)


def summary(found: ContestStandings) -> tuple[Any, ...]:
    return found.status, found.size, found.is_open, found.size_max


def test_equal_places_are_shared_and_bots_take_places_without_a_result() -> None:
    ranked = [((2,), "b"), ((1,), "bot:greedy@1"), ((2,), ""), ((4,), "a"), ((5,), "b")]

    assert places_of(ranked) == ({"b": 2, "a": 4}, {1: 1, 2: 2, 4: 1, 5: 1}, 5)


def test_a_tournament_from_registration_to_its_end() -> None:
    story = Story(4, size=2, stages=(Stage("swiss", 2),), late_entry=False)
    upcoming = tournament_places(EVENT, story.state, story.results)
    story.play()
    running = tournament_places(EVENT, story.state, story.results)
    story.play()
    ended = tournament_places(EVENT, story.state, story.results)

    assert summary(upcoming) == ("upcoming", 4, True, SIZE_BOUND)
    assert summary(running) == ("running", 4, False, 4)
    assert summary(ended) == ("ended", 4, False, 4)
    assert (ended.name, ended.title, ended.is_over, running.is_over) == ("Cup", "la_granja", True, False)
    assert ended.places["p4"] == 1
    assert sorted(ended.places) == ["p1", "p2", "p3", "p4"]


def test_a_tournament_is_open_to_late_entries_in_its_first_stage_up_to_its_cap() -> None:
    story = Story(4, size=2, stages=(Stage("swiss", 1), Stage("final", 1, cut=2)), cap=6)
    assert summary(tournament_places(EVENT, story.state, {})) == ("upcoming", 4, True, 6)
    story.play()
    assert summary(tournament_places(EVENT, story.state, story.results)) == ("running", 4, True, 6)
    story.pair().publish()
    assert summary(tournament_places(EVENT, story.state, story.results)) == ("running", 4, False, 4)


def test_people_who_never_played_have_no_result_in_an_ended_tournament() -> None:
    story = Story(5, size=2, leftover="bye", stages=(Stage("swiss", 1),))
    story.set(("e1", "e2"), ("e3", "e4"), byes=("e5",)).result(1, 5, 3)
    present = tournament_places(EVENT, story.state, story.results)
    voided = story.state.rounds[0].tables[1].match
    assert voided is not None
    story.results[voided] = TableResult((), (), void=True)
    ended = tournament_places(EVENT, story.close().state, story.results)

    assert (present.size, ended.size) == (5, 3)
    assert sorted(ended.places) == ["p1", "p2", "p5"]


def test_a_tournament_that_ends_without_a_table_has_no_participants() -> None:
    story = Story(3).take(facts.TournamentEnded(BY))

    ended = tournament_places(EVENT, story.state, {})
    assert (ended.size, ended.places) == (0, {})
    assert standings_of(plan_with(), ended) == ()


def test_a_withdrawn_player_who_has_played_keeps_a_place() -> None:
    story = Story(4, size=2, stages=(Stage("swiss", 2),)).play()
    story.take(*registration.withdraw(story.state, "e1", "p1"), facts.TournamentEnded(BY))

    assert tournament_places(EVENT, story.state, story.results).places["p1"] > 1


def test_a_season_is_ranked_by_division_and_then_by_rank_in_the_groups() -> None:
    divisions = (Division("First", 1, 4, 0, 0), Division("Second", 0, 4, 0, 0))
    story = LeagueStory(replace(PLAN, size=2, divisions=divisions, cap=20))
    assert summary(season_places(SEASON, story.league, {})) == ("upcoming", 0, True, 20)
    story.adds(seasons.open_season(story.league, "org", "Spring"))
    for player in "abcdefghijkl":
        story.adds(seasons.enter(story.league, player, player, 0, is_organiser=False))
    registering = season_places(SEASON, story.league, {})
    story.adds(seasons.draw(story.league, "org", {}))
    story.opens_all()
    results = story.play_fixtures()
    running = season_places(SEASON, story.league, results)
    story.adds(seasons.close_season(story.league, "org", results))
    ended = season_places(SEASON, story.league, results)
    first, *others = [sorted(place.actor for place in group.places) for group in story.league.seasons[0].groups]

    assert summary(registering) == ("upcoming", 12, True, 20)
    assert set(registering.places.values()) == {1}
    assert summary(running) == ("running", 12, False, 12)
    assert summary(ended) == ("ended", 12, False, 12)
    assert (ended.name, ended.title) == ("Island league, Spring", "la_granja")
    assert [ended.places[actor] for actor in first] == [1, 2, 3, 4]
    assert [[ended.places[actor] for actor in group] for group in others] == [[5, 7, 9, 11]] * 2
    assert ended.tied == {1: 1, 2: 1, 3: 1, 4: 1, 5: 2, 7: 2, 9: 2, 11: 2}
    assert summary(season_places(replace(SEASON, season=3), story.league, {})) == ("missing", 0, False, 0)
    assert summary(season_places(replace(SEASON, season=2), story.league, {})) == ("upcoming", 0, True, 20)


def test_a_player_of_a_season_without_a_table_has_no_result_once_it_is_closed() -> None:
    story = LeagueStory(replace(PLAN, size=2, divisions=(Division("First", 0, 4),)))
    story.season("Spring", "abc")
    story.opens_all()
    results = story.play_fixtures()
    for fixture in list(results):
        results[fixture] = replace(results[fixture], void=True)
    story.adds(league_facts.SeasonClosed("org"))

    assert season_places(SEASON, story.league, results).size == 0


def test_a_circuit_counts_as_a_contest_of_another() -> None:
    key = ContestKey("circuit", ID)
    story = CircuitStory(results_min=2)
    empty = circuit_places(key, story.state, ())
    story.has(1, 2)
    contests = (contest(1, "a", "b", "c"), contest(2, "b", "a"))
    lines = circuit_standings(ID, story.state.plan, contests)
    running = circuit_places(key, story.state, lines)
    story.settles(*contests)
    ended = circuit_places(key, story.state, ())

    assert summary(empty) == ("upcoming", 0, True, SIZE_BOUND)
    assert summary(running) == ("running", 2, True, SIZE_BOUND)
    assert summary(ended) == ("ended", 2, False, 2)
    assert running.places == ended.places == {"a": 1, "b": 1}
    assert (ended.title, ended.name, ended.tied) == ("", "Island circuit", {1: 2})


def test_a_contest_that_cannot_be_read_counts_for_no_one() -> None:
    missing = missing_contest(EVENT, 50)

    assert (missing.status, missing.weight) == ("missing", 50)
    assert standings_of(plan_with(), missing) == ()
