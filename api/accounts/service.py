"""The one door to accounts: who somebody is, what they are called, and everything that changes about them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Iterable, Mapping
from concurrent.futures import Executor
from datetime import UTC, datetime
from functools import partial
from typing import Final, ParamSpec, Protocol, TypeVar
from uuid import UUID

from api.accounts.access import Session, SignInTooOld, Token
from api.accounts.local_guests import LocalGuest
from api.accounts.names import name_key
from api.accounts.people import People, WrongCredentials
from api.accounts.reaching import Blocked, OwnBlock
from api.accounts.recent import Recent
from api.accounts.ways import Identity
from api.http.app_state import AppKey
from api.http.digests import digest
from api.http.identity import SCOPES, Bearer, Person, Scope
from api.http.languages import current_language
from api.http.limits import Approach
from domain.roles.errors import NoSuchPerson
from projections.platform.paging import LIMIT, Page

P = ParamSpec("P")
R = TypeVar("R")


def now() -> datetime:
    return datetime.now(UTC)


class Throttle(Protocol):
    """Limits on passwords tried for one name, and on invitations and challenges of one account."""

    async def try_password(self, name: str) -> None: ...

    async def found_password(self, name: str) -> None: ...

    def keep_newcomer(self) -> None: ...

    async def count_approaches(self, kind: Approach, by: str, others: Iterable[str]) -> None: ...


class AccountService:
    """Accounts, sessions and tokens. What writes runs on a thread, and passwords are hashed on few, because each needs
    much memory. What only reads is quick enough for the event loop where people are in a file; at a server what every
    request asks is asked on a thread, and for the rest the loop waits a moment and no longer (`Store`)."""

    def __init__(self, people: People, hashing: Executor, asking: Executor, throttle: Throttle) -> None:
        self._people = people
        self._asking = asking
        self._throttle = throttle
        self._hashing = hashing
        self.recent: Final = Recent(lambda: people.changes)

    # Who it is

    async def by_session(self, secret: str) -> Person | None:
        """Whose session of pages it is; its use prolongs it."""
        return await self._recently(("session", secret), self._people.access.session, secret, now())

    async def by_token(self, secret: str) -> Bearer | None:
        """Whose bearer token it is, and what it is good for."""
        return await self._recently(("token", secret), self._people.access.bearer, secret, now())

    async def require_answer(self) -> None:
        """`DatabaseAway` where the people do not answer."""
        await self._beside(self._people.find, "")

    async def _beside(self, ask: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """A question beside the event loop where people are at a server; a file answers before a thread has begun."""
        if not self._people.is_at_server:
            return ask(*args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._asking, partial(ask, *args, **kwargs))

    async def _recently(self, key: Hashable, ask: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The same, unless a server was asked for it a moment ago: every request asks who sends it, and what people are
        called."""
        if not self._people.is_at_server:
            return ask(*args, **kwargs)
        known: R | None = self.recent.find(key)
        if known is not None:
            return known
        changes = self._people.changes
        found = await self._beside(ask, *args, **kwargs)
        self.recent.keep(key, found, changes)
        return found

    def find(self, person_id: str) -> Person | None:
        return self._people.find(person_id)

    def by_name(self, name: str) -> Person | None:
        """Who is called so."""
        return self._people.by_name(name)

    def named(self, name: str) -> Person:
        """The account of that id or name."""
        person = self._people.find(name) or self._people.by_name(name)
        if person is None:
            raise NoSuchPerson(f"no account has the id or name {name!r}")
        return person

    async def all_named(self, names: Iterable[str]) -> dict[str, Person]:
        """Return the accounts with these ids or names; unknown names are left out."""
        return await asyncio.to_thread(self._people.all_named, names)

    def names(self, person_ids: Iterable[str]) -> dict[str, str]:
        """What these people are called now, in the reader's language where they have no name of their own."""
        return self._people.names(person_ids)

    async def names_beside(self, person_ids: Iterable[str]) -> dict[str, str]:
        """The same, beside the event loop where that may take a while."""
        wanted = frozenset(person_ids)
        return await self._recently(("names", current_language(), wanted), self._people.names, wanted)

    # Who reaches whom

    async def require_unblocked(self, by: str, others: Iterable[str]) -> None:
        """Raise `Blocked` if one of these accounts has blocked the account `by`; the service itself has no account."""
        if by and (found := await asyncio.to_thread(self._people.blockers, by, others)):
            raise Blocked(f"{await self._first_name(found)} does not want to be contacted by you")

    async def approach(
        self, by: str, others: Iterable[str], *, organiser: str = "", kind: Approach = "invitation"
    ) -> None:
        """Count an invitation or challenge of the account `by` to each of these accounts, once everything else about it
        is decided.

        Raise `Blocked`, `OwnBlock` or a refusal of the limits before anything is counted. Blocks of the organiser of an
        event hold for its other officials.
        """
        invited = frozenset(others) - {by}
        if not by or not invited:
            return
        for official in dict.fromkeys((organiser or by, by)):
            await self.require_unblocked(official, invited - {official})
        if own := await asyncio.to_thread(self._people.blocked, by, invited):
            raise OwnBlock(f"you have blocked {await self._first_name(own)}; lift the block first")
        await self._throttle.count_approaches(kind, by, invited)

    async def _first_name(self, people: Iterable[str]) -> str:
        """Return the name of the account with the smallest id."""
        one = min(people)
        return (await asyncio.to_thread(self._people.names, [one]))[one]

    # Accounts

    async def create(self, name: str, password: str | None, identity: Identity | None = None) -> Person:
        """A new account, whose way in is a password or an identity at the provider."""
        make = partial(self._people.create, name, password, now(), identity=identity)
        return await asyncio.get_running_loop().run_in_executor(self._hashing, make)

    async def sign_up(
        self, guest: Person | None, name: str, password: str | None, identity: Identity | None = None
    ) -> Person:
        """A new account; a guest's becomes a lasting one and keeps its seats."""
        if guest is None or not guest.is_guest:
            return await self.create(name, password, identity)
        claim = partial(self._people.claim, guest, name, password, now(), identity=identity)
        return await asyncio.get_running_loop().run_in_executor(self._hashing, claim)

    async def check(self, name: str, password: str) -> Person:
        """The person with this name and password. Each try is counted by name, whether anybody has it or not, until one
        is right."""
        guessed = digest(name_key(name))
        await self._throttle.try_password(guessed)
        person = await asyncio.get_running_loop().run_in_executor(self._hashing, self._people.check, name, password)
        await self._throttle.found_password(guessed)
        return person

    async def change_password(self, person: Person, password: str, new: str) -> None:
        """Another password for who knows the present one; all sessions end and all tokens are revoked."""
        await self.check(person.name, password)
        await asyncio.get_running_loop().run_in_executor(self._hashing, self._people.set_password, person.id, new)

    async def set_first_password(self, person: Person, session: str, new: str) -> None:
        """A password for an account that has none, from a session that has just begun; all sessions end and all tokens
        are revoked."""
        if person.is_guest:
            raise WrongCredentials("a guest has no account yet that could have a password")
        self.require_fresh(session)
        await asyncio.get_running_loop().run_in_executor(self._hashing, self._people.set_first_password, person.id, new)

    def is_fresh(self, session: str) -> bool:
        """Whether the session began a short time ago."""
        return self._people.access.is_fresh(session, now())

    def require_fresh(self, session: str) -> None:
        """`SignInTooOld` where the session did not begin a short time ago."""
        if not self.is_fresh(session):
            raise SignInTooOld("this session began too long ago: sign in again")

    async def create_guest(self) -> Person:
        """An account without a password, held by its session alone."""
        guest = await asyncio.to_thread(self._people.create_guest, now())
        self._throttle.keep_newcomer()
        return guest

    async def set_operator(self, person: Person, *, is_operator: bool) -> None:
        """The person may do anything from now on, or no longer."""
        await asyncio.to_thread(self._people.set_role, person.id, "operator" if is_operator else "player")

    async def mark_bot(self, person: Person) -> None:
        """A program plays by this account from now on, for good."""
        await asyncio.to_thread(self._people.mark_bot, person.id)

    async def erase(self, person: Person) -> None:
        """Forget a person: name, password, sessions and tokens."""
        await asyncio.to_thread(self._people.erase, person.id)

    async def keep_preferences(self, person: Person, word: str) -> None:
        """How a person wants the pages, in place of what they wanted before."""
        await asyncio.to_thread(self._people.keep_preferences, person.id, word)

    async def adopt_preferences(self, person: Person, word: str) -> None:
        """The same for who has not said it yet: what they have chosen in a browser before they signed in."""
        await asyncio.to_thread(self._people.adopt_preferences, person.id, word)

    # Local guests at tables on one device

    async def keep_locals(self, opener: Person, match_id: UUID, names: Mapping[str, str]) -> tuple[str, ...]:
        """What the opener of a table calls its local guests; answers which of them are new."""
        return await asyncio.to_thread(self._people.local_guests.keep_locals, opener.id, match_id, names)

    async def forget_locals(self, ids: Iterable[str]) -> None:
        """Their table has come to nothing."""
        await asyncio.to_thread(self._people.local_guests.forget_locals, tuple(ids))

    def locals_of(self, person: Person) -> tuple[LocalGuest, ...]:
        """Whom somebody has named at tables of their own."""
        return self._people.local_guests.locals_of(person.id)

    # Sessions of pages

    async def start_session(self, person: Person, replaced: str = "", agent: str = "") -> str:
        """The secret of a new session, in place of the one whose secret is given."""
        return await asyncio.to_thread(self._people.access.start_session, person, now(), replaced, agent)

    def sessions(
        self, person: Person, limit: int = LIMIT, before: int | None = None, secret: str = ""
    ) -> Page[Session]:
        """Where a person is signed in, the newest first; the session of the secret is marked."""
        return self._people.access.sessions(person.id, now(), limit, before, secret)

    async def end_session_of(self, person: Person, session_id: str) -> None:
        """One of a person's sessions ends."""
        await asyncio.to_thread(self._people.access.end_session_of, person.id, session_id)

    async def sign_out_everywhere(self, person: Person) -> None:
        """All sessions of a person end, and all tokens are revoked."""
        await asyncio.to_thread(self._people.access.sign_out_everywhere, person.id)

    async def person_or_guest(self, person: Person | None, chosen: str = "") -> tuple[Person, str | None]:
        """The person who asks; somebody unknown becomes a guest, with the secret of a session and the preferences
        chosen in the browser before."""
        if person is not None:
            return person, None
        guest = await self.create_guest()
        if chosen:
            await self.adopt_preferences(guest, chosen)
        return guest, await self.start_session(guest)

    async def end_session(self, secret: str) -> None:
        await asyncio.to_thread(self._people.access.end_session, secret)

    # Tokens of programs

    async def issue_token(
        self, person: Person, label: str, scopes: Iterable[Scope] = SCOPES, days: int | None = None
    ) -> tuple[Token, str]:
        """A token of a person, and its secret, which is shown this once."""
        return await asyncio.to_thread(self._people.access.issue_token, person, label, now(), scopes, days)

    def tokens(self, person: Person, limit: int = LIMIT, before: int | None = None) -> Page[Token]:
        """A person's tokens, the newest first."""
        return self._people.access.tokens(person.id, limit, before)

    async def revoke_token(self, person: Person, token_id: str) -> None:
        """The token is no longer good."""
        await asyncio.to_thread(self._people.access.revoke_token, person.id, token_id)


ACCOUNTS: Final = AppKey[AccountService]("accounts")
