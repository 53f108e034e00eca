"""Absences in a season: the times of its rounds, and bots in the seats of players who are away."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.contests.absences import Absences, Period
from domain.contests.times import Break
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.leagues import seasons
from domain.leagues.availability import state_absences
from domain.leagues.invitation_facts import InvitedTo
from domain.leagues.invitations import accept
from domain.leagues.plan import Division, LeagueRefused
from domain.leagues.season_state import GroupPlace
from domain.leagues.standings import group_table
from domain.leagues.substitutes import substitute
from tests.domain.leagues.season_clock import DAY, PLAN, SCHEDULE, STARTS, SeasonClock, draw_season
from tests.projections.tables import matches_in

PLAYERS = ("ann", "ben", "cleo", "dora", "eva", "fay", "gus", "hal")


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    with matches_in(tmp_path / "log.db") as matches:
        yield matches


def state(clock: SeasonClock, player: str, *rounds: int, periods: tuple[Period, ...] = ()) -> None:
    clock.do(lambda league: state_absences(league, player, player, Absences(rounds, periods), clock.at))


def test_a_bot_plays_for_a_player_who_is_away_and_counts_for_no_one(matches: Matches) -> None:
    clock = draw_season(matches, *PLAYERS[:4])
    state(clock, "ann", 1, 2)
    clock.run_season()
    season = clock.league.seasons[0]
    place = next(place for place in season.groups[0].places if place.first == "ann")
    played = {line.actor: line.standing.played for line in group_table(clock.league, season, 0, clock.results)}

    assert [place.in_round(number) for number in (1, 2, 3)] == ["bot:x@1", "bot:x@1", "ann"]
    assert played == {"ann": 1, "ben": 3, "cleo": 3, "dora": 3}
    clock.take_until("register")
    assert {each.actor for each in clock.league.invitations.open} == {*PLAYERS[:4]}


def test_an_absence_in_the_last_round_leaves_the_place_to_its_player(matches: Matches) -> None:
    clock = draw_season(matches, *PLAYERS[:4])
    state(clock, "ann", 3)
    clock.run_season()

    assert {place.actor for place in clock.league.seasons[0].groups[0].places} == {*PLAYERS[:4]}


def test_a_player_who_sits_out_needs_no_bot(matches: Matches) -> None:
    clock = draw_season(matches, *PLAYERS[:3], divisions=(Division("All", 0, 3),))
    season = clock.league.seasons[0]
    (free,) = set(range(3)) - {place for table in season.groups[0].rounds[0] for place in table}
    player = season.groups[0].places[free].actor
    state(clock, player, 1)
    clock.take_until("open")

    assert len(clock.league.seasons[0].groups[0].places[free].holders) == 1


def test_a_player_who_is_away_and_then_leaves_gets_a_bot_until_the_end(matches: Matches) -> None:
    clock = draw_season(matches, *PLAYERS[:4])
    state(clock, "ann", 1)
    clock.take_until("open")
    clock.play()
    clock.do(lambda league: seasons.leave(league, "ann", "ann"))
    clock.run_season()
    place = next(place for place in clock.league.seasons[0].groups[0].places if place.first == "ann")

    assert [holder.actor for holder in place.holders] == ["ann", "bot:x@1", "bot:x@1"]


def test_the_rounds_of_an_organiser_have_bots_for_players_who_are_away(matches: Matches) -> None:
    clock = SeasonClock(matches, replace(PLAN, schedule=None))
    with pytest.raises(LeagueRefused, match="the league has no season yet"):
        state(clock, "ann", 1)
    clock.do(lambda league: seasons.open_season(league, "org", "Spring"))
    clock.enter(*PLAYERS[:4])
    clock.do(lambda league: seasons.draw(league, "org", {}))
    state(clock, "ann", 1)
    clock.do(lambda league: seasons.open_round(league, "org", clock.at))
    season = clock.league.seasons[0]

    assert "bot:x@1" in {place.in_round(1) for place in season.groups[0].places}


def test_without_a_bot_the_player_keeps_the_seat(matches: Matches) -> None:
    clock = SeasonClock(matches, replace(PLAN, schedule=None, bot=""))
    clock.do(lambda league: seasons.open_season(league, "org", "Spring"))
    clock.enter(*PLAYERS[:2])
    clock.do(lambda league: seasons.draw(league, "org", {}))
    state(clock, "ann", 1)
    clock.do(lambda league: seasons.open_round(league, "org", clock.at))

    assert {place.in_round(1) for place in clock.league.seasons[0].groups[0].places} == {"ann", "ben"}


def test_absences_by_date_are_compared_with_the_rounds_after_breaks(matches: Matches) -> None:
    breaks = (Break(STARTS + 8 * DAY, STARTS + 10 * DAY), Break(STARTS + 14 * DAY, STARTS + 15 * DAY))
    clock = draw_season(matches, *PLAYERS[:4], schedule=replace(SCHEDULE, breaks=breaks))
    state(clock, "ann", periods=(Period(STARTS + 15 * DAY, STARTS + 19 * DAY),))
    state(clock, "ben", periods=(Period(STARTS + 7 * DAY, STARTS + 10 * DAY),))
    clock.run_season()

    assert [{place.in_round(number) for place in places_of(clock)} & {"ann", "ben"} for number in (1, 2, 3)] == [
        {"ann", "ben"},
        {"ann", "ben"},
        {"ben"},
    ]


def places_of(clock: SeasonClock) -> tuple[GroupPlace, ...]:
    return tuple(place for group in clock.league.seasons[0].groups for place in group.places)


def place_of(clock: SeasonClock, player: str) -> GroupPlace:
    return next(place for place in places_of(clock) if place.first == player)


def place_index(clock: SeasonClock, player: str) -> int:
    return next(at for at, place in enumerate(places_of(clock)) if place.first == player)


def test_a_substitute_named_for_a_later_round_plays_after_the_absence_of_the_player(matches: Matches) -> None:
    clock = draw_season(matches, *PLAYERS[:4])
    state(clock, "ann", 1)
    clock.do(lambda league: substitute(league, "org", 0, "ann", "zoe", 3, "She moves house."))
    at = place_index(clock, "ann")
    clock.do(lambda league: accept(league, "zoe", InvitedTo(1, 0, at, 3), 0))
    clock.take_until("open")

    assert [place_of(clock, "ann").in_round(number) for number in (1, 2, 3)] == ["bot:x@1", "ann", "zoe"]


def test_a_substitute_who_plays_from_the_next_round_is_not_replaced_for_the_absence_of_the_first(
    matches: Matches,
) -> None:
    clock = draw_season(matches, *PLAYERS[:4])
    state(clock, "ann", 1, 2)
    clock.do(lambda league: substitute(league, "org", 0, "ann", "zoe", 2, "She moves house."))
    at = place_index(clock, "ann")
    clock.do(lambda league: accept(league, "zoe", InvitedTo(1, 0, at, 2), 0))
    clock.run_season()

    assert [place_of(clock, "ann").in_round(number) for number in (1, 2, 3)] == ["bot:x@1", "zoe", "zoe"]


def test_a_player_who_left_a_season_played_at_once_gets_one_bot_for_all_its_rounds(matches: Matches) -> None:
    clock = draw_season(matches, *PLAYERS[:4], at_once=True)
    at = place_index(clock, "ann")
    clock.do(lambda league: seasons.leave(league, "ann", "ann"))
    version = clock.stream.version
    clock.take_until("round")
    place = places_of(clock)[at]

    assert [(holder.actor, holder.from_round) for holder in place.holders] == [("bot:x@1", 1)]
    assert clock.stream.version == version + 1 + 3


def test_an_absence_in_a_league_without_dates_is_compared_with_the_actual_round(matches: Matches) -> None:
    clock = SeasonClock(matches, replace(PLAN, schedule=None))
    clock.do(lambda league: seasons.open_season(league, "org", "Spring"))
    clock.enter(*PLAYERS[:4])
    clock.do(lambda league: seasons.draw(league, "org", {}))
    state(clock, "ann", periods=(Period(clock.at, clock.at + 5 * DAY),))
    clock.do(lambda league: seasons.open_round(league, "org", clock.at))

    assert place_of(clock, "ann").in_round(1) == "bot:x@1"


def test_an_absence_from_half_of_a_season_that_is_played_at_once_is_one_from_all_its_rounds(matches: Matches) -> None:
    clock = draw_season(matches, *PLAYERS[:4], at_once=True)
    state(clock, "ann", periods=(Period(STARTS, STARTS + 11 * DAY),))
    state(clock, "ben", periods=(Period(STARTS, STARTS + 10 * DAY),))
    clock.take_until("round")
    holders = {
        place.first: [each.actor for each in place.holders] for place in clock.league.seasons[0].groups[0].places
    }

    assert holders["ann"] == ["ann", "bot:x@1", "bot:x@1", "bot:x@1", "ann"]
    assert holders["ben"] == ["ben"]


def test_an_invited_substitute_may_still_accept_the_place_from_the_bot(matches: Matches) -> None:
    clock = draw_season(matches, *PLAYERS[:4])
    clock.do(lambda league: seasons.leave(league, "ann", "ann"))
    season = clock.league.seasons[0]
    at = next(at for at, place in enumerate(season.groups[0].places) if place.actor == "ann")
    clock.do(lambda league: substitute(league, "org", 0, "ann", "zoe", 1, "Gone."))
    clock.take_until("open")
    assert clock.league.seasons[0].groups[0].places[at].actor == "bot:x@1"
    clock.do(lambda league: accept(league, "zoe", InvitedTo(1, 0, at, 1), 0))
    place = clock.league.seasons[0].groups[0].places[at]

    assert [place.in_round(number) for number in (1, 2)] == ["bot:x@1", "zoe"]
    assert clock.league.has_accepted("zoe", 1)


def test_an_absence_is_stated_for_a_season_that_is_not_over(matches: Matches) -> None:
    clock = draw_season(matches, *PLAYERS[:2])
    with pytest.raises(LeagueRefused, match="zoe has no place in season 1"):
        state(clock, "zoe", 1)
    clock.run_season()
    with pytest.raises(LeagueRefused, match="ann has no place in season 1"):
        state(clock, "ann", 1)
