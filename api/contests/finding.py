"""The contest with an id: a tournament or a league."""

from __future__ import annotations

from typing import Literal, NamedTuple
from uuid import UUID

from domain.contests.conditions import EntryConditions
from domain.leagues.state import LEAGUE
from domain.matches.errors import NoSuchStream
from domain.matches.facts import Actor
from domain.matches.transaction import MatchReader
from domain.tournaments.state import TOURNAMENT


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
    def path(self) -> str:
        """The path of its page."""
        return f"/events/{self.id}" if self.kind == "tournament" else f"/leagues/{self.id}"


def find_contest(matches: MatchReader, contest_id: UUID) -> Contest:
    """Return the tournament or league with an id; raise `NoSuchStream` if there is none."""
    if (event := matches.streams.find(TOURNAMENT, contest_id)) is not None:
        state, plan = event.state, event.state.plan
        heading = (plan.name, plan.title, state.organiser, plan.conditions)
        return Contest(contest_id, "tournament", *heading, event.version, bool(state.played_rounds))
    if (league := matches.streams.find(LEAGUE, contest_id)) is not None:
        of_league, league_plan = league.state, league.state.plan
        is_drawn = any(season.groups for season in of_league.seasons)
        common = (league_plan.name, league_plan.title, of_league.organiser, league_plan.conditions)
        return Contest(contest_id, "league", *common, league.version, is_drawn)
    raise NoSuchStream(f"no tournament or league {contest_id}")
