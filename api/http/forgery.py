"""The token that every form carries against forgery: good for one browser, and only as long as its session.

A cookie holds the token and the form repeats it, so another site cannot know it; the token is signed together with the
session, so one that somebody else was given, or that was given before signing in, is worth nothing.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from typing import Any, Final

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.enums import RequestEncodingType, ScopeType
from litestar.exceptions import PermissionDeniedException
from litestar.handlers.base import BaseRouteHandler
from litestar.middleware.csrf import CSRF_SECRET_LENGTH, generate_csrf_token
from litestar.types import ASGIApp, HTTPResponseStartEvent, Message, Receive, Scope, Send

from api.http.app_state import SETTINGS, AppKey
from api.http.cookies import FORMS, SESSION, cookie_name, host_cookie
from api.http.forms import TOKEN
from api.http.guards import API_PATH, SAFE_METHODS, STATIC_PATH
from api.http.inputs import Asking

FORMS_SECRET: Final = AppKey[str]("forms_secret")
HEADER: Final = "x-csrftoken"
SET_COOKIE: Final = b"set-cookie"
WITHOUT: Final = (API_PATH, STATIC_PATH, "/unsubscribe/")
"""Who unsubscribes shows a word of ours instead: a mail program has no cookie (RFC 8058)."""
KNOWN: Final = "forms_token"
"""Where the request keeps the token of its answer."""
BEGUN: Final = "begun_session"
"""And the session that its answer begins."""
FORM_TYPES: Final = frozenset({RequestEncodingType.URL_ENCODED, RequestEncodingType.MULTI_PART})

Connection = ASGIConnection[Any, Any, Any, Any]


async def forbids_forgery(connection: Connection, _: BaseRouteHandler) -> None:
    """Reject a change by a form without the token of its session. Programs send bearer tokens instead."""
    if not connection.scope["path"].startswith(WITHOUT):
        assert isinstance(connection, Asking)
        await require_token(connection)


def gives_token(app: ASGIApp) -> ASGIApp:
    """Middleware: give a browser that reads a page the token for its forms, and close the files of a sent form."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or scope["path"].startswith(WITHOUT):
            await app(scope, receive, send)
            return
        request = Asking(scope, receive, send)
        if request.method not in SAFE_METHODS:
            try:
                await app(scope, receive, send)
            finally:
                await request.close_form()
            return

        async def with_token(message: Message) -> None:
            if message["type"] == "http.response.start":
                add_cookies(message, new_token(request))
            await send(message)

        await app(scope, receive, with_token)

    return answer


def add_cookies(message: HTTPResponseStartEvent, cookies: Iterable[Cookie]) -> None:
    """Add the cookies that the handler has not set itself."""
    known = {value for name, value in message["headers"] if name == SET_COOKIE}
    fresh = [cookie.to_header(header="").encode("latin-1") for cookie in cookies]
    message["headers"] = [*message["headers"], *((SET_COOKIE, each) for each in fresh if each not in known)]


async def require_token(request: Request[Any, Any, Any]) -> None:
    """The form repeats the token of the cookie, and it was made for this session."""
    sent = request.headers.get(HEADER)
    if sent is None and request.content_type[0] in FORM_TYPES:
        found = (await request.form()).get(TOKEN)
        sent = found if isinstance(found, str) else None
    kept = kept_token(request)
    if sent is None or not secrets.compare_digest(sent.encode(), kept.encode()) or not is_good(request, kept):
        raise PermissionDeniedException("the form does not carry the token of this session")


def token_of(request: Connection) -> str:
    """The token that forms of this reader carry: that of the cookie while it is good, else a new one."""
    known: str | None = request.scope["state"].get(KNOWN)
    if known is None:
        kept = kept_token(request)
        known = kept if is_good(request, kept) else generate_csrf_token(key_of(request))
        request.scope["state"][KNOWN] = known
    return known


def begin_session(request: Connection, session: str) -> None:
    """The answer to this request begins a session: the forms on it are made for that one."""
    state = request.scope["state"]
    state[BEGUN] = session
    state.pop(KNOWN, None)


def new_token(request: Connection) -> list[Cookie]:
    """Return the cookie of the token, unless the browser has it."""
    token = token_of(request)
    return [] if token == kept_token(request) else [token_cookie(request, token)]


def kept_token(request: Connection) -> str:
    """The token in the browser's cookie."""
    return request.cookies.get(cookie_name(FORMS, SETTINGS.of(request)), "")


def token_cookie(request: Connection, token: str) -> Cookie:
    return host_cookie(FORMS, token, SETTINGS.of(request))


def is_good(request: Connection, token: str) -> bool:
    """Whether we made the token, for the session that comes with it."""
    return secrets.compare_digest(signed(token[:CSRF_SECRET_LENGTH], key_of(request)).encode(), token.encode())


def signed(random: str, key: str) -> str:
    """The random part and its signature, as the framework writes a token."""
    return random + hmac.new(key.encode(), random.encode(), hashlib.sha256).hexdigest()


def key_of(request: Connection) -> str:
    """What signs the tokens of one session; before there is one, those of everybody without."""
    secret = FORMS_SECRET.of(request)
    session = request.scope["state"].get(BEGUN) or request.cookies.get(cookie_name(SESSION, SETTINGS.of(request)), "")
    return hmac.new(secret.encode(), session.encode(), hashlib.sha256).hexdigest()
