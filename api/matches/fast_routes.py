"""Faster decoding and encoding for the three requests of every turn: a match, its legal actions, an action.

A fast route replaces the framework's dependencies, parameter parsing and encoding. It runs the guards of the same
handler, including the request pipeline (`api/http/pipeline.py`). Unusual requests fall back to the framework before any
step has run, because steps count and record.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import HTTPReceiveMessage, Receive, Scope, Send

from api.http.errors import answer_exception
from api.http.etags import contains_tag
from api.http.headers import encode_headers
from api.http.inputs import ESCAPED_NUL, ValidatedRequest
from api.http.limits import BODY_BYTES_MAX
from api.matches.schemas import Act
from api.matches.service import MATCHES, MatchService
from api.titles.actions import with_action
from domain.kernel.title import Titles

PATH: Final = re.compile(r"/api/matches/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(/legal-actions|/actions|)")
ROUTES: Final = {
    "": ("GET", "/api/matches/{match_id}"),
    "/legal-actions": ("GET", "/api/matches/{match_id}/legal-actions"),
    "/actions": ("POST", "/api/matches/{match_id}/actions"),
}
"""Method and path template of each fast route, by the end of its path."""
AT_LEAST: Final = re.compile(rb"atLeast=([0-9]{1,9})")
PREFERS: Final = "return=representation"
"""The supported preference (RFC 7240): the response to an action contains the next legal actions."""
APPLIED: Final = ("Preference-Applied", PREFERS)
JSON: Final = "application/json"
UNSUPPORTED_HEADERS: Final = frozenset(
    {b"cookie", b"esporles-signed", b"esporles-held", b"transfer-encoding", b"content-encoding"}
)
"""Headers of requests that the framework decodes."""


class FastRequest(NamedTuple):
    """A request that a fast route can answer."""

    request: ValidatedRequest
    handler: HTTPRouteHandler
    match_id: UUID
    headers: Mapping[bytes, bytes]
    at_least: int


class FastRoutes:
    """The fast routes of an application whose routes are registered."""

    def __init__(self, app: Litestar, titles: Titles) -> None:
        self._act: Final = msgspec.json.Decoder(with_action(Act, titles))
        self._handlers: Final = {part: find_handler(app, *route) for part, route in ROUTES.items()}

    async def handle(self, app: Litestar, scope: Scope, receive: Receive, send: Send) -> Receive | None:
        """Answer the request and return None, or return the channel from which the usual handler receives the body.

        Only the three fast routes are answered, for a cached match that is no what-if and not superseded. Repeated
        headers, `UNSUPPORTED_HEADERS` and queries other than `atLeast` are left to the usual handler.
        """
        path_match = PATH.fullmatch(scope["path"])
        if path_match is None or scope.get("method") != ROUTES[path_match[2]][0]:
            return receive
        match_id, part = UUID(path_match[1]), path_match[2]
        matches = MATCHES.of(app)
        match = matches.reading.find_cached(match_id)
        if match is None or match.docket.dispute or match.docket.superseded_by is not None:
            return receive
        raw_headers, at_least = list(scope["headers"]), 0
        headers = dict(raw_headers)
        if len(headers) != len(raw_headers) or not UNSUPPORTED_HEADERS.isdisjoint(headers):
            return receive
        if query := scope["query_string"]:
            at_least_query = AT_LEAST.fullmatch(query)
            if at_least_query is None or part:
                return receive
            at_least = int(at_least_query[1])
            if match.version < at_least:
                return receive
        handler = self._handlers[part]
        fast_request = FastRequest(
            request_for(app, scope, handler, match_id, part), handler, match_id, headers, at_least
        )
        if part == "/actions":
            return await self._answer_action(matches, fast_request, scope, receive, send)
        return await self._answer_read(matches, fast_request, scope, receive, send)

    async def _answer_read(
        self, matches: MatchService, fast_request: FastRequest, scope: Scope, receive: Receive, send: Send
    ) -> Receive | None:
        """Answer with the match or its legal actions (200, 304 or a refusal).

        Return `receive` unanswered if the match is older than `atLeast`.
        """
        request = fast_request.request
        try:
            await run_guards(fast_request)
            match = await matches.reading.get_current(fast_request.match_id)
            if match.version < fast_request.at_least:
                return receive
            if fast_request.handler is self._handlers["/legal-actions"]:
                content, tag = await matches.reading.legal_bytes(match, request.user), ""
            else:
                content, tag = await matches.reading.encode_for(match, request.user)
        except Exception as refusal:  # The framework, too, has one handler for all exceptions.
            await send_refusal(request, refusal, scope, send)
            return None
        scope["path_template"] = request.scope["path_template"]
        if tag and contains_tag(tag, fast_request.headers.get(b"if-none-match", b"").decode("latin-1")):
            await send_start(send, 304, [("ETag", tag)])
            await send_body(send, b"")
        else:
            await send_json(send, 200, content, [("ETag", tag)] if tag else [])
        return None

    async def _answer_action(
        self, matches: MatchService, fast_request: FastRequest, scope: Scope, receive: Receive, send: Send
    ) -> Receive | None:
        """Take the action and answer 201 or a refusal; return a replaying channel if the body needs the usual handler.

        With `Prefer: return=representation` the response contains the legal actions.
        """
        if fast_request.headers.get(b"content-type") != JSON.encode():
            return receive
        messages, act = await receive_body(receive), None
        if all(message["type"] == "http.request" for message in messages):
            act = self._decode(b"".join(message["body"] for message in messages))
        if act is None:
            return replay_messages(messages, receive)
        request = fast_request.request
        try:
            await run_guards(fast_request)
            caller = request.user
            match = await matches.play.act(fast_request.match_id, caller, act.action, act.expected_version)
            legal = prefers_representation(fast_request.headers.get(b"prefer", b"").decode("latin-1"))
            content = await matches.reading.match_bytes(match, caller, legal=legal)
        except Exception as refusal:  # The framework, too, has one handler for all exceptions.
            await send_refusal(request, refusal, scope, send)
            return None
        scope["path_template"] = request.scope["path_template"]
        await send_json(send, 201, content, [("ETag", f'"{match.version}"'), *([APPLIED] if legal else [])])
        return None

    def _decode(self, body: bytes) -> Act | None:
        """Return the action; None if the body is too long, malformed, signed or for a named seat."""
        if len(body) > BODY_BYTES_MAX or ESCAPED_NUL in body:
            return None
        try:
            act: Act = self._act.decode(body)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            return None
        return act if act.seat is None and act.signed is None else None


def find_handler(app: Litestar, method: str, template: str) -> HTTPRouteHandler:
    """Return the registered handler of a method and path template; raise `AssertionError` if there is none."""
    for route in app.routes:
        if isinstance(route, HTTPRoute) and route.path_format == template and method in route.methods:
            return next(handler for handler in route.route_handlers if method in handler.http_methods)
    raise AssertionError(f"no route {method} {template}")


def request_for(app: Litestar, scope: Scope, handler: HTTPRouteHandler, match_id: UUID, part: str) -> ValidatedRequest:
    """Return the request as the framework would give it to the handler, with a separate scope."""
    request_scope: Any = {
        **scope,
        "litestar_app": app,
        "route_handler": handler,
        "path_params": {"match_id": match_id},
        "path_template": ROUTES[part][1],
        "state": dict(scope.get("state") or {}),
    }
    return ValidatedRequest(request_scope)


async def run_guards(fast_request: FastRequest) -> None:
    """Run all guards of the handler and its `before_request` hook, as the framework does; refusals are raised."""
    request: Any = fast_request.request
    for guard in fast_request.handler.resolve_guards():
        await guard(request, fast_request.handler)  # type: ignore[misc]  # the framework has made all of them asynchronous
    if (before := fast_request.handler.resolve_before_request()) is not None:
        await before(request)


async def send_refusal(request: ValidatedRequest, refusal: Exception, scope: Scope, send: Send) -> None:
    """Send the problem document of a refusal, as the application does for every route under `/api/`."""
    scope["path_template"] = request.scope["path_template"]
    await answer_exception(request, refusal).to_asgi_response(None, request)(request.scope, request.receive, send)


async def send_json(send: Send, status: int, content: bytes, extra_headers: Iterable[tuple[str, str]]) -> None:
    """Send a complete JSON response."""
    await send_start(send, status, [("Content-Type", JSON), ("Content-Length", str(len(content))), *extra_headers])
    await send_body(send, content)


async def send_start(send: Send, status: int, headers: Iterable[tuple[str, str]]) -> None:
    """Send status and headers of a response."""
    await send({"type": "http.response.start", "status": status, "headers": encode_headers(headers)})


async def send_body(send: Send, content: bytes) -> None:
    """Send the whole body of a response."""
    await send({"type": "http.response.body", "body": content, "more_body": False})


def prefers_representation(header: str | None) -> bool:
    """Return whether the client prefers a response with the next legal actions."""
    return header is not None and PREFERS in [part.strip().lower() for part in re.split("[,;]", header)]


async def receive_body(receive: Receive) -> list[Any]:
    """Return the messages of a body; stop early if it exceeds `BODY_BYTES_MAX` or the client disconnects."""
    messages, length = [await receive()], 0
    while messages[-1]["type"] == "http.request" and messages[-1].get("more_body"):
        length += len(messages[-1]["body"])
        if length > BODY_BYTES_MAX:
            break
        messages.append(await receive())
    return messages


def replay_messages(messages: list[HTTPReceiveMessage], receive: Receive) -> Receive:
    """Return a channel that replays these messages before it receives others."""
    waiting = iter(messages)

    async def receive_again() -> Any:
        message = next(waiting, None)
        return await receive() if message is None else message

    return receive_again
