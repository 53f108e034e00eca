"""Caller identification, and guards for route handlers."""

from __future__ import annotations

import secrets
from typing import Any, Final

import msgspec
from litestar.connection import ASGIConnection
from litestar.exceptions import NotAuthorizedException, PermissionDeniedException
from litestar.handlers.base import BaseRouteHandler
from litestar.types import ASGIApp, Receive, Scope, Send

from api.http.app_state import SETTINGS
from api.http.cookies import SESSION, cookie_name
from api.http.identity import CALLER_ACCOUNTS, Accounts, Person
from api.http.identity import Scope as TokenScope
from api.http.languages import use_caller_language
from api.http.raw_headers import find_header
from domain.matches.facts import SERVICE

OPERATOR: Final = "operator"
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
API_PATH: Final = "/api/"
STATIC_PATH: Final = "/static/"
TLOG_PATH: Final = "/tlog/"
"""Path of the public transparency log."""
PUBLIC_FILES: Final = (STATIC_PATH, TLOG_PATH)
ANONYMOUS_PATHS: Final = frozenset({"/api/health"})
"""Paths without a caller; a token is not checked there."""


class Caller(msgspec.Struct, frozen=True):
    """The sender of a request: a person, the service (a worker), or unknown."""

    person: Person | None = None
    is_service: bool = False
    scopes: frozenset[TokenScope] | None = None
    """Scopes of the token; None without a token."""
    held: str = ""
    """On a shared device, the word that names the seat using the device."""

    @property
    def is_operator(self) -> bool:
        """Whether the caller is the service, or an operator whose token, if they use one, has the scope `admin`."""
        if self.is_service:
            return True
        return self.person is not None and self.person.role == OPERATOR and self.may("admin")

    def may(self, *scopes: TokenScope) -> bool:
        """Return whether the token has one of the scopes; true without a token."""
        return self.scopes is None or not self.scopes.isdisjoint(scopes)

    @property
    def person_id(self) -> str:
        """Id of the person; empty if unknown."""
        return "" if self.person is None else self.person.id

    @property
    def actor(self) -> str:
        """Name of the caller in log entries: the person's id, or the service; an anonymous caller has none."""
        assert self.person or self.is_service
        return self.person.id if self.person else SERVICE


NOBODY: Final = Caller()
CHANGES_BY: Final = "scopes_to_change"
READS_BY: Final = "scopes_to_read"
"""Handler options with the accepted scopes for reading and for changing; a token needs one of them."""
BY_PLAYERS: Final[dict[str, tuple[TokenScope, ...]]] = {CHANGES_BY: ("play",)}
BY_ORGANISERS: Final[dict[str, tuple[TokenScope, ...]]] = {CHANGES_BY: ("organise",)}
BY_ENTRANTS: Final[dict[str, tuple[TokenScope, ...]]] = {CHANGES_BY: ("play", "organise")}
BY_ARBITERS: Final[dict[str, tuple[TokenScope, ...]]] = {CHANGES_BY: ("arbitrate",), READS_BY: ("arbitrate",)}
BY_OFFICIALS: Final[dict[str, tuple[TokenScope, ...]]] = {READS_BY: ("organise", "arbitrate", "admin")}
BY_ADMIN: Final[dict[str, tuple[TokenScope, ...]]] = {CHANGES_BY: ("admin",)}


class ScopeMissing(Exception):
    """The token lacks the required scope."""


