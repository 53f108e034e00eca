"""Routes for prizes and their distribution."""

from __future__ import annotations

from uuid import UUID

from litestar import Response, Router, get, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from api.http.guards import BY_ORGANISERS, requires_caller
from api.http.limits import TEXT_BYTES_MAX
from api.http.who_may import allowed_to
from api.tournaments.routes.tournaments import CHANGES, LOOKS, answer
from api.tournaments.service import TournamentService
from api.tournaments.showing import show_awards
from api.tournaments.wire import TournamentShown
from api.tournaments.wire_of_prizes import AwardsShown, SetPrizes


@allowed_to("official", "its organisers")
@put(
    "/tournaments/{event_id:uuid}/prizes",
    guards=[requires_caller],
    responses=CHANGES,
    request_max_body_size=TEXT_BYTES_MAX,
)
async def set_prizes(
    event_id: FromPath[UUID], data: JSONBody[SetPrizes], tournaments: NamedDependency[TournamentService]
) -> Response[TournamentShown]:
    """Set the prizes by place, and how tied players share them."""
    return await answer(tournaments, await tournaments.plans.set_prizes(event_id, data.prizes, data.reason))


@get("/tournaments/{event_id:uuid}/awards", responses=LOOKS)
async def get_awards(event_id: FromPath[UUID], tournaments: NamedDependency[TournamentService]) -> AwardsShown:
    """Return the awards by the current standings."""
    return await tournaments.reading.render(await tournaments.reading.get(event_id), show_awards)


ROUTER = Router("/", route_handlers=[set_prizes, get_awards], opt=BY_ORGANISERS, tags=["tournaments"])
