"""The account service: identification, names, and all changes to accounts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Iterable, Mapping
from concurrent.futures import Executor
from functools import partial
from typing import Final, ParamSpec, Protocol, TypeVar
from uuid import UUID

import msgspec

from api.accounts.access import Session, SignInTooOld, Token
from api.accounts.contact_refusals import Blocked, OwnBlock
from api.accounts.local_guests import LocalGuest
from api.accounts.names import GUEST_NUMBER, name_key, shown_name
from api.accounts.password_check import has_hash
from api.accounts.people import People, WrongCredentials, acceptable_password
from api.accounts.query_cache import QueryCache
from api.accounts.sign_in_methods import Identity
from api.http.app_state import AppKey
from api.http.digests import digest
from api.http.identity import SCOPES, Bearer, Person, Scope
from api.http.languages import current_language
from api.http.limits import ContactKind
from domain.roles.errors import NoSuchPerson
from projections.platform.clock import now
from projections.platform.paging import LIMIT, Page

P = ParamSpec("P")
R = TypeVar("R")


class Throttle(Protocol):
    """Limits on password attempts, and on invitations and challenges."""

    async def count_password_attempt(self, name: str) -> None:
        """Count a password attempt; raise 429 if there were too many."""
        ...

    async def reset_password_attempts(self, name: str) -> None:
        """Reset the password attempts."""
        ...

    def exclude_newcomer(self) -> None:
        """Exclude the new account from refunds of charges."""
        ...

    async def count_contacts(self, kind: ContactKind, by: str, other_ids: Iterable[str]) -> None:
        """Count invitations or challenges to each of the others; raise 429 if there were too many."""
        ...


class AccountService:
    """Accounts, sessions and tokens.

    Writes run on threads; passwords are hashed on few threads, because each hash needs much memory. Reads from a file
    are fast enough for the event loop. With a database server, queries of every request run on threads, and other reads
    block the loop for a limited time (`Store`).
    """

    def __init__(self, people: People, hashers: Executor, readers: Executor, throttle: Throttle) -> None:
        self._people = people
        self._readers = readers
        self._throttle = throttle
        self._hashers = hashers
        self.recent: Final = QueryCache(people.state)
        self.clubs: Final = people.clubs
        """Names and descriptions of clubs."""

    async def by_session(self, secret: str) -> Person | None:
        """Return the person of a session, and extend it from time to time; None if unknown or expired.

        With a database on a server, the answer may be a second old.
        """
        return await self._run_cached_query(("session", secret), self._people.access.session, secret, now())

    async def by_token(self, secret: str) -> Bearer | None:
        """Return person and scopes of a bearer token; None if unknown or expired.

        With a database on a server, the answer may be a second old.
        """
        return await self._run_cached_query(("token", secret), self._people.access.bearer, secret, now())

    def in_current_language(self, person: Person) -> Person:
        """Return the person with the displayed name in the current language; only names of guests depend on it."""
        number = GUEST_NUMBER.search(person.name) if person.is_guest else None
        if number is None:
            return person
        return msgspec.structs.replace(person, name=shown_name(number[0], is_guest=True))

    async def require_database(self) -> None:
        """Raise `DatabaseUnavailable` if the accounts database does not answer."""
        await self._run_query(self._people.find, "")

    async def _run_query(self, query: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run a query, on a thread if the database is on a server."""
        if not self._people.is_at_server:
            return query(*args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._readers, partial(query, *args, **kwargs))

    async def _run_cached_query(self, key: Hashable, query: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run a query, or return its result from the last second; a change makes the results stale (`Store.state`)."""
        cached: R | None = self.recent.find(key)
        if cached is not None:
            return cached
        state = self._people.state()
        result = await self._run_query(query, *args, **kwargs)
        self.recent.store(key, result, state)
        return result

    def find(self, person_id: str) -> Person | None:
        """Return the person with the id; None if unknown."""
        return self._people.find(person_id)

    def by_name(self, name: str) -> Person | None:
        """Return the person with the name, or the guest with the number at its end; None if unknown."""
        return self._people.by_name(name)

    def get_by_id_or_name(self, name: str) -> Person:
        """Return the account, or guest, with the id or name; raise `NoSuchPerson` if unknown."""
        person = self._people.find(name) or self._people.by_name(name)
        if person is None:
            raise NoSuchPerson(f"no account with the id or name {name!r}")
        return person

    async def all_named(self, names: Iterable[str]) -> dict[str, Person]:
        """Return the accounts with these ids or names; unknown names are left out."""
        return await asyncio.to_thread(self._people.all_named, names)

    def names(self, person_ids: Iterable[str]) -> dict[str, str]:
        """Return the current display names by id, in the reader's language; unknown ids count as erased."""
        return self._people.names(person_ids)

    async def load_names(self, person_ids: Iterable[str]) -> dict[str, str]:
        """Return the current display names by id, as `names` does, without blocking the event loop."""
        ids = frozenset(person_ids)
        return await self._run_cached_query(("names", current_language(), ids), self._people.names, ids)

    async def require_unblocked(self, by: str, other_ids: Iterable[str]) -> None:
        """Raise `Blocked` if one of the others has blocked the account `by`; empty `by` is the service."""
        if by and (found := await asyncio.to_thread(self._people.blockers, by, other_ids)):
            raise Blocked(f"{await self._first_name(found)} has blocked you")

    async def count_contact(
        self, by: str, other_ids: Iterable[str], *, organiser: str = "", kind: ContactKind = "invitation"
    ) -> None:
        """Count a contact of the account `by` with each of the others, as the last check before it happens.

        Raises `Blocked`, `OwnBlock` or 429 before anything is counted. Blocks of an event's organiser apply to its
        other officials too. Contacts with oneself, or of the service (""), do not count.
        """
        invited = frozenset(other_ids) - {by}
        if not by or not invited:
            return
        for official in dict.fromkeys((organiser or by, by)):
            await self.require_unblocked(official, invited - {official})
        if blocked := await asyncio.to_thread(self._people.find_blocked, by, invited):
            raise OwnBlock(f"you have blocked {await self._first_name(blocked)}; unblock them first")
        await self._throttle.count_contacts(kind, by, invited)

    async def _first_name(self, person_ids: Iterable[str]) -> str:
        """Return the name of the account with the smallest id."""
        first_id = min(person_ids)
        return (await asyncio.to_thread(self._people.names, [first_id]))[first_id]

    async def create(self, name: str, password: str | None, identity: Identity | None = None) -> Person:
        """Create an account with a password or an identity at the provider; raise as `People.create`."""
        create_person = partial(self._people.create, name, password, now(), identity=identity)
        return await asyncio.get_running_loop().run_in_executor(self._hashers, create_person)

    async def sign_up(
        self, guest: Person | None, name: str, password: str | None, identity: Identity | None = None
    ) -> Person:
        """Create an account, or convert the guest's account, which keeps its seats.

        Raises as `People.create` and `claim` do.
        """
        if guest is None or not guest.is_guest:
            return await self.create(name, password, identity)
        claim = partial(self._people.claim, guest, name, password, now(), identity=identity)
        return await asyncio.get_running_loop().run_in_executor(self._hashers, claim)

    async def check(self, name: str, password: str) -> Person:
        """Return the person with name and password; raise `WrongCredentials`, or 429 after too many attempts.

        Attempts are counted by name, even of unknown names, until one succeeds.
        """
        throttle_key = digest(name_key(name))
        await self._throttle.count_password_attempt(throttle_key)
        person = await asyncio.get_running_loop().run_in_executor(self._hashers, self._people.check, name, password)
        await self._throttle.reset_password_attempts(throttle_key)
        return person

    async def hash_password(self, password: str) -> str:
        """Return the hash of a password that belongs to no account; raise `BadPassword` for a wrong length."""
        hash_it = partial(self._people.hasher.hash, acceptable_password(password))
        return await asyncio.get_running_loop().run_in_executor(self._hashers, hash_it)

    async def verify_password(self, hashed: str, password: str, *guessers: str) -> bool:
        """Return whether a password has that hash.

        Attempts are counted for each of the guessers until one succeeds; raise 429 after too many.
        """
        keys = [digest(each) for each in guessers]
        for key in keys:
            await self._throttle.count_password_attempt(key)
        check = partial(has_hash, self._people.hasher, hashed, password)
        if not await asyncio.get_running_loop().run_in_executor(self._hashers, check):
            return False
        for key in keys:
            await self._throttle.reset_password_attempts(key)
        return True

    def country_of(self, person_id: str) -> str:
        """Return the code of the country that a person has stated, or an empty string."""
        return self._people.countries.country_of(person_id)

    async def load_country(self, person_id: str) -> str:
        """Return what `country_of` returns, without blocking the event loop."""
        return await self._run_query(self.country_of, person_id)

    async def load_people_in(self, country: str) -> frozenset[str]:
        """Return the people who have stated a country by its code."""
        return await self._run_query(self._people.countries.people_in, country)

    async def set_country(self, person: Person, country: str) -> None:
        """Store the country of a person by its code; empty: none. Raise `UnknownCountry` for another code."""
        await asyncio.to_thread(self._people.countries.set_country, person.id, country)

    async def change_password(self, person: Person, password: str, new_password: str) -> None:
        """Change the password, given the current one; end all sessions and revoke all tokens.

        Raises as `check` does, and `BadPassword` for a new one of the wrong length.
        """
        await self.check(person.name, password)
        await asyncio.get_running_loop().run_in_executor(
            self._hashers, self._people.set_password, person.id, new_password
        )

    async def set_first_password(self, person: Person, session: str, new_password: str) -> None:
        """Set the first password, from a recent session; end all sessions and revoke all tokens.

        Raises `WrongCredentials` for a guest or if there is one already, `SignInTooOld` for an older session.
        """
        if person.is_guest:
            raise WrongCredentials("a guest cannot have a password; sign up first")
        self.require_fresh(session)
        await asyncio.get_running_loop().run_in_executor(
            self._hashers, self._people.set_first_password, person.id, new_password
        )

    def is_fresh(self, session: str) -> bool:
        """Return whether the session began recently."""
        return self._people.access.is_fresh(session, now())

    def require_fresh(self, session: str) -> None:
        """Raise `SignInTooOld` unless the session began recently."""
        if not self.is_fresh(session):
            raise SignInTooOld("this session is too old for this; sign in again")

    async def create_guest(self) -> Person:
        """Create a guest account, which only a session can access.

        It counts as a newcomer even if the request is rejected.
        """
        guest = await asyncio.to_thread(self._people.create_guest, now())
        self._throttle.exclude_newcomer()
        return guest

    async def set_operator(self, person: Person, *, is_operator: bool) -> None:
        """Make the person an operator, or a player again."""
        await asyncio.to_thread(self._people.set_role, person.id, "operator" if is_operator else "player")

    async def mark_bot(self, person: Person) -> None:
        """Make the account a bot account, permanently; raise `BotRefused` unless it is a registered player."""
        await asyncio.to_thread(self._people.mark_bot, person.id)

    async def erase(self, person: Person) -> None:
        """Erase a person: all their data, and their name in messages of others."""
        await asyncio.to_thread(self._people.erase, person.id)

    async def store_preferences(self, person: Person, text: str) -> None:
        """Store the display preferences of a person."""
        await asyncio.to_thread(self._people.store_preferences, person.id, text)

    async def adopt_preferences(self, person: Person, text: str) -> None:
        """Store preferences chosen before signing in, for a person who has none."""
        await asyncio.to_thread(self._people.adopt_preferences, person.id, text)

    async def store_locals(self, opener: Person, match_id: UUID, names: Mapping[str, str]) -> tuple[str, ...]:
        """Store the names of the local guests of a table; return the ids of new ones."""
        return await asyncio.to_thread(self._people.local_guests.store_locals, opener.id, match_id, names)

    async def forget_locals(self, ids: Iterable[str]) -> None:
        """Delete local guests whose table was not created."""
        await asyncio.to_thread(self._people.local_guests.forget_locals, tuple(ids))

    def locals_of(self, person: Person) -> tuple[LocalGuest, ...]:
        """Return all local guests of a person's tables."""
        return self._people.local_guests.locals_of(person.id)

    async def start_session(self, person: Person, replaced: str = "", agent: str = "") -> str:
        """Start a session that replaces another, and return its secret."""
        return await asyncio.to_thread(self._people.access.start_session, person, now(), replaced, agent)

    def sessions(
        self, person: Person, limit: int = LIMIT, before: int | None = None, secret: str = ""
    ) -> Page[Session]:
        """Return a page of a person's unexpired sessions, latest first; the session with the given secret is marked."""
        return self._people.access.sessions(person.id, now(), limit, before, secret)

    async def end_session_of(self, person: Person, session_id: str) -> None:
        """End a session of a person; raise `NoSuchSession` if unknown."""
        await asyncio.to_thread(self._people.access.end_session_of, person.id, session_id)

    async def sign_out_everywhere(self, person: Person) -> None:
        """End all sessions and revoke all tokens of a person."""
        await asyncio.to_thread(self._people.access.sign_out_everywhere, person.id)

    async def person_or_guest(self, person: Person | None, chosen: str = "") -> tuple[Person, str | None]:
        """Return the person and None, or for None a new guest with the secret of its session.

        The guest adopts the `chosen` preferences.
        """
        if person is not None:
            return person, None
        guest = await self.create_guest()
        if chosen:
            await self.adopt_preferences(guest, chosen)
        return guest, await self.start_session(guest)

    async def end_session(self, secret: str) -> None:
        """End the session with this secret, if any."""
        await asyncio.to_thread(self._people.access.end_session, secret)

    async def issue_token(
        self, person: Person, label: str, scopes: Iterable[Scope] = SCOPES, days: int | None = None
    ) -> tuple[Token, str]:
        """Issue a token and return it with its secret, which is not stored; raise `TooManyTokens` at the limit.

        Without `days` it never expires. The label is truncated.
        """
        return await asyncio.to_thread(self._people.access.issue_token, person, label, now(), scopes, days)

    def tokens(self, person: Person, limit: int = LIMIT, before: int | None = None) -> Page[Token]:
        """Return a page of a person's tokens, latest first, including expired ones."""
        return self._people.access.tokens(person.id, limit, before)

    async def revoke_token(self, person: Person, token_id: str) -> None:
        """Revoke a token of a person; raise `NoSuchToken` if unknown."""
        await asyncio.to_thread(self._people.access.revoke_token, person.id, token_id)


ACCOUNTS: Final = AppKey[AccountService]("accounts")
