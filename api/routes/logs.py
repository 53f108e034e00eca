"""Logs and what is made of them: forks."""

from __future__ import annotations

from uuid import UUID

from litestar import Response, Router, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from api import commands
from api.guards import Caller, requires_caller
from api.ids import IdempotencyKey, created_id
from api.routes.matches import CHANGE_PROBLEMS, answer
from api.schemas import ForkMatch, MatchShown
from api.tables import Tables, now


@post("/matches/{match_id:uuid}/forks", guards=[requires_caller], responses=CHANGE_PROBLEMS)
async def fork_match(
    match_id: FromPath[UUID],
    data: JSONBody[ForkMatch],
    caller: NamedDependency[Caller],
    tables: NamedDependency[Tables],
    idempotency_key: IdempotencyKey = None,
) -> Response[MatchShown]:
    """A new match that begins as this one stood after an entry."""
    new_id = created_id(caller, idempotency_key)
    match = await tables.change(match_id, commands.fork, data, new_id, caller, at=now())
    return answer(tables.shown(match, caller), 201)


ROUTER = Router("/", route_handlers=[fork_match], tags=["logs"])
