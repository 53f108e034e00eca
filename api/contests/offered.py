"""Options of plans that the service can apply."""

from __future__ import annotations

from domain.contests.conditions import NO_CONDITIONS, EntryConditions
from domain.contests.errors import PlanRefused
from domain.leagues.plan import LeaguePlan
from domain.ratings.tables import require_clock
from domain.tournaments.plan import Plan


def require_offered(plan: Plan | LeaguePlan, before: EntryConditions | None = None) -> None:
    """Raise `PlanRefused` for an option without effect, or a password or list of names that is not set.

    Raise `RatedWithoutClock` for rated tables without a clock.
    `before`: the conditions of the contest so far. Separate operations store passwords and lists.
    """
    require_clock(plan.table)
    conditions, known = plan.conditions or NO_CONDITIONS, before or NO_CONDITIONS
    require_offered_conditions(conditions)
    if conditions.password and not known.password:
        raise PlanRefused("first open the event, then set its password")
    if conditions.listed and not known.listed:
        raise PlanRefused("first open the event, then set its list of names")


def require_offered_conditions(conditions: EntryConditions) -> None:
    """Raise `PlanRefused` for conditions of clubs, which have no members yet."""
    if conditions.clubs:
        raise PlanRefused("conditions of clubs are not offered yet")
