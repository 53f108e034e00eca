"""API routes of hints, for players and workers."""

from __future__ import annotations

from uuid import UUID

from litestar import Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from api.hints.schemas import ADVICE_BYTES_MAX, HandInAdvice, HintShown, HintTaskShown, show_hint
from api.hints.service import HintService, provide_hints
from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_PLAYERS, requires_caller, requires_service
from domain.hints import Kind


@declare_access("own", "the only person at a table with hints")
@get("/matches/{match_id:uuid}/hint", guards=[requires_caller], responses=problems(400, 401, 403, 404, 409))
async def read_hint(match_id: FromPath[UUID], hints: NamedDependency[HintService]) -> HintShown:
    """Return the requested hint, and the cost of the caller's last choice."""
    return show_hint(await hints.load_current(match_id))


@declare_access("own", "that player, on their turn")
@post(
    "/matches/{match_id:uuid}/hint",
    guards=[requires_caller],
    opt=BY_PLAYERS,
    status_code=202,
    responses=problems(400, 401, 403, 404, 409, 429),
)
async def ask_for_hint(match_id: FromPath[UUID], hints: NamedDependency[HintService]) -> HintShown:
    """Request a hint, at a table with hints on the caller's turn."""
    await hints.request_hint(match_id)
    return show_hint(await hints.load_current(match_id))


@declare_access("own", "that player")
@post(
    "/matches/{match_id:uuid}/hint/kept",
    guards=[requires_caller],
    opt=BY_PLAYERS,
    status_code=204,
    responses=problems(400, 401, 403, 404, 409, 429),
)
async def keep_choice(match_id: FromPath[UUID], hints: NamedDependency[HintService]) -> None:
    """Keep the last choice despite a blunder, so that the bots continue."""
    await hints.keep_choice(match_id)


@declare_access("service", "with the view of that person's seat")
@get(
    "/matches/{match_id:uuid}/hints/{version:int}/{kind:str}",
    guards=[requires_service],
    responses=problems(400, 401, 403, 404),
)
async def read_hint_task(
    match_id: FromPath[UUID], version: FromPath[int], kind: FromPath[Kind], hints: NamedDependency[HintService]
) -> HintTaskShown:
    """Return a position to evaluate, as its seat sees it; 404 if it is not requested or has its result."""
    task = await hints.load_task(match_id, version, kind)
    return HintTaskShown(task.title, task.version, task.view, task.actions, task.played)


@post(
    "/matches/{match_id:uuid}/hints/{version:int}/{kind:str}",
    guards=[requires_service],
    status_code=204,
    request_max_body_size=4 * ADVICE_BYTES_MAX,
    responses=problems(400, 401, 403, 404, 413),
)
async def hand_in_hint(
    match_id: FromPath[UUID],
    version: FromPath[int],
    kind: FromPath[Kind],
    data: JSONBody[HandInAdvice],
    hints: NamedDependency[HintService],
) -> None:
    """Store a worker's results for a position; 400 if they are unreadable, ignored if they are not requested."""
    await hints.store_result(match_id, version, kind, data.advice)


ROUTER = Router(
    "/",
    route_handlers=[read_hint, ask_for_hint, keep_choice, read_hint_task, hand_in_hint],
    dependencies={"hints": Provide(provide_hints, sync_to_thread=False)},
    tags=["hints"],
)
