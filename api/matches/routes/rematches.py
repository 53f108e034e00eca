"""A rematch: asked for by one of those who played, accepted by the others."""

from __future__ import annotations

from uuid import UUID

from litestar import Response, Router, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from api.http.guards import BY_PLAYERS, Caller, requires_person
from api.http.who_may import allowed_to
from api.matches.rematches import RematchService, provide_rematches
from api.matches.routes.matches import CHANGE_PROBLEMS, answer
from api.matches.service import MatchService
from api.matches.wire import AskRematch, MatchShown


@allowed_to("seat", "of an ended match between people")
@post("/matches/{match_id:uuid}/rematch", guards=[requires_person], responses=CHANGE_PROBLEMS)
async def ask_rematch(
    match_id: FromPath[UUID],
    data: JSONBody[AskRematch],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    rematches: NamedDependency[RematchService],
) -> Response[MatchShown]:
    """Another match with the same people on the same terms, everybody one seat further: the first who asks opens its
    table, the others sit down there by asking too. Asked for again, it is the same table, which is the answer."""
    there = await rematches.accept(match_id, own_luck=data.own_luck)
    return answer(await matches.reading.encode(there, caller), 201)


ROUTER = Router(
    "/",
    route_handlers=[ask_rematch],
    dependencies={"rematches": Provide(provide_rematches, sync_to_thread=False)},
    opt=BY_PLAYERS,
    tags=["matches"],
)
