"""People and tokens, and the protocol by which HTTP code identifies them."""

from __future__ import annotations

from typing import Final, Literal, Protocol, get_args

import msgspec

from api.http.app_state import AppKey

Scope = Literal["read", "play", "organise", "arbitrate", "admin"]
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
"""The rights of a token: read, play and annotate, organise, arbitrate, and administer account, roles and service."""
BOT: Final = "bot"
"""The role of an account by which a program plays."""


class Person(msgspec.Struct, frozen=True):
    """A user with an account, or a guest. Logs contain only the id."""

    id: str
    name: str
    role: str
    """`player`, `operator` or `bot`."""
    is_guest: bool
    preferences: str | None = None
    """Display preferences (`api/http/preferences.py`), `None` by default."""

    @property
    def is_bot(self) -> bool:
        """Whether a program plays by this account."""
        return self.role == BOT


class Bearer(msgspec.Struct, frozen=True):
    """The person and the scopes of a token."""

    person: Person
    scopes: frozenset[Scope]


class Accounts(Protocol):
    """The part of the service of accounts that the base uses."""

    async def by_session(self, secret: str) -> Person | None: ...

    async def by_token(self, secret: str) -> Bearer | None: ...

    async def keep_preferences(self, person: Person, word: str) -> None: ...


PEOPLE_KNOWN: Final = AppKey[Accounts]("people_known")
"""The service of accounts."""
