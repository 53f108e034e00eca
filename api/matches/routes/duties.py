"""Routes for workers, on the private socket."""

from __future__ import annotations

from uuid import UUID

from litestar import Response, Router, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from api.http.guards import Caller, requires_service
from api.matches.routes.matches import CHANGE_PROBLEMS, answer
from api.matches.schemas import Act, MatchShown, OwedShown, PassDeadline, TimeOut
from api.matches.service import MatchService


@post("/matches/{match_id:uuid}/owed", guards=[requires_service], responses=CHANGE_PROBLEMS)
async def take_owed(
    match_id: FromPath[UUID],
    data: JSONBody[Act],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> OwedShown:
    """Take a decision that the service owes, and return the next one, without a seat if none is owed."""
    return await matches.duties.take_owed(match_id, caller, data.action, data.expected_version, data.seat)


@post(
    "/matches/{match_id:uuid}/time-outs",
    guards=[requires_service],
    responses=CHANGE_PROBLEMS,
)
async def time_out(
    match_id: FromPath[UUID],
    data: JSONBody[TimeOut],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[MatchShown]:
    """Record that a seat ran out of time, and apply the table's policy.

    Rejected if the match is not at the expected version, or time is left.
    """
    match = await matches.duties.time_out(match_id, data.seat, data.expected_version)
    return answer(await matches.reading.encode(match, caller), 201)


@post(
    "/matches/{match_id:uuid}/deadlines",
    guards=[requires_service],
    responses=CHANGE_PROBLEMS,
)
async def pass_deadline(
    match_id: FromPath[UUID],
    data: JSONBody[PassDeadline],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[MatchShown]:
    """Apply a passed deadline: free seats that are not ready, or end a pause; no effect if it is too early.

    Rejected if the match is not at the expected version.
    """
    match = await matches.duties.pass_deadline(match_id, data.expected_version)
    return answer(await matches.reading.encode(match, caller), 201)


ROUTER = Router(
    "/",
    route_handlers=[take_owed, time_out, pass_deadline],
    tags=["service"],
)
