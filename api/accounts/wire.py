"""What requests about accounts and tokens, and their answers, look like."""

from __future__ import annotations

from datetime import datetime

from api.accounts.people import Token
from api.web.wire import Asked, Listing, Wire


class Credentials(Asked, frozen=True):
    name: str
    password: str


class NewToken(Asked, frozen=True):
    name: str
    password: str
    label: str = ""


class Account(Wire, frozen=True):
    """A person, as others may see one."""

    id: str
    name: str


class Me(Wire, frozen=True):
    """Who the caller is; no person: nobody known, or the service."""

    person: Account | None
    role: str | None
    is_guest: bool
    is_service: bool


class IssuedToken(Wire, frozen=True):
    """A new token; `secret` is shown this once."""

    id: str
    label: str
    created: datetime
    secret: str
    person: Account


class TokensShown(Listing, frozen=True):
    """A person's tokens, the newest first."""

    tokens: tuple[Token, ...]
