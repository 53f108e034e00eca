"""Absences that players of a season state in advance."""

from datetime import datetime, timedelta

from domain.contests import absences
from domain.contests.absences import Absences
from domain.contests.fact_base import adopt
from domain.contests.times import RoundTime, after_breaks
from domain.leagues.contest_facts import SHARED, AbsencesStated
from domain.leagues.duties import next_round_start, schedule_of
from domain.leagues.plan import LeagueRefused
from domain.leagues.season_state import Season
from domain.leagues.standings import plan_of
from domain.leagues.state import League
from domain.matches.facts import Actor


def state_absences(
    league: League,
    by: Actor,
    actor: Actor,
    away: Absences,
    at: datetime,
    reason: str = "",
) -> AbsencesStated:
    """State when a player of the season is away; it replaces everything stated before.

    Raise `PlanRefused` for a bad period, `ContestRefused` for a round or a time that is over, and `LeagueRefused` if
    the season is closed or the player has neither entered it nor holds a place.
    """
    season = league.season
    if season is None:
        raise LeagueRefused("the league has no season yet")
    has_entered = any(entry.actor == actor for entry in season.entered)
    if season.status == "closed" or not (season.of_actor(actor) if season.groups else has_entered):
        raise LeagueRefused(f"{actor} has no place in season {season.number}")
    stated = absences.AbsencesStated(by, actor, away.rounds, away.periods, season.number, reason.strip())
    next_round = season.rounds_opened + 1
    decided: AbsencesStated = adopt(
        SHARED, absences.state_absences(league.people.absences, stated, next_round=next_round, at=at)
    )
    return decided


def expected_time(league: League, season: Season, number: int) -> RoundTime:
    """Return the start and the deadline of a round that is not open; empty without a known start.

    Rounds that are played at once share their times.
    """
    starts, plan = next_round_start(league, season), plan_of(league, season)
    if starts is None:
        return RoundTime()
    schedule, days = schedule_of(league, season), timedelta(days=plan.round_days)
    if plan.at_once:
        return RoundTime(starts, starts + days * (season.rounds - season.rounds_opened))
    for _ in range(season.rounds_opened + 1, number):
        starts = after_breaks(schedule.breaks if schedule is not None else (), starts + days)
    return RoundTime(starts, starts + days)


def away_players(league: League, season: Season, number: int) -> frozenset[Actor]:
    """Return the holders of places who are away in a round."""
    holders = (place.actor for group in season.groups for place in group.places)
    time = expected_time(league, season, number)
    return absences.away_in(league.people.absences, season.number, holders, number, time)
