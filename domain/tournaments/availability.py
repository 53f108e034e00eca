"""Absences that entries of a tournament state in advance."""

from datetime import datetime
from typing import Final

from domain.contests import absences
from domain.contests.absences import Absences
from domain.contests.alternates import stand_in
from domain.matches.facts import Actor
from domain.tournaments.contest_facts import AbsencesStated
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.plan import Plan
from domain.tournaments.registration import entry_named, own_or_reasoned, require_not_ended
from domain.tournaments.state import Tournament

ONE_SEASON = 0
"""A tournament has no seasons."""
BY_RESULTS: Final = frozenset({"elimination"})
"""Kinds of stages that end when few enough players are left."""


def state_absences(
    state: Tournament,
    name: str,
    away: Absences,
    by: Actor,
    at: datetime,
    reason: str = "",
) -> tuple[AbsencesStated, ...]:
    """State when an entry is away; it replaces everything stated before, and may change nothing.

    Another person gives a reason. Raise `NoSuchEntry` for an unknown entry, `PlanRefused` for a bad period,
    `ContestRefused` for a round or a time that is over, and `TournamentRefused` after the end, for a withdrawn entry or
    without that reason.
    """
    require_not_ended(state)
    entry = entry_named(state, name)
    if entry.status == "withdrawn":
        raise TournamentRefused(f"{name} has withdrawn")
    stated_reason = own_or_reasoned(entry, by, reason, "an absence of another player")
    stated = AbsencesStated(by, name, away.rounds, away.periods, reason=stated_reason)
    next_round = len(state.played_rounds) + 1
    return absences.state_absences(
        state.people.absences, stated, next_round=next_round, last_round=last_round(state.plan), at=at
    )


def last_round(plan: Plan) -> int:
    """Return the number of rounds in the plan; 0 if a stage decides it later."""
    if any(stage.kind in BY_RESULTS or (stage.kind == "round_robin" and not stage.rounds) for stage in plan.stages):
        return 0
    return sum(max(1, stage.rounds) for stage in plan.stages)


def away_players(state: Tournament, number: int) -> frozenset[str]:
    """Return the entries that are away in a round, without those for which an alternate plays."""
    offers = state.people.offers
    return frozenset(name for name in find_away(state, number) if stand_in(offers, ONE_SEASON, name, number) is None)


def find_away(state: Tournament, number: int) -> frozenset[str]:
    """Return the entries that stated an absence from a round."""
    names = (entry.id for entry in state.entries)
    return absences.away_in(state.people.absences, ONE_SEASON, names, number, state.calendar.round(number))
