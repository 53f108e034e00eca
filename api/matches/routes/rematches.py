"""Routes of rematches."""

from __future__ import annotations

from uuid import UUID

from litestar import Response, Router, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from api.http.access import declare_access
from api.http.guards import BY_PLAYERS, Caller, requires_person
from api.matches.rematches import RematchService, provide_rematches
from api.matches.routes.matches import CHANGE_PROBLEMS, answer
from api.matches.schemas import AskRematch, MatchShown
from api.matches.service import MatchService


@declare_access("seat", "of a finished match between people")
@post("/matches/{match_id:uuid}/rematch", guards=[requires_person], responses=CHANGE_PROBLEMS)
async def ask_rematch(
    match_id: FromPath[UUID],
    data: JSONBody[AskRematch],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    rematches: NamedDependency[RematchService],
) -> Response[MatchShown]:
    """Request or accept a rematch with the same people and options, everyone one seat further.

    The first request opens the table, the requests of the others take their seats. Repeated requests return the same
    table.
    """
    rematch = await rematches.accept(match_id, own_luck=data.own_luck)
    return answer(await matches.reading.encode(rematch, caller), 201)


ROUTER = Router(
    "/",
    route_handlers=[ask_rematch],
    dependencies={"rematches": Provide(provide_rematches, sync_to_thread=False)},
    opt=BY_PLAYERS,
    tags=["matches"],
)
