"""Absences that players of a season state in advance."""

from collections.abc import Iterable
from datetime import datetime

from domain.contests import absences
from domain.contests.absences import Absences
from domain.contests.times import RoundTime
from domain.leagues.contest_facts import AbsencesStated
from domain.leagues.plan import LeagueRefused
from domain.leagues.season_state import Season
from domain.leagues.state import League
from domain.matches.facts import Actor


def state_absences(
    league: League,
    by: Actor,
    actor: Actor,
    away: Absences,
    at: datetime,
    reason: str = "",
) -> tuple[AbsencesStated, ...]:
    """State when a player of the season is away; it replaces everything stated before, and may change nothing.

    Raise `PlanRefused` for a bad period, `ContestRefused` for a round or a time that is over, and `LeagueRefused` if
    the season is closed or the player has neither entered it nor holds a place.
    """
    season = league.season
    if season is None:
        raise LeagueRefused("the league has no season yet")
    has_entered = any(entry.actor == actor for entry in season.entered)
    if season.status == "closed" or not (season.of_actor(actor) if season.groups else has_entered):
        raise LeagueRefused(f"{actor} has no place in season {season.number}")
    stated = AbsencesStated(by, actor, away.rounds, away.periods, season.number, reason.strip())
    next_round = season.rounds_opened + 1
    return absences.state_absences(
        league.people.absences, stated, next_round=next_round, last_round=season.rounds, at=at
    )


def away_players(
    league: League, season: Season, number: int, time: RoundTime, alternates: Iterable[Actor] = ()
) -> frozenset[Actor]:
    """Return the players of places, and the `alternates`, who are away in a round at its time."""
    players = (place.in_round(number) for group in season.groups for place in group.places)
    return absences.away_in(league.people.absences, season.number, (*players, *alternates), number, time)
