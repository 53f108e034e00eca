"""Entries, live streams and the page of a table, answered by the functions of their handlers without the framework's
way to them: no groups of dependencies, no copied handler, no chain of middleware and guards.

Only a request with nothing unusual about it goes this way, to a match in memory that its caller may see without a look
into the store. Everything else is left to the framework, which the document of the API describes.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from litestar import Litestar, Response
from litestar.exceptions import NotAuthorizedException
from litestar.types import Message, Receive, Scope, Send

from api.matches.pages.whole_page import table_page, table_stream
from api.matches.routes.matches import ENTRIES_MAX, follow_match, list_entries
from api.matches.service import MatchService
from api.web.browser import PageRequest
from api.web.forgery import new_token
from api.web.guards import identify
from api.web.headers import secure
from api.web.inputs import NUL, Asking
from api.web.languages import hours_of, language_of, speak_to_caller, speaking

PATH: Final = re.compile(
    r"/(tables|api/matches)/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(/entries|/stream|)", re.ASCII
)
NUMBER: Final = re.compile(r"[0-9]{1,9}", re.ASCII)
VERSION: Final = range(10**9)
UNUSUAL: Final = frozenset(
    {b"esporles-signed", b"esporles-held", b"content-length", b"transfer-encoding", b"content-encoding"}
)
"""Whoever sends one of these with a question is answered by way of the framework."""

Refuse = Callable[[PageRequest, Exception], Response[Any]]
Query = Mapping[str, Any]
Answer = Callable[[PageRequest, UUID, MatchService, Query], Awaitable[Any]]


class Route(NamedTuple):
    """An address that is answered directly, and what it understands of a query: numbers within a range, or texts."""

    template: str
    answer: Answer
    parameters: Mapping[str, range | None]


def answer_entries(request: PageRequest, match_id: UUID, tables: MatchService, query: Query) -> Awaitable[Any]:
    held = request.headers.get("if-none-match")
    return list_entries.fn(match_id, request.user, tables, if_none_match=held, **query)


def answer_stream(request: PageRequest, match_id: UUID, tables: MatchService, query: Query) -> Awaitable[Any]:
    last = request.headers.get("last-event-id")
    return follow_match.fn(request, match_id, request.user, tables, last_event_id=last, **query)


def answer_page(request: PageRequest, match_id: UUID, tables: MatchService, query: Query) -> Awaitable[Any]:
    return table_page.fn(request, match_id, tables, **query)


def answer_page_stream(request: PageRequest, match_id: UUID, tables: MatchService, query: Query) -> Awaitable[Any]:
    return table_stream.fn(request, match_id, tables, **query)


ROUTES: Final[Mapping[tuple[str, str], Route]] = {
    ("api/matches", "/entries"): Route(
        "/api/matches/{match_id}/entries", answer_entries, {"after": VERSION, "limit": range(1, ENTRIES_MAX + 1)}
    ),
    ("api/matches", "/stream"): Route("/api/matches/{match_id}/stream", answer_stream, {"after": VERSION}),
    ("tables", ""): Route("/tables/{match_id}", answer_page, {}),
    ("tables", "/stream"): Route(
        "/tables/{match_id}/stream", answer_page_stream, {"have": None, "own": None, "held": None}
    ),
}


class DirectWays:
    """The direct ways of an application; `refuse` says how a refusal looks."""

    def __init__(self, refuse: Refuse) -> None:
        self._refuse: Final = refuse

    async def take(self, app: Litestar, scope: Scope, receive: Receive, send: Send) -> Receive | None:
        """Answers the request, or says from where its handler receives it."""
        found = PATH.fullmatch(scope["path"])
        route = None if found is None else ROUTES.get((found[1], found[3]))
        if found is None or route is None or scope.get("method") != "GET":
            return receive
        if not UNUSUAL.isdisjoint(name for name, _ in scope["headers"]):
            return receive
        match_id = UUID(found[2])
        request = asked(app, scope, receive, match_id)
        tables: MatchService = app.state.tables
        with speaking(language_of(request), hours_of(request)):  # guests are called so in the language of who looks
            query = read_query(request, route)
            if query is None:
                return receive
            try:
                if not await may_pass(request, tables, match_id):
                    return receive
                answer = await self._answer(route, request, match_id, query)
            except Exception as refusal:  # whatever it is, it is answered as everywhere
                answer = self._refuse(request, refusal)
            scope["path_template"] = route.template
            await respond(request, answer, receive, send)
        return None

    async def _answer(self, route: Route, request: PageRequest, match_id: UUID, query: Query) -> Response[Any]:
        answer: Response[Any] = await route.answer(request, match_id, request.app.state.tables, query)
        return answer


async def respond(request: PageRequest, answer: Response[Any], receive: Receive, send: Send) -> None:
    """Sends an answer with the headers that all have; a live stream until it ends."""

    async def send_secured(message: Message) -> None:
        await secure(message, request.scope)
        await send(message)

    await answer.to_asgi_response(None, request)(request.scope, receive, send_secured)


def asked(app: Litestar, scope: Scope, receive: Receive, match_id: UUID) -> PageRequest:
    """The request as its handler would see it, in a scope of its own."""
    known: Any = {**scope, "litestar_app": app, "path_params": {"match_id": match_id}}
    known["state"] = dict(known.get("state") or {})
    return Asking(known, receive)


def read_query(request: PageRequest, route: Route) -> dict[str, Any] | None:
    """What the query says, by the names of the handler's parameters; nothing where it says anything unusual."""
    found = dict[str, Any]()
    for name, value in request.query_params.multi_items() if request.scope["query_string"] else ():
        if name in found or name not in route.parameters or NUL in value:
            return None
        allowed = route.parameters[name]
        if allowed is None:
            found[name] = value
        elif NUMBER.fullmatch(value) and int(value) in allowed:
            found[name] = int(value)
        else:
            return None
    return found


async def may_pass(request: PageRequest, tables: MatchService, match_id: UUID) -> bool:
    """Whether it is plain who asks, and that they may see the match."""
    match = tables.recalled(match_id)
    if match is None:
        return False
    try:
        caller = await identify(request)
    except NotAuthorizedException:
        return False
    request.scope["user"] = caller
    speak_to_caller(request)
    if not caller.may("read") or not tables.is_open_to(match, caller):
        return False
    # A browser gets the token of its forms with a page; a stream brings none.
    return "stream" not in request.scope["path"] or is_program(request) or not new_token(request)


def is_program(request: PageRequest) -> bool:
    return request.scope["path"].startswith("/api/")
