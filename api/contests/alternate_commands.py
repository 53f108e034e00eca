"""Commands about alternates, on the writer's thread, and the places of a contest by name."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from api.contests.finding import find_contest
from domain.contests.alternates import AlternateRule
from domain.contests.people import ContestPeople
from domain.eventstore.application import Matches
from domain.leagues import alternates as of_leagues
from domain.leagues import commands as league_commands
from domain.leagues.season_state import place_key
from domain.leagues.state import LEAGUE
from domain.matches.facts import Actor, Table
from domain.matches.transaction import MatchReader
from domain.tournaments import alternates as of_tournaments
from domain.tournaments import commands as tournament_commands
from domain.tournaments.availability import ONE_SEASON
from domain.tournaments.state import TOURNAMENT


class AlternateBook(NamedTuple):
    """The alternates and offers of a contest; `places`: the account and the name of the player of each place."""

    rule: AlternateRule | None
    title: str
    table: Table
    size: int
    season: int
    zone: str
    people: ContestPeople
    places: Mapping[str, tuple[Actor, str]]


def find_alternates(matches: MatchReader, contest_id: UUID) -> AlternateBook:
    """Return the alternates of a contest; raise `NoSuchStream` if it is unknown."""
    if find_contest(matches, contest_id).kind == "tournament":
        event = matches.streams.get(TOURNAMENT, contest_id).state
        entries = {entry.id: (entry.actor, entry.name) for entry in event.entries}
        plan, zone = event.plan, event.calendar.zone
        return AlternateBook(
            plan.alternates, plan.title, plan.table, plan.size, ONE_SEASON, zone, event.people, entries
        )
    league = matches.streams.get(LEAGUE, contest_id).state
    season, league_plan = league.season, league.plan
    places = {
        place_key(index, at): (place.actor, "")
        for index, group in enumerate(season.groups if season is not None else ())
        for at, place in enumerate(group.places)
    }
    number = 0 if season is None else season.number
    zone = "UTC" if league_plan.schedule is None else league_plan.schedule.zone
    options = (league_plan.alternates, league_plan.title, league_plan.table, league_plan.size)
    return AlternateBook(*options, number, zone, league.people, places)


def list_alternate(
    matches: Matches, contest_id: UUID, player: Actor, strength: int, by: Actor, reason: str, *, at: datetime
) -> None:
    """Add a person to the alternates, or change the strength; raise as `list_alternate` of the subject."""
    if find_contest(matches, contest_id).kind == "tournament":
        tournament_commands.change(
            matches,
            contest_id,
            lambda event: of_tournaments.list_alternate(event, by, player, strength, reason),
            at=at,
        )
    elif of_leagues.list_alternate(matches.streams.get(LEAGUE, contest_id).state, by, player, strength, reason):
        league_commands.execute(
            matches, contest_id, lambda league: of_leagues.list_alternate(league, by, player, strength, reason), at=at
        )


def remove_alternate(
    matches: Matches, contest_id: UUID, player: Actor, by: Actor, reason: str, *, at: datetime
) -> None:
    """Remove a person from the alternates; raise as `remove_alternate` of the subject."""
    if find_contest(matches, contest_id).kind == "tournament":
        tournament_commands.change(
            matches, contest_id, lambda event: of_tournaments.remove_alternate(event, by, player, reason), at=at
        )
    else:
        league_commands.execute(
            matches, contest_id, lambda league: of_leagues.remove_alternate(league, by, player, reason), at=at
        )


def answer_offer(
    matches: Matches, contest_id: UUID, player: Actor, place: str, number: int, accepted: bool, *, at: datetime
) -> None:
    """Record an alternate's answer to an offer; raise as `answer_offer` of the subject."""
    if find_contest(matches, contest_id).kind == "tournament":
        tournament_commands.change(
            matches,
            contest_id,
            lambda event: of_tournaments.answer_offer(event, player, place, number, at, accepted=accepted),
            at=at,
        )
    else:
        league_commands.execute(
            matches,
            contest_id,
            lambda league: of_leagues.answer_offer(league, player, place, number, at, accepted=accepted),
            at=at,
        )
