"""People and tokens, and the protocol by which HTTP code identifies them."""

from __future__ import annotations

from typing import Final, Literal, Protocol, get_args

import msgspec

from api.http.app_state import AppKey

Scope = Literal["read", "play", "organise", "arbitrate", "admin"]
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
"""Scopes of a token: read, play and annotate, organise, arbitrate, administer account, roles and service."""
BOT: Final = "bot"
"""Role of an account for a program that plays."""


class Person(msgspec.Struct, frozen=True):
    """A user with an account, or a guest. Logs contain only the id."""

    id: str
    name: str
    role: str
    """`player`, `operator` or `bot`."""
    is_guest: bool
    preferences: str | None = None
    """Display preferences (`api/http/preferences.py`); None means the defaults."""

    @property
    def is_bot(self) -> bool:
        """Whether the account belongs to a program."""
        return self.role == BOT


class Bearer(msgspec.Struct, frozen=True):
    """The person and the scopes of a token."""

    person: Person
    scopes: frozenset[Scope]


class Accounts(Protocol):
    """The account operations that HTTP infrastructure needs."""

    async def by_session(self, secret: str) -> Person | None:
        """Return the person of a session; None if unknown."""
        ...

    async def by_token(self, secret: str) -> Bearer | None:
        """Return the person and scopes of a token; None if unknown."""
        ...

    def in_current_language(self, person: Person) -> Person:
        """Return the person with the displayed name in the current language."""
        ...

    async def store_preferences(self, person: Person, text: str) -> None:
        """Store display preferences."""
        ...


CALLER_ACCOUNTS: Final = AppKey[Accounts]("people_known")
"""The account service."""
