"""Seasons by the clock: registration, draw, rounds, deadlines and the next season, without an organiser."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from domain.contests.deadlines import BY_LOT, DeadlineRule
from domain.contests.times import Break
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.leagues import commands, seasons, steps
from domain.leagues.duties import SeasonTables, expected_rounds, next_round_opens, registration_opens
from domain.leagues.facts import SeasonDrawn
from domain.leagues.holidays import tables_of_place
from domain.leagues.invitation_facts import WHOLE_LEAGUE, InvitedTo
from domain.leagues.invitations import decline, invite
from domain.leagues.plan import LeagueRefused
from domain.leagues.standings import fixtures, group_table
from domain.leagues.state import match_of
from domain.matches.errors import StaleVersion
from tests.domain.leagues.season_clock import DAY, ID, PLAN, SCHEDULE, STARTS, SeasonClock, dates, draw_season
from tests.domain.leagues.test_leagues import Story
from tests.projections.tables import START, matches_in

PLAYERS = ("ann", "ben", "cleo", "dora", "eva", "fay", "gus", "hal")

EXTENDING = DeadlineRule(consequence="lots", extension_days=3, reminders=())


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    with matches_in(tmp_path / "log.db") as matches:
        yield matches


@pytest.mark.parametrize(("at_once", "rounds"), [(False, [(2, 7, 14), (3, 14, 21)]), (True, [])])
def test_rounds_that_are_not_open_have_expected_times(
    matches: Matches, at_once: bool, rounds: list[tuple[int, int, int]]
) -> None:
    """Rounds that are played at once are all open after the first."""
    clock = SeasonClock(matches, replace(PLAN, at_once=at_once))
    clock.take_until("register")
    clock.enter(*PLAYERS)
    assert list(expected_rounds(clock.league, clock.league.seasons[0])) == []
    clock.take_until("draw")
    drawn = clock.league.seasons[0]
    assert [(number, ends) for number, _, ends in expected_rounds(clock.league, drawn)][-1] == (3, STARTS + 21 * DAY)
    clock.take_until("open")
    season = clock.league.seasons[0]
    expected = [(number, *dates(starts, ends)) for number, starts, ends in expected_rounds(clock.league, season)]
    assert expected == [(number, starts * DAY, ends * DAY) for number, starts, ends in rounds]


def test_a_season_without_a_schedule_has_no_expected_times() -> None:
    story = Story()
    story.season("Spring", "abcdefg")

    assert list(expected_rounds(story.league, story.league.seasons[0])) == []


def test_two_seasons_follow_each_other_without_an_organiser(matches: Matches) -> None:
    clock = draw_season(matches, *PLAYERS)
    first = clock.league.seasons[0]

    assert (first.name, [len(group.places) for group in first.groups]) == ("Season 1", [4, 4])
    assert dates(first.starts, first.entry_closes, first.drawn_at) == [0 * DAY, -2 * DAY, timedelta(seconds=1)]
    clock.run_season()
    ended = clock.league.seasons[0]
    # The second round would start in a break.
    assert dates(*ended.deadlines) == [7 * DAY, 14 * DAY, 21 * DAY]
    moved = [line.actor for at in (0, 1) for line in group_table(clock.league, ended, at, clock.results) if line.moves]
    assert len(moved) == 2
    clock.take_until("register")
    assert {each.actor for each in clock.league.invitations.open} == {*PLAYERS}
    clock.accept_all()
    clock.take_until("draw")
    second = clock.league.seasons[1]
    groups = [{place.actor for place in group.places} for group in second.groups]
    former = [{place.actor for place in group.places} for group in ended.groups]
    assert [after - before for after, before in zip(groups, former, strict=True)] == [{moved[1]}, {moved[0]}]
    assert dates(second.starts) == [35 * DAY]


def test_a_round_starts_after_the_break_it_would_fall_into(matches: Matches) -> None:
    clock = draw_season(
        matches, *PLAYERS[:4], schedule=replace(SCHEDULE, breaks=(Break(STARTS + 6 * DAY, STARTS + 9 * DAY),))
    )
    clock.run_season()

    assert dates(*clock.league.seasons[0].deadlines) == [7 * DAY, 16 * DAY, 23 * DAY]


def test_a_season_played_at_once_has_one_deadline(matches: Matches) -> None:
    clock = draw_season(matches, *PLAYERS[:4], at_once=True)
    clock.take_until("round")

    assert dates(*clock.league.seasons[0].deadlines) == [21 * DAY] * 3


def test_too_few_players_postpone_a_season(matches: Matches) -> None:
    clock = SeasonClock(matches)
    clock.take_until("register")
    clock.enter("ann")
    clock.take_until("propose")
    season = clock.league.seasons[0]

    assert dates(season.entry_closes, season.starts) == [5 * DAY + timedelta(seconds=1), 7 * DAY + timedelta(seconds=1)]
    clock.enter("ben")
    clock.take_until("draw")
    assert clock.league.seasons[0].status == "running"


def test_a_bot_plays_for_players_who_leave_and_counts_for_no_one(matches: Matches) -> None:
    clock = draw_season(matches, *PLAYERS[:4])
    clock.take_until("open")
    clock.play()
    clock.do(lambda league: seasons.leave(league, "ann", "ann"))
    clock.do(lambda league: seasons.leave(league, "ben", "ben"))
    clock.run_season()
    season = clock.league.seasons[0]
    holders = {place.first: place.actor for place in season.groups[0].places}
    lines = {line.first: line.standing for line in group_table(clock.league, season, 0, clock.results)}

    assert (holders["ann"], holders["ben"], holders["cleo"]) == ("bot:x@1", "bot:x@1", "cleo")
    assert lines["ann"].played == lines["ben"].played == 1
    assert lines["cleo"].played == lines["dora"].played == 3
    clock.take_until("register")
    assert {each.actor for each in clock.league.invitations.open} == {"cleo", "dora"}


def test_an_early_departure_annuls_the_tables_of_the_place(matches: Matches) -> None:
    clock = draw_season(matches, *PLAYERS[:4], withdrawal="annul")
    clock.take_until("open")
    clock.play()
    clock.do(lambda league: seasons.leave(league, "ann", "ann"))
    before = {
        line.first: line.standing.played
        for line in group_table(clock.league, clock.league.seasons[0], 0, clock.results)
    }
    clock.take_until("round")
    clock.do(lambda league: seasons.leave(league, "ben", "ben"))
    group = clock.league.seasons[0].groups[0]

    assert before == {"ann": 0, "ben": 1, "cleo": 1, "dora": 1}
    assert [group.places[place].first for place in group.annulled] == ["ann"]


def test_rulings_at_deadlines_do_not_count_for_bots(matches: Matches) -> None:
    clock = draw_season(matches, *PLAYERS[:4])
    clock.do(lambda league: seasons.leave(league, "ann", "ann"))
    clock.take_until("expire")
    lines = group_table(clock.league, clock.league.seasons[0], 0, clock.results)

    assert {line.first: line.standing.played for line in lines} == {"bot:x@1": 0, "ben": 1, "cleo": 1, "dora": 1}


def test_bots_enter_again_and_people_who_declined_are_not_asked(matches: Matches) -> None:
    clock = SeasonClock(matches)
    clock.take_until("register")
    clock.enter("ann", "ben", "cleo")
    clock.do(lambda league: seasons.enter(league, "org", "bot:y@1", 0, is_organiser=True))
    clock.take_until("draw")
    clock.run_season()
    clock.take_until("register")
    clock.do(lambda league: decline(league, "ann", InvitedTo(2)))
    season = clock.league.seasons[1]

    assert [entry.actor for entry in season.entered] == ["bot:y@1"]
    assert {each.actor for each in clock.league.invitations.open} == {"ben", "cleo"}


def test_people_who_declined_the_league_are_not_asked_again(matches: Matches) -> None:
    clock = draw_season(matches, "ann", "ben")
    clock.run_season()
    clock.do(lambda league: invite(league, "org", "ann"))
    clock.do(lambda league: decline(league, "ann", WHOLE_LEAGUE))
    clock.take_until("register")

    assert [each.actor for each in clock.league.invitations.open] == ["ben"]


def test_a_table_that_was_never_opened_is_decided_too(matches: Matches) -> None:
    clock = draw_season(matches, "ann", "ben", deadlines=DeadlineRule(consequence="lots", reminders=()))
    clock.take_until("round")
    clock.at = STARTS + 7 * DAY
    steps.expire(matches, ID, SeasonTables({match_of(ID, 1, 0, 1, 1)}, ()), (), at=clock.at)

    assert [ruling.reason for ruling in clock.league.seasons[0].groups[0].ruled] == [BY_LOT]
    assert not matches.lines.has(match_of(ID, 1, 0, 1, 1))


def test_only_players_of_unfinished_rounds_are_reminded(matches: Matches) -> None:
    rule = DeadlineRule(consequence="lots", extension_days=10, reminders=(1440, 60))
    clock = draw_season(matches, *PLAYERS[:4], deadlines=rule, schedule=replace(SCHEDULE, break_days=20))
    clock.take_until("open")
    clock.play((0, 1, 2))
    clock.take_until("round")
    clock.take()
    clock.play((0, 1, 2), (0, 2, 1))
    clock.take()

    assert (clock.taken[-1], [each.reminded for each in clock.league.seasons[0].clocks]) == ("remind", [60, 1440])
    clock.play((0, 2, 1))
    clock.take()
    assert [each.reminded for each in clock.league.seasons[0].clocks] == [60, 60]


def test_a_step_is_taken_at_its_time_and_once(matches: Matches) -> None:
    clock = SeasonClock(matches)
    nothing = SeasonTables((), {})
    with pytest.raises(LeagueRefused, match="the step 'register' is not due before 2"):
        steps.require_step(clock.league, "register", nothing, START)
    with pytest.raises(LeagueRefused, match="the step 'close' is not the next one"):
        steps.require_step(clock.league, "close", nothing, STARTS)
    clock.take_until("register")
    clock.enter("ann", "ben")
    clock.take_until("remind")
    with pytest.raises(StaleVersion):
        steps.expire(matches, ID, clock.tables(), (), at=STARTS + 8 * DAY, expected_version=1)


def test_a_late_service_leaves_time_to_register(matches: Matches) -> None:
    clock = SeasonClock(matches)
    clock.at = STARTS + 100 * DAY
    clock.take()
    season = clock.league.seasons[0]

    assert season.starts == clock.at + SCHEDULE.lead
    clock.enter("ann", "ben")
    clock.take_until("draw")
    clock.at += 200 * DAY
    clock.run_season()
    ended = clock.at
    clock.take_until("register")
    assert clock.league.seasons[1].starts is not None
    assert clock.league.seasons[1].starts >= ended + SCHEDULE.lead


def test_readers_see_when_the_service_acts_next(matches: Matches) -> None:
    clock = SeasonClock(matches)
    assert registration_opens(clock.league) == STARTS - SCHEDULE.lead
    assert tables_of_place(clock.league, ID, 0, ()) is None
    clock.take()
    assert registration_opens(clock.league) is None
    clock.enter("ann", "ben")
    clock.take_until("draw")
    assert next_round_opens(clock.league, clock.league.seasons[0]) == STARTS


def test_a_season_of_an_organiser_stays_so_and_the_schedule_follows(matches: Matches) -> None:
    clock = SeasonClock(matches, replace(PLAN, schedule=None))
    assert clock.duty() is None
    clock.do(lambda league: seasons.open_season(league, "org", "Season 2"))
    clock.enter("ann", "ben")
    clock.do(lambda league: seasons.draw(league, "org", {}))
    commands.change_plan(matches, ID, "org", PLAN, "From now on.", at=clock.at)
    clock.do(lambda league: seasons.open_round(league, "org", clock.at))
    clock.take_until("open")
    clock.play()
    assert clock.duty() is None
    clock.do(lambda league: seasons.close_season(league, "org", clock.results))
    clock.take_until("register")
    assert clock.league.seasons[1].name == "Season 3"


def test_an_abandoned_schedule_leaves_the_season_to_the_organiser(matches: Matches) -> None:
    clock = SeasonClock(matches)
    clock.take_until("register")
    clock.enter("ann", "ben")
    commands.change_plan(matches, ID, "org", replace(PLAN, schedule=None), at=clock.at)

    assert clock.duty() is None
    assert isinstance(seasons.draw(clock.league, "org", {}), SeasonDrawn)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"schedule": replace(SCHEDULE, zone="Mars/Base")}, "unknown time zone 'Mars/Base'"),
        ({"schedule": replace(SCHEDULE, break_days=8)}, "the 8 days between seasons are too short"),
        ({"schedule": replace(SCHEDULE, breaks=(Break(STARTS, STARTS, "x"),))}, "the break 'x'"),
        ({"schedule": replace(SCHEDULE, breaks=(Break(STARTS, STARTS + DAY, "a\nb"),))}, "a break"),
        (
            {"deadlines": DeadlineRule(extension_days=6)},
            r"registration \(7\), the draw \(2\) and the extension of deadlines \(6\) take 15 days",
        ),
    ],
)
def test_a_schedule_that_contradicts_itself_is_refused(matches: Matches, changes: dict[str, Any], why: str) -> None:
    with pytest.raises(LeagueRefused, match=why):
        commands.open_league(matches, ID, "org", replace(PLAN, **changes), at=START)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"bot": ""}, "a league with a schedule needs a bot, which plays for people who leave"),
        ({"cap": 1}, "a season for 1 players does not fill a table of 2"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused(matches: Matches, changes: dict[str, Any], why: str) -> None:
    with pytest.raises(LeagueRefused, match=why):
        commands.open_league(matches, ID, "org", replace(PLAN, **changes), at=START)


def test_the_fixtures_of_annulled_places_show_their_absence(matches: Matches) -> None:
    clock = draw_season(matches, "ann", "ben", withdrawal="annul", rounds=3)
    clock.take_until("open")
    clock.play()
    clock.do(lambda league: seasons.leave(league, "ann", "ann"))
    first = fixtures(clock.league, clock.league.seasons[0], clock.results)[0]

    assert [first.players[seat] for seat in first.absent] == ["ann"]
