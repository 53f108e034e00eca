"""The readiness check: a live service may still wait for a database."""

from __future__ import annotations

from typing import Any

from litestar import Request, get
from litestar.di import NamedDependency
from litestar.exceptions import ServiceUnavailableException

from api.accounts.service import AccountService
from api.http.access import declare_access
from api.http.draining import DRAINING
from api.http.errors import problems
from api.http.structs import Health
from api.matches.service import MatchService
from domain.eventstore.application import Matches
from projections.platform.store import ReadStore


@declare_access("anybody", "whether the databases respond")
@get("/api/ready", responses=problems(401, 503), tags=["service"])
async def ready(
    request: Request[Any, Any, Any],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
) -> Health:
    """Return whether the log, the read models and the accounts database respond.

    503 if one of them does not, or if this process is about to stop. `/api/health` reports only that the service is
    alive.
    """
    if DRAINING.of(request).has_begun:
        raise ServiceUnavailableException("this process is shutting down")
    await matches.writer.read_log(Matches.last_position)
    await matches.writer.read_model(ReadStore.least_offsets)
    await accounts.require_database()
    return Health("ready")
