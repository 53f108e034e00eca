"""The ASGI application, a subclass of Litestar's."""

from __future__ import annotations

from typing import Any, Final, Protocol, cast

from litestar import Litestar
from litestar.enums import HttpMethod, ScopeType
from litestar.types import LifeSpanReceive, LifeSpanScope, Message, Receive, Scope, Send

from api.http.app_state import SERVICE_CLOCK, SETTINGS, AppKey
from api.http.draining import DRAINING, close_after_response
from api.http.headers import RESPONSE_HEADERS
from api.http.inputs import METHODS
from api.http.limits import CHARGES, Charge, is_refusal, refund
from api.http.metrics import METRICS
from api.http.request_tracking import TRACES, TrackedRequest
from api.http.requests_in_progress import REQUESTS_IN_PROGRESS
from api.http.stored_flag import HAS_STORED
from domain.eventstore.circuit_breaker import ANSWER_SECONDS, RESPONSE_TIMEOUT
from projections.platform.clock import CLOCK


class Application(Litestar):
    """The service. It answers HEAD like GET without a body, because monitoring tools send HEAD."""

    async def __call__(self, scope: Scope | LifeSpanScope, receive: Receive | LifeSpanReceive, send: Any) -> None:
        """Handle a request: set up metrics, tracing, deadlines and charges around the framework's handling."""
        # Of every request and of the lifespan, whose tasks and threads inherit it.
        CLOCK.set(SERVICE_CLOCK.of(self))
        if scope["type"] != ScopeType.HTTP:
            await super().__call__(scope, receive, send)
            return
        RESPONSE_TIMEOUT.set(ANSWER_SECONDS)
        HAS_STORED.set(False)
        charges: list[Charge] = []
        CHARGES.set(charges)
        tracked_request = TrackedRequest(
            METRICS.of(self),
            REQUESTS_IN_PROGRESS.of(self),
            cast("Scope", scope),
            send,
            is_logged=SETTINGS.of(self).log_requests,
            traces=TRACES.of(self),
        )

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                if charges and is_refusal(message["status"]) and not HAS_STORED.get():
                    await refund(charges)
                headers = RESPONSE_HEADERS.of(self).add(message["headers"], cast("Scope", scope), METHODS.of(self))
                message = {**message, "headers": headers}
            await tracked_request.send(message)

        try:
            await self._answer(cast("Scope", scope), cast("Receive", receive), send_secured)
        finally:
            tracked_request.end()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, by a fast route if possible; HEAD is answered as GET without its body.

        While the server drains, the connection is closed after the response.
        """
        if DRAINING.of(self).has_begun:
            send = close_after_response(send)
        if scope.get("method") != HttpMethod.HEAD:
            fast_routes: FastRoutes | None = FAST_ROUTES.of(self)
            remaining_receive = receive if fast_routes is None else await fast_routes.handle(self, scope, receive, send)
            if remaining_receive is not None:
                await super().__call__(scope, remaining_receive, send)
            return

        get_scope: Any = {**scope, "method": HttpMethod.GET.value}

        async def without_body(message: Message) -> None:
            if message["type"] == "http.response.start":
                scope["path_template"] = get_scope.get("path_template", "")
                await send(message)
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        await super().__call__(get_scope, receive, without_body)


class FastRoutes(Protocol):
    """Routes with a faster decoder and encoder than the framework's."""

    async def handle(self, app: Litestar, scope: Scope, receive: Receive, send: Send) -> Receive | None:
        """Handle the request and return None, or return the `receive` callable for the regular handler."""


FAST_ROUTES: Final = AppKey[FastRoutes | None]("fast_routes")
