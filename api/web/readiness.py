"""Whether the service can do its work now: it may live and wait for a database that is away."""

from __future__ import annotations

from litestar import get
from litestar.di import NamedDependency

from api.matches.service import MatchService
from api.web.errors import problems
from api.web.wire import Health
from domain.matches.application import Matches
from projections.store import ReadStore


@get("/api/ready", responses=problems(401, 503), tags=["service"])
async def ready(matches: NamedDependency[MatchService]) -> Health:
    """Whether the log and the read models answer: 503 while one of them does not. `/api/health` says that the service
    lives."""
    await matches.read_log(Matches.last_position)
    await matches.read_model(ReadStore.positions)
    return Health("ready")
