"""The life of one request: request id, metrics, trace span and log line."""

from __future__ import annotations

from http import HTTPStatus
from time import perf_counter
from typing import Any, Final, cast

import structlog
from litestar.types import Message, Scope, Send

from api.http.app_state import AppKey
from api.http.metrics import Metrics, method_and_route, method_of
from api.http.requests_in_progress import RequestsInProgress
from projections.platform.telemetry.requests import CURRENT, GIVEN, RAW_HEADER, new_request_id
from projections.platform.telemetry.spans import GIVEN_TRACE, METHOD, REQUEST, ROUTE, SERVER, SPAN, STATUS, Span, Traces

EVENTS: Final = b"text/event-stream"
UNBUFFERED: Final = (b"x-accel-buffering", b"no")
"""A header that stops nginx from buffering a stream."""

TRACES: Final = AppKey[Traces | None]("traces")

log = structlog.get_logger("requests")


class TrackedRequest:
    """State of a request while it is handled; creating it sets the request id for all log lines."""

    __slots__ = (
        "_in_progress",
        "_is_logged",
        "_is_stream",
        "_metrics",
        "_request",
        "_scope",
        "_send",
        "_span",
        "_started",
        "status",
    )

    def __init__(
        self,
        metrics: Metrics,
        in_progress: RequestsInProgress,
        scope: Scope,
        send: Send,
        *,
        is_logged: bool,
        traces: Traces | None = None,
    ) -> None:
        state: dict[str, Any] = cast("Any", scope).get("state") or {}
        self._request = state.get(GIVEN) or new_request_id()
        CURRENT.set(self._request)
        self._span: Span | None = None
        if traces is not None:
            attributes = {METHOD: method_of(scope), REQUEST: self._request}
            self._span = traces.begin("request", SERVER, attributes, traceparent=state.get(GIVEN_TRACE, ""))
            SPAN.set(self._span)
        self._metrics = metrics
        self._in_progress = in_progress
        self._scope = scope
        self._send = send
        self._is_logged = is_logged
        self._started = perf_counter()
        self._is_stream = False
        self.status = 0
        """The status sent to the client; 0 before the response starts."""
        in_progress.begin()

    async def send(self, message: Message) -> None:
        """Send a message, adding the request id to the head of the response.

        With the head, the response is counted, logged and traced; a stream of events stops counting as a request in
        progress.
        """
        if message["type"] == "http.response.start":
            seconds = perf_counter() - self._started
            self.status = message["status"]
            self._metrics.count_response(self._scope, message["status"], seconds)
            headers = [*message["headers"], (RAW_HEADER, self._request.encode())]
            if any(name == b"content-type" and value.startswith(EVENTS) for name, value in headers):
                self._is_stream = True
                headers.append(UNBUFFERED)
                self._metrics.count_opened_stream()
                self._in_progress.end()
            if self._is_logged:
                self._log(message["status"], seconds)
            if self._span is not None:
                self._update_span(self._span, message["status"])
            message = {**message, "headers": headers}
        elif self._is_stream and message["type"] == "http.response.body" and message["body"]:
            self._metrics.count_chunk(message["body"])
        await self._send(message)

    def end(self) -> None:
        """Count the request as ended, or the event stream as closed, and end its span if that is still open."""
        if self._is_stream:
            self._metrics.count_closed_stream()
        else:
            self._in_progress.end()
        if self._span is not None:
            self._span.end()

    def _update_span(self, span: Span, status: int) -> None:
        """Set route and status on the span, and end the span of a stream, because its events belong to no request."""
        method, route = method_and_route(self._scope)
        span.rename(f"{method} {route}")
        span.set_attribute(ROUTE, route)
        span.set_attribute(STATUS, status)
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            span.fail(str(status))
        if self._is_stream:
            span.end()
            self._span = None

    def _log(self, status: int, seconds: float) -> None:
        """Log the request with the template of its route, because the path itself can identify a person."""
        method, route = method_and_route(self._scope)
        log.info("request", method=method, route=route, status=status, seconds=round(seconds, 6))
