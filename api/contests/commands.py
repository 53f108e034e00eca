"""Commands about the conditions of entry, on the writer's thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from uuid import UUID

from api.contests.finding import Contest, find_contest
from domain.clubs.state import CLUB
from domain.contests.conditions import NO_CONDITIONS, EntryConditions, normal_conditions
from domain.contests.entry_clubs import is_member
from domain.contests.errors import PlanRefused
from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.kernel.values import replace
from domain.leagues import commands as league_commands
from domain.leagues import seasons
from domain.leagues.facts import Fact as LeagueFact
from domain.leagues.state import League
from domain.matches.facts import Actor
from domain.roles.commands import append_to_trail, audit_fact
from domain.tournaments import commands as tournament_commands
from domain.tournaments import registration
from domain.tournaments.facts import Fact as TournamentFact
from domain.tournaments.state import Tournament

Change = Callable[[EntryConditions], EntryConditions]


def change_conditions(
    matches: Matches, contest_id: UUID, change: Change, by: Actor, reason: str, *, at: datetime, act: str = ""
) -> None:
    """Change the conditions in the plan of a tournament or league; equal ones change nothing.

    `act`: the change of private data to which this belongs. One line of the audit trail has the reason: the line of the
    changed plan, or of the act if the conditions stay equal. Raise `NoSuchStream` if the contest is unknown,
    `PlanRefused` or `UnknownTitle` for bad conditions, and as `change_plan` of a tournament or league.
    """

    def after(conditions: EntryConditions | None) -> EntryConditions | None:
        return normal_conditions(matches.titles, change(conditions or NO_CONDITIONS))

    def decide_in_tournament(state: Tournament) -> tuple[TournamentFact, ...]:
        conditions = after(state.plan.conditions)
        if conditions == state.plan.conditions:
            return ()
        return (
            registration.change_plan(matches.titles, state, replace(state.plan, conditions=conditions), by, reason),
        )

    def decide_in_league(league: League) -> tuple[LeagueFact, ...]:
        conditions = after(league.plan.conditions)
        if conditions == league.plan.conditions:
            return ()
        return seasons.change_plan(league, by, replace(league.plan, conditions=conditions), reason)

    before = find_contest(matches, contest_id)

    def compose(batch: Batch) -> None:
        if before.kind == "tournament":
            version = tournament_commands.plan_change(matches, contest_id, decide_in_tournament)(batch).version
        else:
            version = league_commands.league_change(matches, contest_id, decide_in_league)(batch).version
        if act and version == before.version:
            require_reason(before, reason)
            append_to_trail(batch, audit_fact(batch, by, contest_id, act, version, reason.strip()))

    matches.transact(compose, at=at)


def find_memberships(matches: Matches, club_ids: Iterable[UUID], person: Actor) -> frozenset[UUID]:
    """Return the clubs among these to which a person belongs."""
    streams = ((club_id, matches.streams.find(CLUB, club_id)) for club_id in club_ids)
    return frozenset(club_id for club_id, club in streams if club is not None and is_member(club.state, person))


def require_reason(contest: Contest, reason: str) -> None:
    """Raise `PlanRefused` if a change needs a reason and has none."""
    if contest.needs_reason and not reason.strip():
        raise PlanRefused("a change of the conditions after the start needs a reason")
