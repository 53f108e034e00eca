"""Routes for the conditions of entry to tournaments and leagues."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from litestar import Router, get, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from api.contests.schemas import LIST_BYTES_MAX, ChangeConditions, ConditionsShown, SetEntryList, SetEntryPassword
from api.contests.service import ContestService, provide_contests
from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_ORGANISERS, requires_caller

CHANGES: Final = problems(400, 401, 403, 404, 409, 413, 422, 429)


@get("/contests/{contest_id:uuid}/conditions", responses=problems(400, 401, 404))
async def get_conditions(contest_id: FromPath[UUID], contests: NamedDependency[ContestService]) -> ConditionsShown:
    """Return the conditions of entry of a tournament or league, and which of them the caller meets.

    Organisers also see the list of names.
    """
    return await contests.show(contest_id)


@declare_access("official", "its organisers")
@put("/contests/{contest_id:uuid}/conditions", guards=[requires_caller], responses=CHANGES)
async def change_conditions(
    contest_id: FromPath[UUID], data: JSONBody[ChangeConditions], contests: NamedDependency[ContestService]
) -> ConditionsShown:
    """Replace the conditions of entry, as an organiser."""
    await contests.change(contest_id, data.conditions, data.reason)
    return await contests.show(contest_id)


@declare_access("official", "its organisers")
@put("/contests/{contest_id:uuid}/password", guards=[requires_caller], responses=CHANGES)
async def set_password(
    contest_id: FromPath[UUID], data: JSONBody[SetEntryPassword], contests: NamedDependency[ContestService]
) -> ConditionsShown:
    """Set or remove the password for entry, as an organiser; only its hash is stored, and no record contains it."""
    await contests.set_password(contest_id, data.password, data.reason)
    return await contests.show(contest_id)


@declare_access("official", "its organisers")
@put(
    "/contests/{contest_id:uuid}/list",
    guards=[requires_caller],
    responses=CHANGES,
    request_max_body_size=LIST_BYTES_MAX,
)
async def set_list(
    contest_id: FromPath[UUID], data: JSONBody[SetEntryList], contests: NamedDependency[ContestService]
) -> ConditionsShown:
    """Set the people who may enter, by id or name, as an organiser; only organisers see the list."""
    await contests.set_list(contest_id, data.people, data.reason)
    return await contests.show(contest_id)


ROUTER: Final = Router(
    "/",
    route_handlers=[get_conditions, change_conditions, set_password, set_list],
    dependencies={"contests": Provide(provide_contests, sync_to_thread=False)},
    opt=BY_ORGANISERS,
    tags=["contests"],
)
