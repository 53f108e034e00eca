"""Routes for absences of players of tournaments and leagues."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

from litestar import Router, delete, get, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody, QueryParameter

from api.contests.absence_schemas import AbsencesShown, StateAbsences
from api.contests.absences import AbsenceService, provide_absences
from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_ENTRANTS, requires_caller, requires_person
from domain.contests.absences import Absences

CHANGES: Final = problems(400, 401, 403, 404, 409, 413, 422, 429)
Why = Annotated[str, QueryParameter(max_length=1_000)]
"""The reason of an organiser."""


@get("/contests/{contest_id:uuid}/absences", guards=[requires_caller], responses=problems(400, 401, 403, 404))
async def get_absences(contest_id: FromPath[UUID], absences: NamedDependency[AbsenceService]) -> AbsencesShown:
    """Return when the caller is away in a tournament or league; organisers see the absences of all players."""
    return await absences.show(contest_id)


@declare_access("own", "the caller; others: the organiser")
@put(
    "/contests/{contest_id:uuid}/absences/{player:str}",
    opt=BY_ENTRANTS,
    guards=[requires_person],
    responses=CHANGES,
)
async def state_absences(
    contest_id: FromPath[UUID],
    player: FromPath[str],
    data: JSONBody[StateAbsences],
    absences: NamedDependency[AbsenceService],
) -> AbsencesShown:
    """State the rounds and dates of absence of a player: an entry, an account by id or name, or `me`.

    The statement replaces the former one. A player who is away in at least half of a round does not play it, and a
    bot or an alternate plays as the plan says.
    """
    await absences.state(
        contest_id, None if player == "me" else player, Absences(data.rounds, data.periods), data.reason
    )
    return await absences.show(contest_id)


@declare_access("own", "the caller; others: the organiser")
@delete(
    "/contests/{contest_id:uuid}/absences/{player:str}",
    opt=BY_ENTRANTS,
    guards=[requires_person],
    responses=CHANGES,
    status_code=200,
)
async def take_back_absences(
    contest_id: FromPath[UUID], player: FromPath[str], absences: NamedDependency[AbsenceService], reason: Why = ""
) -> AbsencesShown:
    """Take back the absences of a player; 409 if none are stated."""
    await absences.take_back(contest_id, None if player == "me" else player, reason)
    return await absences.show(contest_id)


ROUTER: Final = Router(
    "/",
    route_handlers=[get_absences, state_absences, take_back_absences],
    dependencies={"absences": Provide(provide_absences, sync_to_thread=False)},
    opt=BY_ENTRANTS,
    tags=["contests"],
)
