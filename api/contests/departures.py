"""A person who erases their account leaves the contests that they have entered."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from api.accounts.entered_events import EnteredEvents, load_events, newer_records
from api.contests.finding import find_contest
from domain.eventstore.application import Matches
from domain.leagues import commands as league_commands
from domain.leagues.departures import withdraw_person as withdraw_from_league
from domain.leagues.state import LEAGUE
from domain.matches.facts import Actor
from domain.tournaments import commands as tournament_commands
from domain.tournaments.departures import withdraw_person as withdraw_from_tournament
from domain.tournaments.state import TOURNAMENT

WHOLE_LOG = EnteredEvents(0, (), ())
"""No known events: all are searched in the log."""


def find_current(matches: Matches, person: Actor, entered: EnteredEvents = WHOLE_LOG) -> tuple[UUID, ...]:
    """Return the ids of the current tournaments and seasons that a person would leave.

    Reads the log to its end.
    """
    newer = newer_records(matches, entered)
    tournaments = load_events(matches, TOURNAMENT, entered.tournaments, newer)
    leagues = load_events(matches, LEAGUE, entered.leagues, newer)
    return (
        *(event.id for event in tournaments if withdraw_from_tournament(event, person)),
        *(league.id for league in leagues if withdraw_from_league(league, person)),
    )


def leave_contests(matches: Matches, person: Actor, contest_ids: tuple[UUID, ...], *, at: datetime) -> None:
    """Withdraw a person from these tournaments and leagues; running it again changes nothing."""
    for contest_id in contest_ids:
        if find_contest(matches, contest_id).kind == "tournament":
            tournament_commands.change(
                matches, contest_id, lambda event: withdraw_from_tournament(event, person), at=at
            )
        elif withdraw_from_league(matches.streams.get(LEAGUE, contest_id).state, person):
            league_commands.execute(matches, contest_id, lambda league: withdraw_from_league(league, person), at=at)
