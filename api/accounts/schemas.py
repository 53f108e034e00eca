"""Requests and responses of the account API."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final

import msgspec

from api.accounts.access import LABEL_LENGTH_MAX, Session, Token
from api.accounts.sign_in_methods import LinkedIdentity, Passkey
from api.http.identity import SCOPES, Scope
from api.http.structs import Listing, RequestStruct, ResponseStruct
from domain.kernel.texts import ONE_LINE

DAYS_MAX: Final = 400
Label = Annotated[str, msgspec.Meta(max_length=LABEL_LENGTH_MAX, pattern=ONE_LINE)]
Scopes = Annotated[tuple[Scope, ...], msgspec.Meta(min_length=1, max_length=len(SCOPES))]
Days = Annotated[int, msgspec.Meta(ge=1, le=DAYS_MAX)]


class Credentials(RequestStruct, frozen=True):
    """Name and password."""

    name: str
    password: str


class NewToken(RequestStruct, frozen=True):
    """A request for a token."""

    name: str
    password: str
    label: Label = ""
    scopes: Scopes = SCOPES
    """Scopes of the token, all by default."""
    days: Days | None = None
    """Days until the token expires; without it the token is valid until revoked."""


class NewPassword(RequestStruct, frozen=True):
    """A change of the password."""

    password: str
    """The current password."""
    new_password: str


class Account(ResponseStruct, frozen=True):
    """A person, as visible to others."""

    id: str
    name: str


class Me(ResponseStruct, frozen=True):
    """The caller; without a person for the service and for unknown callers."""

    person: Account | None
    role: str | None
    is_guest: bool
    is_service: bool


class StatedCountry(RequestStruct, frozen=True):
    """The country that a person states, by its code of ISO 3166-1 alpha-2, such as `ES`; empty: none."""

    country: Annotated[str, msgspec.Meta(pattern="^([A-Z]{2})?$")] = ""


class CountryShown(ResponseStruct, frozen=True):
    """The country that the caller has stated, by its code; empty: none."""

    country: str


class IssuedToken(ResponseStruct, frozen=True):
    """A new token; `secret` is shown only here."""

    id: str
    label: str
    created: datetime
    secret: str
    person: Account
    scopes: tuple[Scope, ...]
    ends: datetime | None


class SessionsShown(Listing, frozen=True):
    """A person's sessions, latest first."""

    sessions: tuple[Session, ...]


class PasskeysShown(ResponseStruct, frozen=True):
    """A person's passkeys, latest first, unpaginated because there are few."""

    passkeys: tuple[Passkey, ...]


class IdentitiesShown(ResponseStruct, frozen=True):
    """A person's identities at providers, latest first."""

    identities: tuple[LinkedIdentity, ...]


class TokensShown(Listing, frozen=True):
    """A person's tokens, latest first."""

    tokens: tuple[Token, ...]
