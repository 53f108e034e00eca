"""Routes for results that players enter, and for renewing seat codes."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from litestar import Request, Response, Router, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter

from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_ENTRANTS, BY_ORGANISERS, requires_caller
from api.http.limits import address_of
from api.tournaments.claim_schemas import ClaimedShown, ClaimResult
from api.tournaments.claims import encode_claimed
from api.tournaments.routes.rounds import TABLE
from api.tournaments.routes.tournaments import CHANGES, tournament_response
from api.tournaments.schemas import TournamentShown
from api.tournaments.service import TournamentService

Reason = Annotated[str, QueryParameter(max_length=1_000, description="reason for the new code")]


@declare_access("anybody", "with the code of a seat at the table; five attempts an hour")
@post(TABLE + "/claims", opt=BY_ENTRANTS, responses=problems(400, 401, 403, 404, 409, 413, 422, 429))
async def claim_result(
    request: Request[Any, Any, Any],
    event_id: FromPath[UUID],
    number: FromPath[int],
    table: FromPath[int],
    data: JSONBody[ClaimResult],
    tournaments: NamedDependency[TournamentService],
) -> Response[ClaimedShown]:
    """Enter the result of a face-to-face table as one of its players, identified by the code of the seat.

    It counts once a second player, or everyone if the event requires it, enters the same. Contradictory results are
    left to an organiser.
    """
    event = await tournaments.claims.claim_result(event_id, number, table, data, address_of(request))
    return Response(encode_claimed(event, number, table), status_code=201)


@declare_access("official", "its organisers")
@post(
    "/tournaments/{event_id:uuid}/entries/{entry:str}/code",
    opt=BY_ORGANISERS,
    guards=[requires_caller],
    responses=CHANGES,
)
async def renew_code(
    event_id: FromPath[UUID], entry: FromPath[str], tournaments: NamedDependency[TournamentService], reason: Reason = ""
) -> Response[TournamentShown]:
    """Renew the code of an entry as an organiser, with a public reason.

    Codes themselves appear only on the organisers' printed sheets.
    """
    return await tournament_response(tournaments, await tournaments.claims.renew_code(event_id, entry, reason), 201)


ROUTER = Router("/", route_handlers=[claim_result, renew_code], tags=["tournaments"])
