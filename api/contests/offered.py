"""Options of plans that the service can apply."""

from __future__ import annotations

import asyncio

from api.accounts.service import AccountService
from domain.contests.conditions import NO_CONDITIONS, EntryConditions
from domain.contests.errors import PlanRefused
from domain.leagues.plan import LeaguePlan
from domain.ratings.tables import require_clock
from domain.tournaments.plan import Plan


async def require_offered(
    accounts: AccountService, plan: Plan | LeaguePlan, before: EntryConditions | None = None
) -> None:
    """Raise `PlanRefused` for an option without effect, an unknown club, or a password or list that is not set.

    Raise `RatedWithoutClock` for rated tables without a clock.
    `before`: the conditions of the contest so far. Separate operations store passwords and lists.
    """
    require_clock(plan.table)
    conditions, known = plan.conditions or NO_CONDITIONS, before or NO_CONDITIONS
    await require_clubs(accounts, conditions)
    if conditions.password and not known.password:
        raise PlanRefused("first open the event, then set its password")
    if conditions.listed and not known.listed:
        raise PlanRefused("first open the event, then set its list of names")


async def require_clubs(accounts: AccountService, conditions: EntryConditions) -> None:
    """Raise `PlanRefused` for a club that does not exist."""
    names = await asyncio.to_thread(accounts.clubs.names, conditions.clubs)
    for club in conditions.clubs:
        if club not in names:
            raise PlanRefused(f"there is no club {club}")
