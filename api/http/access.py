"""Access of every operation, declared on its handler.

The OpenAPI document shows it for each operation. `python -m ops.dev.access` writes the table of
`docs/build-on-it/access.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypeVar

import msgspec
from litestar.handlers import HTTPRouteHandler

from api.http.guards import requires_caller, requires_operator, requires_person, requires_service
from api.http.identity import Scope

Handler = TypeVar("Handler", bound=HTTPRouteHandler)
Who = Literal["anybody", "signed in", "seat", "own", "official", "service"]
ACCESS_WORDS: Final[Mapping[Who, str]] = {
    "anybody": "everyone, signed in or not",
    "signed in": "a guest or an account; other callers receive 401",
    "seat": "a player at the table",
    "own": "the owner or author",
    "official": "organisers and arbiters of this tournament or league, or of the service; operators",
    "service": "the service's own workers, over the private socket",
}
"""Meanings of the access words."""
ANYBODY: Final = "anybody"
BY_GUARD: Final[tuple[tuple[Any, Who], ...]] = (
    (requires_service, "service"),
    (requires_operator, "official"),
    (requires_person, "signed in"),
    (requires_caller, "signed in"),
)
"""Access that guards imply, strictest first."""
ACCESS: Final = "access"
"""Handler option with the declared access."""


class Access(msgspec.Struct, frozen=True):
    """Who may use an operation, with additional conditions."""

    who: Who
    more: str = ""


def declare_access(audience: Who, details: str = "") -> Callable[[Handler], Handler]:
    """Return a decorator that declares who may use an operation; it goes above the decorator of the route.

    Operations that guards alone protect need no declaration.
    """

    def declare(handler: Handler) -> Handler:
        assert handler.opt is not None
        handler.opt[ACCESS] = Access(audience, details)
        return handler

    return declare


def implied_by_guards(handler: HTTPRouteHandler) -> Who:
    """Return the access that the guards of a handler imply, `ANYBODY` if none restricts it."""
    guards = handler.resolve_guards()
    return next((audience for guard, audience in BY_GUARD if guard in guards), ANYBODY)


def access_of(handler: HTTPRouteHandler) -> Access:
    """Return the declared access of a handler, or the access that its guards imply."""
    declared: Access | None = handler.opt.get(ACCESS)
    return declared or Access(implied_by_guards(handler))


def describe_access_words() -> str:
    """Return the meanings of the access words, for the head of the OpenAPI document."""
    return "Who may: " + " ".join(f"*{word}*: {meaning}." for word, meaning in ACCESS_WORDS.items())


def document_access(operation: dict[str, Any], access: Access, scopes: tuple[Scope, ...]) -> None:
    """Add access, as a sentence and as `x-who-may`, and token scopes to a documented operation; one scope is enough.

    A public operation needs no token.
    """
    sentence = f"Who may: {access.who}" + (f"; {access.more}." if access.more else ".")
    description = operation.get("description")
    operation["description"] = f"{description}\n\n{sentence}" if description else sentence
    operation["x-who-may"] = {"who": access.who, "more": access.more} if access.more else {"who": access.who}
    tokens: list[dict[str, list[str]]] = [{"bearer": [scope]} for scope in scopes]
    operation["security"] = [{}, *tokens] if access.who == ANYBODY else tokens
