"""The participants of a tournament, or of the latest season of a league, who may state absences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID

from api.contests.finding import find_contest
from domain.contests.absences import NOT_AWAY, Absences, absence_key
from domain.leagues.season_state import Season
from domain.leagues.state import LEAGUE, League
from domain.matches.facts import Actor, is_bot
from domain.matches.transaction import MatchReader
from domain.tournaments.availability import ONE_SEASON, last_round
from domain.tournaments.state import TOURNAMENT, Tournament


class Participant(NamedTuple):
    """A participant: an account, or in a tournament a name without one."""

    account: Actor
    name: str


class Participants(NamedTuple):
    """The participants of a contest who still play, by key: the id of an entry, or in a league the account.

    `next_round`: the first round without tables. `last_round` 0: the number of rounds is not known yet.
    """

    season: int
    next_round: int
    last_round: int
    zone: str
    people: Mapping[str, Participant]
    absences: Mapping[str, Absences]

    def key_of(self, account: Actor) -> str | None:
        """Return the key of an account, or None."""
        return next((key for key, each in self.people.items() if account and each.account == account), None)

    def away(self, key: str) -> Absences:
        """Return the absences of a participant."""
        return self.absences.get(absence_key(self.season, key), NOT_AWAY)

    @property
    def rounds(self) -> tuple[int, int]:
        """The first and the last round for which an absence can be stated."""
        return self.next_round, self.last_round


def find_participants(matches: MatchReader, contest_id: UUID) -> Participants:
    """Return the participants of a contest; raise `NoSuchStream` if it is unknown."""
    if find_contest(matches, contest_id).kind == "tournament":
        return of_tournament(matches.streams.get(TOURNAMENT, contest_id).state)
    return of_league(matches.streams.get(LEAGUE, contest_id).state)


def of_tournament(event: Tournament) -> Participants:
    """Return the entries of a tournament that are not withdrawn; none after its end."""
    people = {
        entry.id: Participant(entry.actor, entry.name)
        for entry in event.taking_part
        if not entry.is_bot and event.status != "ended"
    }
    calendar, absences = event.calendar, event.people.absences
    return Participants(
        ONE_SEASON, len(event.played_rounds) + 1, last_round(event.plan), calendar.zone, people, absences
    )


def of_league(league: League) -> Participants:
    """Return the players of the latest season: entries before its draw, then the holders of places."""
    schedule, season = league.plan.schedule, league.season
    zone = "UTC" if schedule is None else schedule.zone
    if season is None:
        return Participants(0, 1, 0, zone, {}, {})
    people = {actor: Participant(actor, "") for actor in players_of(season) if not is_bot(actor)}
    return Participants(season.number, season.rounds_opened + 1, season.rounds, zone, people, league.people.absences)


def players_of(season: Season) -> tuple[Actor, ...]:
    """Return the players of a season that is not over."""
    if season.status == "closed":
        return ()
    if not season.groups:
        return tuple(entry.actor for entry in season.entered)
    return tuple(place.actor for group in season.groups for place in group.places)
