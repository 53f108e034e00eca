"""Routes for calls: by players at their table, and by officials."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from litestar import Router, delete, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from api.disputes.call_schemas import AnswerCall, CallArbiter, CallShown, CallsShown, ComeToTable
from api.disputes.service import DisputeService, provide_disputes
from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_OFFICIALS, BY_PLAYERS, CHANGES_BY, requires_caller, requires_person
from api.matches.routes.matches import CHANGE_PROBLEMS

READ_PROBLEMS: Final = problems(400, 401, 403, 404, 409)
BY_WHO_COMES: Final = {CHANGES_BY: ("arbitrate", "organise", "admin")}


@declare_access("official", "calls that the caller may answer")
@get("/disputes/calls", opt=BY_OFFICIALS, guards=[requires_caller], responses=problems(400, 401, 403, 404))
async def list_calls(disputes: NamedDependency[DisputeService]) -> CallsShown:
    """Return the waiting calls at tables of the caller's events, oldest first."""
    return CallsShown(await disputes.calls())


@declare_access("own", "its players and the officials of its event")
@get("/matches/{match_id:uuid}/calls", guards=[requires_caller], responses=READ_PROBLEMS)
async def get_call(match_id: FromPath[UUID], disputes: NamedDependency[DisputeService]) -> CallShown:
    """Return the latest call about a match."""
    return await disputes.call(match_id)


@declare_access("seat", "at tables of tournaments and leagues")
@post("/matches/{match_id:uuid}/calls", opt=BY_PLAYERS, guards=[requires_person], responses=CHANGE_PROBLEMS)
async def call_arbiter(
    match_id: FromPath[UUID], data: JSONBody[CallArbiter], disputes: NamedDependency[DisputeService]
) -> CallShown:
    """Call an arbiter to the caller's table of a tournament or league; a waiting call of the caller is returned.

    Raise `NotAParty` without a seat, `CallRefused` if no call is possible now.
    """
    await disputes.call_arbiter(match_id, data.words)
    return await disputes.call(match_id)


@declare_access("own", "the caller of the arbiter")
@delete(
    "/matches/{match_id:uuid}/calls",
    opt=BY_PLAYERS,
    guards=[requires_person],
    status_code=200,
    responses=CHANGE_PROBLEMS,
)
async def withdraw_call(match_id: FromPath[UUID], disputes: NamedDependency[DisputeService]) -> CallShown:
    """Withdraw the caller's call."""
    await disputes.withdraw_call(match_id)
    return await disputes.call(match_id)


@declare_access("official")
@post("/matches/{match_id:uuid}/calls/presence", opt=BY_WHO_COMES, guards=[requires_person], responses=CHANGE_PROBLEMS)
async def come(
    match_id: FromPath[UUID], data: JSONBody[ComeToTable], disputes: NamedDependency[DisputeService]
) -> CallShown:
    """Record that the caller, an arbiter or organiser of the event, handles the call or is at the table.

    Return the call. Raise `RoleMissing`, `ArbiterPlays` or `ConflictOfInterest` if they may not, `CallRefused` if no
    call waits.
    """
    await disputes.handle_call(match_id, is_here=data.here)
    return await disputes.call(match_id)


@declare_access("official")
@post("/matches/{match_id:uuid}/calls/answer", opt=BY_WHO_COMES, guards=[requires_person], responses=CHANGE_PROBLEMS)
async def answer_call(
    match_id: FromPath[UUID], data: JSONBody[AnswerCall], disputes: NamedDependency[DisputeService]
) -> CallShown:
    """Close the call with an answer by an arbiter or organiser of the event, and return it.

    Raise `RoleMissing`, `ArbiterPlays` or `ConflictOfInterest` if they may not, `CallRefused` if no call waits.
    """
    await disputes.answer_call(match_id, data.words)
    return await disputes.call(match_id)


ROUTER: Final = Router(
    "/",
    route_handlers=[list_calls, get_call, call_arbiter, withdraw_call, come, answer_call],
    dependencies={"disputes": Provide(provide_disputes, sync_to_thread=False)},
    tags=["disputes"],
)
