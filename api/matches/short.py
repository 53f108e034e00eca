"""The short ways: what is asked at every turn of a match, answered without the framework's way to a handler.

Only what is usual goes this way: a program with a bearer token at a match that anybody may see, or at its own, with
nothing in the request that has to be thought about. Everything else, and everything that is to be refused before it is
carried out, is left to the handler of the same address, which is the one the document of the API describes.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple, cast
from uuid import UUID

import msgspec
from litestar import Litestar
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.types import HTTPReceiveMessage, Receive, Scope, Send

from api.accounts.service import AccountService
from api.matches.callers import seat_of_caller
from api.matches.service import MatchService
from api.matches.wire import Act
from api.titles.actions import with_actions
from api.web.errors import PROBLEM_TYPE, headers_of, note, problem_of
from api.web.guards import NOBODY, Caller
from api.web.headers import raw, usual_headers
from api.web.inputs import ESCAPED_NUL, Asking
from api.web.limits import BODY_BYTES_MAX, Limits, too_many, too_often
from api.web.unchanged import is_among
from domain.kernel.title import Titles
from projections.platform.settings import Settings

PATH: Final = re.compile(r"/api/matches/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(/legal-actions|/actions|)")
ROUTES: Final = {part: f"/api/matches/{{match_id}}{part}" for part in ("", "/legal-actions", "/actions")}
"""What the addresses are called where requests are counted, as the framework calls them."""
AT_LEAST: Final = re.compile(rb"atLeast=([0-9]{1,9})")
PREFERS: Final = "return=representation"
"""What of `Prefer` (RFC 7240) is understood: the answer to an action brings what is legal next."""
APPLIED: Final = ("Preference-Applied", PREFERS)
JSON: Final = "application/json"
LONG_WAY: Final = frozenset(
    {b"cookie", b"esporles-signed", b"esporles-held", b"transfer-encoding", b"content-encoding"}
)
"""Whoever sends one of these is answered by the handler."""


Note = Callable[[ASGIConnection[Any, Any, Any, Any]], Awaitable[None]]


class Asked(NamedTuple):
    """A request that may go the short way."""

    match_id: UUID
    part: str
    at_least: int
    caller: Caller
    headers: Mapping[bytes, bytes]


class ShortWays:
    """The short ways of an application."""

    def __init__(self, settings: Settings, titles: Titles, note_address: Note) -> None:
        self._settings = settings
        self._note_address = note_address
        self._usual: Final = raw(usual_headers(settings).items())
        self._act: Final = msgspec.json.Decoder(with_actions(Act, titles))

    async def take(self, app: Litestar, scope: Scope, receive: Receive, send: Send) -> Receive | None:
        """Answers the request, or says from where its handler receives it."""
        try:
            asked = await self._read(app.state, scope)
            if asked is None:
                return receive
            scope["path_template"] = ROUTES[asked.part]
            if asked.part == "/actions":
                return await self._take_action(app, asked, scope, receive, send)
            return await self._take_question(app.state.tables, asked, receive, send)
        except Exception as refusal:  # whatever it is, it is answered as everywhere
            await self._refuse(scope, send, refusal)
            return None

    async def _take_question(self, tables: MatchService, asked: Asked, receive: Receive, send: Send) -> Receive | None:
        known = tables.recalled(asked.match_id)
        if known is None or not tables.is_open_to(known, asked.caller):
            return receive
        match = await tables.present(asked.match_id)
        if match.version < asked.at_least or not tables.is_open_to(match, asked.caller):
            return receive
        if asked.part and seat_of_caller(match, asked.caller) is None:
            return receive
        if asked.part:
            await self._send(send, 200, await tables.legal_bytes(match, asked.caller))
        else:
            answer = await tables.match_answer(match, asked.caller)
            if is_among(answer.tag, asked.headers.get(b"if-none-match", b"").decode("latin-1")):
                await self._send_unchanged(send, answer.tag)
                return None
            await self._send(send, 200, answer.content, [("ETag", answer.tag)])
        return None

    async def _read(self, state: State, scope: Scope) -> Asked | None:
        """What is asked, unless there is anything unusual about it."""
        found = PATH.fullmatch(scope["path"])
        method = scope.get("method")
        if found is None or method != ("POST" if found[2] == "/actions" else "GET"):
            return None
        sent, at_least = list(scope["headers"]), 0
        headers = dict(sent)
        if len(headers) != len(sent) or not LONG_WAY.isdisjoint(headers):
            return None
        if query := scope["query_string"]:
            wanted = AT_LEAST.fullmatch(query)
            if wanted is None or found[2]:
                return None
            at_least = int(wanted[1])
        caller = await self._caller(state.accounts, scope, headers)
        if caller is None or not caller.may("play" if method == "POST" else "read"):
            return None
        return Asked(UUID(found[1]), found[2], at_least, caller, headers)

    async def _caller(self, accounts: AccountService, scope: Scope, headers: Mapping[bytes, bytes]) -> Caller | None:
        server, scheme = scope.get("server"), headers.get(b"authorization")
        if scheme is None and scope.get("method") == "GET":
            return NOBODY
        is_bearer = scheme is not None and scheme[:7].lower() == b"bearer " and scheme.isascii()
        if scheme is None or not is_bearer or server is None or server[1] is None:
            return None
        bearer = await accounts.by_token(scheme[7:].decode())
        return None if bearer is None else Caller(bearer.person, scopes=bearer.scopes)

    async def _take_action(
        self, app: Litestar, asked: Asked, scope: Scope, receive: Receive, send: Send
    ) -> Receive | None:
        tables: MatchService = app.state.tables
        known = tables.recalled(asked.match_id)
        if known is None or not tables.is_open_to(known, asked.caller):
            return receive
        if asked.headers.get(b"content-type") != JSON.encode():
            return receive
        messages, act = await received(receive), None
        if all(message["type"] == "http.request" for message in messages):
            act = self._decoded(b"".join(message["body"] for message in messages))
        if act is None:
            return again(messages, receive)
        person, prefer = asked.caller.person, asked.headers.get(b"prefer", b"").decode("latin-1")
        assert person is not None
        limits: Limits = app.state.limits
        if (wait := await limits.spend("change", person.id)) is not None:
            raise too_many(too_often(wait), wait)
        known_scope: Any = {**scope, "litestar_app": app, "user": asked.caller}
        await self._note_address(Asking(known_scope))
        match = await tables.act(asked.match_id, asked.caller, act.action, act.expected_version)
        legal = prefers_representation(prefer)
        content = await tables.match_bytes(match, asked.caller, legal=legal)
        more = [("ETag", f'"{match.version}"'), *([APPLIED] if legal else [])]
        await self._send(send, 201, content, more)
        return None

    def _decoded(self, body: bytes) -> Act | None:
        """The action, unless it is signed, somebody else's, or nothing of the kind."""
        if len(body) > BODY_BYTES_MAX or ESCAPED_NUL in body:
            return None
        try:
            act: Act = self._act.decode(body)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            return None
        return act if act.seat is None and act.signed is None else None

    async def _refuse(self, scope: Scope, send: Send, refusal: Exception) -> None:
        problem = problem_of(refusal)
        note(cast("Any", Asking(cast("Any", scope))), problem, refusal)
        content = msgspec.json.encode(problem)
        await self._send(send, problem.status, content, headers_of(refusal).items(), PROBLEM_TYPE)

    async def _send(
        self, send: Send, status: int, content: bytes, more: Iterable[tuple[str, str]] = (), kind: str = JSON
    ) -> None:
        named = [("Content-Type", kind), ("Content-Length", str(len(content))), *more]
        await send({"type": "http.response.start", "status": status, "headers": raw(named) + self._usual})
        await send({"type": "http.response.body", "body": content, "more_body": False})

    async def _send_unchanged(self, send: Send, tag: str) -> None:
        await send({"type": "http.response.start", "status": 304, "headers": raw([("ETag", tag)]) + self._usual})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def prefers_representation(header: str | None) -> bool:
    """Whether the answer to an action is to bring what is legal next."""
    return header is not None and PREFERS in [part.strip().lower() for part in re.split("[,;]", header)]


async def received(receive: Receive) -> list[Any]:
    """A whole body, or as much of one as is too long."""
    messages, length = [await receive()], 0
    while messages[-1]["type"] == "http.request" and messages[-1].get("more_body"):
        length += len(messages[-1]["body"])
        if length > BODY_BYTES_MAX:
            break
        messages.append(await receive())
    return messages


def again(messages: list[HTTPReceiveMessage], receive: Receive) -> Receive:
    """What was received already, and then what comes."""
    waiting = iter(messages)

    async def receive_again() -> Any:
        message = next(waiting, None)
        return await receive() if message is None else message

    return receive_again
