"""Commands about the conditions of entry, on the writer's thread."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from api.contests.finding import find_contest
from domain.contests.conditions import NO_CONDITIONS, EntryConditions, normal_conditions
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
    matches: Matches, contest_id: UUID, change: Change, by: Actor, reason: str, *, at: datetime
) -> None:
    """Change the conditions in the plan of a tournament or league; equal ones change nothing.

    Raise `NoSuchStream` if it is unknown, `PlanRefused` or `UnknownTitle` for bad conditions, and as `change_plan` of a
    tournament or league.
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

    if find_contest(matches, contest_id).kind == "tournament":
        tournament_commands.change(matches, contest_id, decide_in_tournament, at=at)
    else:
        league_commands.execute(matches, contest_id, decide_in_league, at=at)


def note_private_change(matches: Matches, contest_id: UUID, act: str, by: Actor, *, at: datetime) -> None:
    """Record in the audit trail that an organiser changed private data of a contest, without the data."""
    version = find_contest(matches, contest_id).version

    def compose(batch: Batch) -> None:
        append_to_trail(batch, audit_fact(batch, by, contest_id, act, version, ""))

    matches.transact(compose, at=at)
