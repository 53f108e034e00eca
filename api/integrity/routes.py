"""API routes of the integrity screen; each access is recorded."""

from __future__ import annotations

from uuid import UUID

from litestar import Router, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery

from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import READS_BY, Caller, requires_caller, requires_person
from api.integrity.schemas import FiguresShown, LookShown, LooksShown
from api.integrity.service import IntegrityService, provide_integrity
from api.matches.service import MatchService
from projections.integrity_looks import looks_at
from projections.platform.clock import now


@declare_access("official", "arbiters, recorded; addresses: arbiters of the service")
@get("/integrity", guards=[requires_caller], responses=problems(400, 401, 403, 429))
async def read_figures(
    integrity: NamedDependency[IntegrityService], event: FromQuery[UUID | None] = None
) -> FiguresShown:
    """Return statistics that may indicate help or collusion, most unusual first; they prove nothing.

    Arbiters of an event see its players, arbiters of the service everyone. The access is recorded. Raise `RoleMissing`
    for others, `ConflictOfInterest` for players of the event.
    """
    return await integrity.figures(event)


@declare_access("official", "arbiters, recorded; addresses: arbiters of the service")
@get("/integrity/people/{name:str}", guards=[requires_caller], responses=problems(400, 401, 403, 404, 429))
async def read_person(
    name: FromPath[str], integrity: NamedDependency[IntegrityService], event: FromQuery[UUID | None] = None
) -> FiguresShown:
    """Return the statistics of one person, by id or name, limited to the event if given. The access is recorded.

    Raise `RoleMissing`, `ConflictOfInterest` (also for oneself) or `NoSuchPerson`.
    """
    return await integrity.figures_of_person(event, name)


@declare_access("official", "arbiters, recorded; addresses: arbiters of the service")
@get("/integrity/matches/{match_id:uuid}", guards=[requires_caller], responses=problems(400, 401, 403, 404, 429))
async def read_match(match_id: FromPath[UUID], integrity: NamedDependency[IntegrityService]) -> FiguresShown:
    """Return the statistics of a match's original players, and their thinking times."""
    return await integrity.figures(match_id=match_id)


@declare_access("signed in", "the caller's")
@get("/me/figures", guards=[requires_person], opt={READS_BY: ("read",)}, responses=problems(401, 429))
async def read_looks(caller: NamedDependency[Caller], matches: NamedDependency[MatchService]) -> LooksShown:
    """List arbiters' accesses to the caller's statistics, once their dispute is closed or after 90 days.

    Only the role, the event and the match are named, not the arbiter.
    """
    assert caller.person
    found = await matches.writer.read_model(looks_at, caller.person.id, now())
    return LooksShown(tuple(LookShown(each.at, each.role, each.event or None, each.match_id) for each in found))


ROUTER = Router(
    "/",
    route_handlers=[read_figures, read_person, read_match, read_looks],
    dependencies={"integrity": Provide(provide_integrity, sync_to_thread=False)},
    opt={READS_BY: ("arbitrate",)},
    tags=["desk"],
)
