"""The contest with an id: a tournament or a league."""

from __future__ import annotations

from typing import Literal, NamedTuple
from uuid import UUID

from domain.contests.conditions import EntryConditions
from domain.contests.sanctions import Series
from domain.leagues.state import LEAGUE, League
from domain.matches.errors import NoSuchStream
from domain.matches.facts import Actor
from domain.matches.log.records import Stream
from domain.matches.transaction import MatchReader
from domain.tournaments.state import TOURNAMENT, Tournament


class Contest(NamedTuple):
    """What both kinds of contests have in common; `needs_reason`: a change of the plan does."""

    id: UUID
    kind: Literal["tournament", "league"]
    name: str
    title: str
    organiser: Actor
    conditions: EntryConditions | None
    version: int
    needs_reason: bool

    @property
    def series(self) -> Series:
        """The series of events in which sanctions hold: the league, or all events of the organiser."""
        return Series("league", str(self.id)) if self.kind == "league" else Series("organiser", self.organiser)

    @property
    def path(self) -> str:
        """The path of its page."""
        return f"/events/{self.id}" if self.kind == "tournament" else f"/leagues/{self.id}"


def find_contest(matches: MatchReader, contest_id: UUID) -> Contest:
    """Return the tournament or league with an id; raise `NoSuchStream` if there is none."""
    if (event := matches.streams.find(TOURNAMENT, contest_id)) is not None:
        return contest_of_tournament(event)
    if (league := matches.streams.find(LEAGUE, contest_id)) is not None:
        return contest_of_league(league)
    raise NoSuchStream(f"no tournament or league {contest_id}")


def contest_of_tournament(stream: Stream[Tournament]) -> Contest:
    """Return a tournament as a contest."""
    state, plan = stream.state, stream.state.plan
    heading = (plan.name, plan.title, state.organiser, plan.conditions)
    return Contest(stream.id, "tournament", *heading, stream.version, bool(state.played_rounds))


def contest_of_league(stream: Stream[League]) -> Contest:
    """Return a league as a contest."""
    league, plan = stream.state, stream.state.plan
    heading = (plan.name, plan.title, league.organiser, plan.conditions)
    is_drawn = any(season.groups for season in league.seasons)
    return Contest(stream.id, "league", *heading, stream.version, is_drawn)
