"""API routes of quick pairing."""

from __future__ import annotations

from litestar import Router, delete, get, put
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody

from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_PLAYERS, requires_person
from api.quick.pools import QuickPool
from api.quick.schemas import EnterPool, QuickShown
from api.quick.service import QuickService, provide_quick


@declare_access("anybody", "also shows where the caller waits")
@get("/quick", responses=problems())
async def show_pools(quick: NamedDependency[QuickService]) -> QuickShown:
    """Return all pools and the caller's place.

    Each request keeps the place, which is lost after thirty seconds without one, or a day for correspondence.
    """
    return await quick.show()


@declare_access("signed in", "rated: accounts that may join such a table")
@put("/quick/place", status_code=200, guards=[requires_person], responses=problems(400, 401, 403, 409, 413, 429))
async def enter_pool(data: JSONBody[EnterPool], quick: NamedDependency[QuickService]) -> QuickShown:
    """Enter a pool and leave any other, and return all pools. The table is made as soon as enough people wait.

    Raise `NotAllowed` for an unknown pool or while the caller's table is being made, and the errors of
    `QuickService.enter`.
    """
    pool = quick.find_pool(QuickPool(data.title, data.seats, data.clock, data.rated).key)
    await quick.enter(quick.caller.actor, pool, own_luck=data.own_luck)
    return await quick.show()


@declare_access("signed in", "the caller's")
@delete("/quick/place", guards=[requires_person], responses=problems(401, 429))
async def leave_pool(quick: NamedDependency[QuickService]) -> None:
    """Leave the pool."""
    await quick.leave()


ROUTER = Router(
    "/",
    route_handlers=[show_pools, enter_pool, leave_pool],
    dependencies={"quick": Provide(provide_quick, sync_to_thread=False)},
    opt=BY_PLAYERS,
    tags=["quick"],
)