async def identifies_caller(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Set the caller as `scope["user"]` and select their language; public files and health checks have no caller.

    Raises 401 for an unknown bearer token.
    """
    path = connection.scope["path"]
    if not path.startswith(PUBLIC_FILES) and path not in ANONYMOUS_PATHS:
        caller = connection.scope["user"] = await identify(connection)
        use_caller_language(connection)
        if caller.person is not None and caller.person.is_guest:
            # The name was read before the language of the person was known.
            person = CALLER_ACCOUNTS.of(connection).in_current_language(caller.person)
            connection.scope["user"] = msgspec.structs.replace(caller, person=person)


async def identify(connection: ASGIConnection[Any, Any, Any, Any]) -> Caller:
    """Return the caller, by bearer token or, for pages and reads, by session cookie; otherwise an anonymous one.

    The cookie allows no change under `/api`: programs use tokens, and pages send forms with a CSRF token. Raises 401
    for an unknown bearer token.
    """
    accounts = CALLER_ACCOUNTS.of(connection)
    header = find_header(connection.scope, b"authorization")
    if header is not None:
        return await _bearer(connection, accounts, header)
    if find_header(connection.scope, b"cookie") is None:
        return NOBODY
    cookie = connection.cookies.get(cookie_name(SESSION, SETTINGS.of(connection)))
    is_reading = connection.scope.get("method") in SAFE_METHODS
    if cookie is None or (connection.scope["path"].startswith(API_PATH) and not is_reading):
        return NOBODY
    return Caller(await accounts.by_session(cookie))


async def _bearer(connection: ASGIConnection[Any, Any, Any, Any], accounts: Accounts, header: str) -> Caller:
    """Return the caller with this `Authorization` header; raise 401 if its token is unknown.

    The token of the service counts only on the private socket or the port for workers.
    """
    settings = SETTINGS.of(connection)
    scheme, _, secret = header.partition(" ")
    if scheme.lower() == "bearer" and secret:
        is_service = bool(settings.token) and secrets.compare_digest(secret.encode(), settings.token.encode())
        if is_service and used_private_socket(connection):
            return Caller(is_service=True)
        if bearer := await accounts.by_token(secret):
            return Caller(bearer.person, scopes=bearer.scopes)
    raise NotAuthorizedException("unknown bearer token")


WORKER_PORT: Final = "esporles.by_door"
"""ASGI scope key of requests to the port for workers on other hosts. Only that server sets it; clients cannot."""


def used_private_socket(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Return whether the request used the Unix socket, which has no port, or the port for workers."""
    server = connection.scope.get("server")
    return (server is not None and server[1] is None) or WORKER_PORT in connection.scope


def mark_worker_port(application: ASGIApp) -> ASGIApp:
    """Wrap the application so that all its requests are marked as requests to the port for workers on other hosts."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        marked_scope: Any = {**scope, WORKER_PORT: True}
        await application(marked_scope, receive, send)

    return answer


def scopes_of(method: str, handler: BaseRouteHandler) -> tuple[TokenScope, ...]:
    """Return the scopes of which a token needs one; by default `read` for reads and `admin` for changes."""
    if method in SAFE_METHODS:
        return tuple(handler.opt.get(READS_BY, ("read",)))
    return tuple(handler.opt.get(CHANGES_BY, ("admin",)))


async def requires_scopes(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Raise `ScopeMissing` if the token has none of the scopes of the handler, whatever the person may do.

    Without a token, nothing is raised.
    """
    caller = connection.scope.get("user")
    if caller is None:
        return
    required = scopes_of(str(connection.scope.get("method")), handler)
    if not caller.may(*required):
        raise ScopeMissing(f"requires a token with the scope {' or '.join(required)}")


async def requires_person(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Require an account or a guest session, else 401."""
    if connection.user.person is None:
        raise NotAuthorizedException("authentication required: send the bearer token of an account")


async def requires_caller(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Require a person or the service, else 401."""
    if connection.user.person is None and not connection.user.is_service:
        raise NotAuthorizedException("authentication required: send a bearer token")


async def requires_operator(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Require an operator (or the service), else 403."""
    if not connection.user.is_operator:
        raise PermissionDeniedException("only operators may do this")


async def requires_service(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Require the service itself, on its private socket or the port for workers, else 403."""
    if not connection.user.is_service:
        raise PermissionDeniedException("only the service's own workers may do this")
