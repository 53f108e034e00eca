"""The tree of forks of a match."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from litestar import Router, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import Caller
from api.http.paging import Before, Limit
from api.matches.schemas import ForksShown
from api.matches.service import MatchService
from projections.platform.paging import LIMIT


@declare_access("anybody", "lines visible to the reader")
@get("/matches/{match_id:uuid}/forks", responses=problems(400, 401, 403, 404))
async def list_forks(
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    before: Before = None,
    limit: Limit = LIMIT,
) -> ForksShown:
    """List a page of the match's tree: the root, then the forks that the caller may see, latest first."""
    return await matches.reading.forks(match_id, caller, limit, before)


ROUTER: Final = Router("/", route_handlers=[list_forks], tags=["forks"])
