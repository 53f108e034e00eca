"""The checks that every request passes before its handler runs, in one ordered list.

`api/app.py` joins the base steps with the steps of subjects. The list is a guard of every route. A route with a faster
decoder and encoder (`api/matches/fast_routes.py`) runs the guards of the same handler, hence the same list. Metrics,
request ids and security headers surround all of this, also for unknown paths: `api/http/application.py`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, NamedTuple

from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler

from api.http.app_state import AppKey
from api.http.csrf import requires_csrf_token
from api.http.guards import SAFE_METHODS, identifies_caller, requires_scopes
from api.http.inputs import requires_valid_input
from api.http.limits import within_limits

Connection = ASGIConnection[Any, Any, Any, Any]
Check = Callable[[Connection, BaseRouteHandler], Awaitable[None]]


class Step(NamedTuple):
    """A check that rejects a request by raising, or records something about it."""

    name: str
    check: Check
    only_changes: bool = False
    """Requests with a safe method skip the step (RFC 9110, 9.2.1)."""
    repeats: bool = False
    """The result can change while a live stream is open, so every stream checks again before it sends."""


BASE_STEPS: Final = (
    Step("caller", identifies_caller),
    Step("forgery", requires_csrf_token, only_changes=True),
    Step("meaning", requires_valid_input),
    Step("limits", within_limits, only_changes=True),
    Step("scopes", requires_scopes),
)
"""Steps without a subject. `limits` precedes `scopes`, so that rejected tokens count too."""


class Pipeline:
    """An ordered list of steps with distinct names."""

    def __init__(self, steps: Sequence[Step]) -> None:
        assert len({step.name for step in steps}) == len(steps), "two steps have the same name"
        self.steps: Final = tuple(steps)
        self._of_changes: Final = tuple(step.check for step in steps)
        self._of_reads: Final = tuple(step.check for step in steps if not step.only_changes)
        self._repeated: Final = tuple(step.check for step in steps if step.repeats)

    async def run(self, connection: Connection, handler: BaseRouteHandler) -> None:
        """Run the steps in order. One guard, because the framework copies the handler for each guard."""
        for check in self._of_reads if connection.scope.get("method") in SAFE_METHODS else self._of_changes:
            await check(connection, handler)

    async def repeat(self, connection: Connection) -> None:
        """Run the steps whose result can change while a live stream is open."""
        for check in self._repeated:
            await check(connection, connection.route_handler)


ROUTE_PIPELINE: Final = AppKey[Pipeline]("pipeline")
