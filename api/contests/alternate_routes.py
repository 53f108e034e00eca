"""Routes for alternates of tournaments and leagues."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

from litestar import Router, delete, get, post, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody, QueryParameter

from api.contests.alternate_schemas import AlternatesShown, AnswerOffer, ListAlternate
from api.contests.alternates import AlternateService, provide_alternates
from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_ENTRANTS, requires_person

CHANGES: Final = problems(400, 401, 403, 404, 409, 413, 422, 429)
Why = Annotated[str, QueryParameter(max_length=1_000)]
"""The reason of an organiser."""


@get("/contests/{contest_id:uuid}/alternates", responses=problems(400, 401, 404))
async def get_alternates(contest_id: FromPath[UUID], alternates: NamedDependency[AlternateService]) -> AlternatesShown:
    """Return the alternates of a tournament or league, and the offers to the caller; organisers see all offers."""
    return await alternates.show(contest_id)


@declare_access("own", "the caller; others: the organiser")
@put(
    "/contests/{contest_id:uuid}/alternates/{player:str}",
    opt=BY_ENTRANTS,
    guards=[requires_person],
    responses=CHANGES,
)
async def list_alternate(
    contest_id: FromPath[UUID],
    player: FromPath[str],
    data: JSONBody[ListAlternate],
    alternates: NamedDependency[AlternateService],
) -> AlternatesShown:
    """Add the caller (`me`) to the alternates, or as an organiser another account, by id or name."""
    await alternates.list_person(contest_id, None if player == "me" else player, data)
    return await alternates.show(contest_id)


@declare_access("own", "the caller; others: the organiser")
@delete(
    "/contests/{contest_id:uuid}/alternates/{player:str}",
    opt=BY_ENTRANTS,
    guards=[requires_person],
    responses=CHANGES,
    status_code=200,
)
async def remove_alternate(
    contest_id: FromPath[UUID], player: FromPath[str], alternates: NamedDependency[AlternateService], reason: Why = ""
) -> AlternatesShown:
    """Remove the caller (`me`) from the alternates, or as an organiser another account."""
    await alternates.remove(contest_id, None if player == "me" else player, reason)
    return await alternates.show(contest_id)


@declare_access("signed in", "the alternate")
@post(
    "/contests/{contest_id:uuid}/offers/answer",
    opt=BY_ENTRANTS,
    guards=[requires_person],
    responses=CHANGES,
    status_code=200,
)
async def answer_offer(
    contest_id: FromPath[UUID], data: JSONBody[AnswerOffer], alternates: NamedDependency[AlternateService]
) -> AlternatesShown:
    """Accept or decline the offer of a place to the caller; 409 without an open offer, or after its end."""
    await alternates.answer(contest_id, data)
    return await alternates.show(contest_id)


ROUTER: Final = Router(
    "/",
    route_handlers=[get_alternates, list_alternate, remove_alternate, answer_offer],
    dependencies={"alternates": Provide(provide_alternates, sync_to_thread=False)},
    opt=BY_ENTRANTS,
    tags=["contests"],
)
