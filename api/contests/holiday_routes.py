"""Routes for holidays at all correspondence tables of a person."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from litestar import Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from api.contests.holiday_schemas import (
    AnnounceHoliday,
    AwayListed,
    EndHoliday,
    HolidayPlanShown,
    HolidaysApplied,
    HolidaysShown,
    PlanHoliday,
)
from api.contests.holiday_service import HolidayService, provide_holidays
from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_PLAYERS, requires_caller, requires_person, requires_service
from api.http.ids import IdempotencyKey, Ids

CHANGES: Final = problems(400, 401, 403, 409, 413, 422, 429)


@declare_access("signed in", "the caller's")
@get("/me/holidays", guards=[requires_person], responses=problems(401))
async def list_holidays(holidays: NamedDependency[HolidayService]) -> HolidaysShown:
    """Return the caller's holidays, the times of the current one at each table, and the days used."""
    return await holidays.show()


@declare_access("signed in", "the caller's")
@post("/me/holidays/plan", status_code=200, guards=[requires_person], responses=CHANGES)
async def plan_holiday(data: JSONBody[PlanHoliday], holidays: NamedDependency[HolidayService]) -> HolidayPlanShown:
    """Return the times in which a holiday would stop the caller's clock at each table; nothing is announced."""
    return await holidays.plan(data.begins, data.ends)


@declare_access("signed in", "the caller's")
@post("/me/holidays", guards=[requires_person], responses=CHANGES)
async def announce_holiday(
    data: JSONBody[AnnounceHoliday],
    holidays: NamedDependency[HolidayService],
    ids: NamedDependency[Ids],
    idempotency_key: IdempotencyKey = None,
) -> HolidaysShown:
    """Announce a holiday at all correspondence tables of the caller, and at later ones.

    Raise a refusal for times in the past, less than a day, too many days at a table, or less than a day left for a
    turn.
    """
    return await holidays.announce(data, ids.id_for(holidays.caller, "holiday", idempotency_key))


@declare_access("signed in", "the caller's")
@post("/me/holidays/end", status_code=200, guards=[requires_person], responses=CHANGES)
async def end_holiday(data: JSONBody[EndHoliday], holidays: NamedDependency[HolidayService]) -> HolidaysShown:
    """End the caller's holiday early at all tables, or cancel it before it begins."""
    return await holidays.end(data)


@declare_access("official", "its organisers")
@get("/contests/{contest_id:uuid}/holidays", guards=[requires_caller], responses=problems(400, 401, 403))
async def list_away(contest_id: FromPath[UUID], holidays: NamedDependency[HolidayService]) -> AwayListed:
    """Return the players of a tournament or league who are or will be on holiday, to its organisers."""
    return await holidays.in_contest(contest_id)


@post("/holidays/due", status_code=200, guards=[requires_service], responses=problems(401, 403))
async def apply_due(holidays: NamedDependency[HolidayService]) -> HolidaysApplied:
    """Bring holidays to the tables that do not have them yet, for the service's workers."""
    return HolidaysApplied(await holidays.apply_due())


ROUTER: Final = Router(
    "/",
    route_handlers=[
        Router("/", route_handlers=[list_holidays, plan_holiday, announce_holiday, end_holiday], opt=BY_PLAYERS),
        list_away,
        apply_due,
    ],
    dependencies={"holidays": Provide(provide_holidays, sync_to_thread=False)},
    tags=["holidays"],
)
