"""Commands about absences, on the writer's thread."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from api.contests.finding import find_contest
from domain.contests.absences import Absences
from domain.eventstore.application import Matches
from domain.leagues import availability as season_availability
from domain.leagues import commands as league_commands
from domain.matches.facts import Actor
from domain.tournaments import availability
from domain.tournaments import commands as tournament_commands


def state_absences(
    matches: Matches, contest_id: UUID, player: str, away: Absences, by: Actor, reason: str, *, at: datetime
) -> None:
    """State when a player of a tournament or league is away; the same statement again changes nothing.

    Raise as `state_absences` of the subject.
    """
    if find_contest(matches, contest_id).kind == "tournament":
        tournament_commands.change(
            matches,
            contest_id,
            lambda event: availability.state_absences(event, player, away, by, at, reason),
            at=at,
        )
    else:
        league_commands.execute(
            matches,
            contest_id,
            lambda league: season_availability.state_absences(league, by, player, away, at, reason),
            at=at,
        )
