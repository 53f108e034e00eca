"""CSRF protection: the token of a form is valid for one browser and one session.

A cookie holds the token and the form repeats it, so other sites cannot know it. The token is signed with the session,
so a token of another person, or from before signing in, is invalid.
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
from api.http.inputs import ValidatedRequest

FORMS_SECRET: Final = AppKey[str]("forms_secret")
HEADER: Final = "x-csrftoken"
SET_COOKIE: Final = b"set-cookie"
EXEMPT_PATHS: Final = (API_PATH, STATIC_PATH, "/unsubscribe/")
"""Unsubscribing uses a signed word instead, because a mail program has no cookie (RFC 8058)."""
TOKEN_STATE_KEY: Final = "forms_token"  # noqa: S105 - a key, no token
"""Request state key of the token for the response."""
SESSION_STATE_KEY: Final = "begun_session"
"""Request state key of the session that the response starts."""
FORM_TYPES: Final = frozenset({RequestEncodingType.URL_ENCODED, RequestEncodingType.MULTI_PART})

Connection = ASGIConnection[Any, Any, Any, Any]


async def requires_csrf_token(connection: Connection, _: BaseRouteHandler) -> None:
    """Raise 403 for a form without the CSRF token of its session, except on `EXEMPT_PATHS`.

    Programs send bearer tokens instead.
    """
    if not connection.scope["path"].startswith(EXEMPT_PATHS):
        assert isinstance(connection, ValidatedRequest)
        await require_token(connection)


def csrf_middleware(app: ASGIApp) -> ASGIApp:
    """Add middleware that sets the CSRF cookie on pages and closes the files of submitted forms.

    Not for `EXEMPT_PATHS`.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or scope["path"].startswith(EXEMPT_PATHS):
            await app(scope, receive, send)
            return
        request = ValidatedRequest(scope, receive, send)
        if request.method not in SAFE_METHODS:
            try:
                await app(scope, receive, send)
            finally:
                await request.close_form()
            return

        async def with_token(message: Message) -> None:
            if message["type"] == "http.response.start":
                add_cookies(message, new_token_cookies(request))
            await send(message)

        await app(scope, receive, with_token)

    return answer


def add_cookies(message: HTTPResponseStartEvent, cookies: Iterable[Cookie]) -> None:
    """Add the cookies that the response does not contain with the same value."""
    existing = {value for name, value in message["headers"] if name == SET_COOKIE}
    headers = [cookie.to_header(header="").encode("latin-1") for cookie in cookies]
    message["headers"] = [*message["headers"], *((SET_COOKIE, each) for each in headers if each not in existing)]


async def require_token(request: Request[Any, Any, Any]) -> None:
    """Raise 403 unless the header or form field repeats the cookie's token and the token belongs to this session."""
    submitted_token = request.headers.get(HEADER)
    if submitted_token is None and request.content_type[0] in FORM_TYPES:
        field = (await request.form()).get(TOKEN)
        submitted_token = field if isinstance(field, str) else None
    cookie_token = browser_token(request)
    if (
        submitted_token is None
        or not secrets.compare_digest(submitted_token.encode(), cookie_token.encode())
        or not is_valid_token(request, cookie_token)
    ):
        raise PermissionDeniedException("the form token does not match the session")


def token_of(request: Connection) -> str:
    """Return the token for the reader's forms: the cookie's if valid, otherwise one new token per request."""
    token: str | None = request.scope["state"].get(TOKEN_STATE_KEY)
    if token is None:
        cookie_token = browser_token(request)
        token = cookie_token if is_valid_token(request, cookie_token) else generate_csrf_token(key_of(request))
        request.scope["state"][TOKEN_STATE_KEY] = token
    return token


def begin_session(request: Connection, session: str) -> None:
    """Bind the forms of this response to the session that the response starts."""
    state = request.scope["state"]
    state[SESSION_STATE_KEY] = session
    state.pop(TOKEN_STATE_KEY, None)


def new_token_cookies(request: Connection) -> list[Cookie]:
    """Return the token cookie, unless the browser already has it."""
    token = token_of(request)
    return [] if token == browser_token(request) else [token_cookie(request, token)]


def browser_token(request: Connection) -> str:
    """Return the token in the browser's cookie; empty if absent."""
    return request.cookies.get(cookie_name(FORMS, SETTINGS.of(request)), "")


def token_cookie(request: Connection, token: str) -> Cookie:
    """Return the cookie for a token."""
    return host_cookie(FORMS, token, SETTINGS.of(request))


def is_valid_token(request: Connection, token: str) -> bool:
    """Return whether the service signed the token for the session of the request."""
    return secrets.compare_digest(sign_token(token[:CSRF_SECRET_LENGTH], key_of(request)).encode(), token.encode())


def sign_token(random: str, key: str) -> str:
    """Return the random part followed by its signature, the format of the framework."""
    return random + hmac.new(key.encode(), random.encode(), hashlib.sha256).hexdigest()


def key_of(request: Connection) -> str:
    """Return the key that signs the tokens of the session; all requests without a session share one."""
    secret = FORMS_SECRET.of(request)
    session = request.scope["state"].get(SESSION_STATE_KEY) or request.cookies.get(
        cookie_name(SESSION, SETTINGS.of(request)), ""
    )
    return hmac.new(secret.encode(), session.encode(), hashlib.sha256).hexdigest()
