"""Routes for prizes and their distribution."""

from __future__ import annotations

from uuid import UUID

from litestar import Response, Router, get, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from api.contests.prize_schemas import SetPrizes
from api.http.access import declare_access
from api.http.guards import BY_ORGANISERS, requires_caller
from api.http.limits import TEXT_BYTES_MAX
from api.tournaments.prize_schemas import AwardsShown
from api.tournaments.responses import show_awards
from api.tournaments.routes.tournaments import CHANGES, LOOKS, tournament_response
from api.tournaments.schemas import TournamentShown
from api.tournaments.service import TournamentService


@declare_access("official", "its organisers")
@put(
    "/tournaments/{event_id:uuid}/prizes",
    guards=[requires_caller],
    responses=CHANGES,
    request_max_body_size=TEXT_BYTES_MAX,
)
async def set_prizes(
    event_id: FromPath[UUID], data: JSONBody[SetPrizes], tournaments: NamedDependency[TournamentService]
) -> Response[TournamentShown]:
    """Set the prizes by place, and how tied players share them, as an organiser who does not play in the event."""
    return await tournament_response(
        tournaments, await tournaments.plans.set_prizes(event_id, data.prizes, data.reason)
    )


@get("/tournaments/{event_id:uuid}/awards", responses=LOOKS)
async def get_awards(event_id: FromPath[UUID], tournaments: NamedDependency[TournamentService]) -> AwardsShown:
    """Return the awards by the current standings."""
    return await tournaments.reading.render(await tournaments.reading.get(event_id), show_awards)


ROUTER = Router("/", route_handlers=[set_prizes, get_awards], opt=BY_ORGANISERS, tags=["tournaments"])
