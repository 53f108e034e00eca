"""Results that players of tables face to face enter themselves, and codes that are renewed."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from litestar import Request, Response, Router, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter

from api.http.errors import problems
from api.http.guards import BY_ENTRANTS, BY_ORGANISERS, requires_caller
from api.http.limits import address_of
from api.http.who_may import allowed_to
from api.tournaments.claims import show_claimed
from api.tournaments.routes.rounds import TABLE
from api.tournaments.routes.tournaments import CHANGES, answer
from api.tournaments.service import TournamentService
from api.tournaments.wire import TournamentShown
from api.tournaments.wire_of_claims import ClaimedShown, ClaimResult

Reason = Annotated[str, QueryParameter(max_length=1_000, description="why somebody gets another code")]


@allowed_to("anybody", "with the code of a seat of the table, tried five times an hour")
@post(TABLE + "/claims", opt=BY_ENTRANTS, responses=problems(400, 401, 403, 404, 409, 413, 422, 429))
async def claim_result(
    request: Request[Any, Any, Any],
    event_id: FromPath[UUID],
    number: FromPath[int],
    table: FromPath[int],
    data: JSONBody[ClaimResult],
    tournaments: NamedDependency[TournamentService],
) -> Response[ClaimedShown]:
    """A player says what their table face to face came to; who that is, the code of the seat says. It counts when a
    second one says the same, or all do where the event wants that; two who say different things ask an organiser."""
    event = await tournaments.claims.claim_result(event_id, number, table, data, address_of(request))
    return Response(show_claimed(event, number, table), status_code=201)


@allowed_to("official", "its organisers")
@post(
    "/tournaments/{event_id:uuid}/entries/{entry:str}/code",
    opt=BY_ORGANISERS,
    guards=[requires_caller],
    responses=CHANGES,
)
async def renew_code(
    event_id: FromPath[UUID], entry: FromPath[str], tournaments: NamedDependency[TournamentService], reason: Reason = ""
) -> Response[TournamentShown]:
    """The code of an entry is another one from now on, for a reason that everybody may read; codes themselves
    are on the organiser's printed strips alone."""
    return await answer(tournaments, await tournaments.claims.renew_code(event_id, entry, reason), 201)


ROUTER = Router("/", route_handlers=[claim_result, renew_code], tags=["tournaments"])
