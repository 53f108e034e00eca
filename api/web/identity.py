"""People and tokens as the base knows them, and what it needs from the service of accounts."""

from __future__ import annotations

from typing import Final, Literal, Protocol, get_args

import msgspec

from api.web.app_state import AppKey

Scope = Literal["read", "play", "organise", "arbitrate", "admin"]
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
"""What a token may be good for, all of what its person may do: read, play and annotate, organise, arbitrate, and change
the account, roles and the service."""
BOT: Final = "bot"
"""The role of an account by which a program plays."""


class Person(msgspec.Struct, frozen=True):
    """Somebody with an account, or a guest. Logs know the id alone."""

    id: str
    name: str
    role: str
    """`player`, `operator` or `bot`."""
    is_guest: bool
    preferences: str | None = None
    """How they want the pages (`api/web/preferences.py`); nothing while they have not said."""

    @property
    def is_bot(self) -> bool:
        """Whether a program plays by this account."""
        return self.role == BOT


class Bearer(msgspec.Struct, frozen=True):
    """Who comes with a token, and what it is good for."""

    person: Person
    scopes: frozenset[Scope]


class Accounts(Protocol):
    """The part of the service of accounts that the base uses."""

    async def by_session(self, secret: str) -> Person | None: ...

    async def by_token(self, secret: str) -> Bearer | None: ...

    async def keep_preferences(self, person: Person, word: str) -> None: ...


PEOPLE_KNOWN: Final = AppKey[Accounts]("people_known")
"""The service of accounts, as the base knows it."""
