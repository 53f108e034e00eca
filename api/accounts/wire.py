"""What requests about accounts and tokens, and their answers, look like."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final

import msgspec

from api.accounts.access import LABEL_LENGTH_MAX, Session, Token
from api.accounts.ways import LinkedIdentity, Passkey
from api.http.identity import SCOPES, Scope
from api.http.wire import Asked, Listing, Wire
from domain.kernel.texts import ONE_LINE

DAYS_MAX: Final = 400
Label = Annotated[str, msgspec.Meta(max_length=LABEL_LENGTH_MAX, pattern=ONE_LINE)]
Scopes = Annotated[tuple[Scope, ...], msgspec.Meta(min_length=1, max_length=len(SCOPES))]
Days = Annotated[int, msgspec.Meta(ge=1, le=DAYS_MAX)]


class Credentials(Asked, frozen=True):
    name: str
    password: str


class NewToken(Asked, frozen=True):
    name: str
    password: str
    label: Label = ""
    scopes: Scopes = SCOPES
    """What the token is good for: all that the person may do, unless it is named."""
    days: Days | None = None
    """After so many days it ends; without, it is good until it is revoked."""


class NewPassword(Asked, frozen=True):
    password: str
    """The one that holds now."""
    new_password: str


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
    scopes: tuple[Scope, ...]
    ends: datetime | None


class SessionsShown(Listing, frozen=True):
    """Where a person is signed in, the newest first."""

    sessions: tuple[Session, ...]


class PasskeysShown(Wire, frozen=True):
    """A person's passkeys, the newest first; there are never many."""

    passkeys: tuple[Passkey, ...]


class IdentitiesShown(Wire, frozen=True):
    """A person's identities at providers, the newest first."""

    identities: tuple[LinkedIdentity, ...]


class TokensShown(Listing, frozen=True):
    """A person's tokens, the newest first."""

    tokens: tuple[Token, ...]
