"""The next decision of the service in a match."""

from __future__ import annotations

from uuid import UUID

from litestar import Router, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from api.hints.service import HintService, provide_hints
from api.http.errors import problems
from api.http.guards import requires_service
from api.matches.schemas import OwedShown
from api.matches.service import MatchService


@get("/matches/{match_id:uuid}/owed", guards=[requires_service], responses=problems(400, 401, 403, 404))
async def read_duty(
    match_id: FromPath[UUID], matches: NamedDependency[MatchService], hints: NamedDependency[HintService]
) -> OwedShown:
    """Return the next decision that the service owes: its own or a bot's; without a seat if it owes none.

    A bot owes none while a person with hints may still take back a blunder.
    """
    duty = await matches.duties.read_duty(match_id)
    if duty.seat is None or not await hints.has_waiting_bots(match_id):
        return duty
    return OwedShown(duty.match_id, duty.title, duty.version, duty.head)


ROUTER = Router(
    "/",
    route_handlers=[read_duty],
    dependencies={"hints": Provide(provide_hints, sync_to_thread=False)},
    tags=["service"],
)
