"""API routes of analyses."""

from __future__ import annotations

from uuid import UUID

from litestar import Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from api.analyses.schemas import PIECE_BYTES_MAX, AnalysisShown, HandIn
from api.analyses.service import AnalysisService, provide_analyses
from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_PLAYERS, requires_caller, requires_service


@declare_access("anybody", "every reader of the match")
@get("/matches/{match_id:uuid}/analysis", responses=problems(400, 401, 403, 404))
async def read_analysis(match_id: FromPath[UUID], analyses: NamedDependency[AnalysisService]) -> AnalysisShown:
    """Return the progress of an analysis, and its results once finished."""
    return await analyses.show(match_id)


@declare_access("signed in", "a finished match; twelve an hour")
@post(
    "/matches/{match_id:uuid}/analysis",
    guards=[requires_caller],
    opt=BY_PLAYERS,
    status_code=202,
    responses=problems(400, 401, 403, 404, 409, 429),
)
async def ask_for_analysis(match_id: FromPath[UUID], analyses: NamedDependency[AnalysisService]) -> AnalysisShown:
    """Request an analysis of an ended match; repeated requests have no effect."""
    await analyses.request_analysis(match_id)
    return await analyses.show(match_id)


@post(
    "/matches/{match_id:uuid}/analysis/pieces",
    guards=[requires_service],
    status_code=204,
    request_max_body_size=3 * PIECE_BYTES_MAX // 2,
    responses=problems(400, 401, 403, 404, 413),
)
async def hand_in_piece(
    match_id: FromPath[UUID], data: JSONBody[HandIn], analyses: NamedDependency[AnalysisService]
) -> None:
    """Store a worker's results for a range of entries; 400 for another version of the engine or unreadable results.

    Results for an analysis that is finished, not requested or of another state of the log are ignored.
    """
    await analyses.store_results(match_id, data)


ROUTER = Router(
    "/",
    route_handlers=[read_analysis, ask_for_analysis, hand_in_piece],
    dependencies={"analyses": Provide(provide_analyses, sync_to_thread=False)},
    tags=["analyses"],
)
