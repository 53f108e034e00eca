"""Names, passwords, sessions and tokens, in a separate database so that erasing people does not touch the log."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Final

from argon2 import Parameters, PasswordHasher
from argon2.profiles import RFC_9106_LOW_MEMORY
from sqlalchemy import Select

from api.accounts import statements
from api.accounts.access import Access, end_all_access, person_of
from api.accounts.club_profiles import ClubProfiles
from api.accounts.countries import Countries
from api.accounts.local_guests import LocalGuests
from api.accounts.lookalikes import (
    Collision,
    Doubtful,
    accounts_without_skeletons,
    find_collisions,
    find_doubtful,
    require_unlike,
    store_missing_skeletons,
    store_skeletons,
)
from api.accounts.names import GUEST_NUMBER, NameTaken, acceptable_name, guest_key, name_key, shown_name
from api.accounts.password_check import has_hash
from api.accounts.sign_in_methods import Identity, store_identity
from api.accounts.store import Store
from api.http.app_state import AppKey
from api.http.identity import BOT, Person
from api.http.names import erased_name
from domain.matches.entropy import Entropy, system_entropy
from domain.matches.facts import Standing
from domain.talk import without_name
from projections.platform.database import ConstraintViolated, Database

PASSWORD_LENGTH_MIN: Final = 8
PASSWORD_LENGTH_MAX: Final = 256
PROVISIONAL: Final = timedelta(days=1)
"""Accounts younger than this do not affect the ratings of others."""
GUEST_BYTES: Final = 3
GUEST_DRAWS: Final = 20
"""Maximum attempts to draw a free guest number; with five million guests, three of ten are taken."""


class BadPassword(Exception):
    """The password is too short or too long."""


class WrongCredentials(Exception):
    """No account has this name and password."""


class BotRefused(Exception):
    """The account cannot become a bot account."""


class NoGuest(Exception):
    """The guest of the session has become an account, or was deleted."""


class People(Store):
    """The accounts database. Reads are fast enough for the event loop; writes and hashing belong on a thread."""

    password_cost: ClassVar[Parameters] = RFC_9106_LOW_MEMORY
    """Time and memory of a password hash. Not configurable; tests assign a cheaper profile."""

    def __init__(self, location: Path | str, entropy: Entropy = system_entropy) -> None:
        super().__init__(location)
        self.access: Final = Access(self)
        """Sessions and tokens."""
        self.local_guests: Final = LocalGuests(self)
        try:
            if accounts_without_skeletons(self._reading):
                with self.transaction() as database:
                    # Another process may have done it while this one waited for the lock.
                    store_missing_skeletons(database)
        except BaseException:
            self.close()
            raise
        self._entropy = entropy
        self.clubs: Final = ClubProfiles(self)
        self.countries: Final = Countries(self)
        self.hasher: Final = PasswordHasher.from_parameters(self.password_cost)

    @cached_property
    def _nobody(self) -> str:
        """A hash for checking passwords of unknown names, so that the check takes the same time."""
        return self.hasher.hash(secrets.token_hex())

    def create(
        self, name: str, password: str | None, at: datetime, *, role: str = "player", identity: Identity | None = None
    ) -> Person:
        """Create an account with a password or an identity at the provider.

        Raises `BadName`, `BadPassword`, `NameTaken` (or `NameAlike`), and `IdentityTaken` if another account has the
        identity.
        """
        assert password is not None or identity is not None
        person = Person(self._new_id(), acceptable_name(name), role, is_guest=False)
        self._require_free(person)
        self._insert(person, self._hash(password), at, person.name, identity)
        return person

    def create_guest(self, at: datetime) -> Person:
        """Create a guest account, which only a session can access, with a random number as name.

        Raises `NameTaken` if none of `GUEST_DRAWS` drawn numbers is free.
        """
        person_id, draws_left = self._new_id(), GUEST_DRAWS
        while True:
            number, draws_left = self._entropy(GUEST_BYTES, "guest").hex(), draws_left - 1
            person = Person(person_id, shown_name(number, is_guest=True), "player", is_guest=True)
            try:
                self._insert(person, None, at, number)
            except NameTaken:
                if not draws_left:
                    raise
            else:
                return person

    def claim(
        self, guest: Person, name: str, password: str | None, at: datetime, *, identity: Identity | None = None
    ) -> Person:
        """Convert a guest to an account, which keeps id and seats; raise `NoGuest` if it is none any longer.

        Sessions and tokens of the guest end, because someone else may have a copy. The account counts as new. Raises as
        `create` does.
        """
        person = Person(guest.id, acceptable_name(name), guest.role, is_guest=False)
        hashed = self._hash(password)
        self._require_free(person)
        with self.transaction() as database, _unique_name(person.name):
            values = {"name": person.name, "key": name_key(person.name)}
            created = at.isoformat()
            if database.change(statements.CLAIM, person=person.id, password=hashed, created=created, **values) == 0:
                raise NoGuest(f"{guest.name} is no longer a guest")
            require_unlike(database, person.id, person.name)
            store_skeletons(database, person.id, person.name)
            if identity is not None:
                store_identity(database, person.id, identity, at)
            end_all_access(database, person.id)
        return person

    def check(self, name: str, password: str) -> Person:
        """Return the person with name and password.

        Raises `WrongCredentials`, after the same time for an unknown name.
        """
        row = self.row(statements.CREDENTIALS, key=name_key(name))
        hashed = row[3] if row and row[3] else self._nobody
        is_right = has_hash(self.hasher, hashed, password)
        if not is_right or row is None or row[3] is None:
            raise WrongCredentials("wrong name or password")
        return Person(row[0], row[1], row[2], is_guest=False)

    def find(self, person_id: str) -> Person | None:
        """Return the person with the id; None if unknown."""
        row = self.row(statements.FIND, person=person_id)
        return None if row is None else person_of(*row)

    def standing(self, person_id: str, at: datetime) -> Standing:
        """Return the standing of a player at a time: "bot", "guest", "provisional" (first day) or "" (also unknown)."""
        row = self.row(statements.STANDING, person=person_id)
        if row is None:
            return ""
        if row[2] == BOT:
            return "bot"
        if row[0]:
            return "guest"
        return "provisional" if at - datetime.fromisoformat(row[1]) < PROVISIONAL else ""

    def by_name(self, name: str) -> Person | None:
        """Return the person with the name, or the guest with the number at its end; None if unknown."""
        key = name_key(name)
        row = self.row(statements.NAMED, key=key)
        if row is None and (number := GUEST_NUMBER.search(key)):
            row = self.row(statements.GUEST_NAMED, key=guest_key(number[0]))
        return self.find(row[0]) if row else None

    def all_named(self, names: Iterable[str]) -> dict[str, Person]:
        """Return the people by these ids or names, in two queries; unknown names are left out.

        A name that ends with the number of a guest finds the guest.
        """
        sorted_names = sorted(set(names))
        found = {person.id: person for person, _ in self._people_with(statements.WITH_IDS, sorted_names)}
        keys = {name: (name_key(name), *guest_keys(name)) for name in sorted_names if name not in found}
        rows = self._people_with(statements.WITH_KEYS, sorted({key for each in keys.values() for key in each}))
        by_key = {key: person for person, key in rows}
        for name, (own_key, *other_keys) in keys.items():
            guest = next((by_key[key] for key in other_keys if key in by_key and by_key[key].is_guest), None)
            if (person := by_key.get(own_key) or guest) is not None:
                found[name] = person
        return found

    def _people_with(self, statement: Select[Any], values: list[str]) -> list[tuple[Person, str]]:
        """Return the people with these values, each with the key of the name."""
        rows = self.rows(statement, values=values) if values else []
        return [(person_of(*row[:-1]), row[-1]) for row in rows]

    def names(self, person_ids: Iterable[str]) -> dict[str, str]:
        """Return the current display names by id, in the current language, also of local guests.

        Unknown ids count as erased.
        """
        ids = sorted(set(person_ids))
        rows = self.rows(statements.NAMES, ids=ids) if ids else []
        found = {id: shown_name(name, is_guest=bool(is_guest), is_bot=role == BOT) for id, name, is_guest, role in rows}
        found |= self.local_guests.local_names(ids)
        return {id: found.get(id) or erased_name() for id in ids}

    def operators(self) -> tuple[str, ...]:
        """Return the ids of all operators."""
        return tuple(row[0] for row in self.rows(statements.OPERATORS))

    def collisions(self) -> tuple[tuple[Collision, ...], tuple[Doubtful, ...]]:
        """Return accounts whose names look alike, and accounts with names that are no longer allowed."""
        return find_collisions(self._reading), find_doubtful(self._reading)

    def set_role(self, person_id: str, role: str) -> None:
        """Set the role of a person, whatever it was; an unknown id changes nothing."""
        with self.transaction() as database:
            database.change(statements.SET_ROLE, person=person_id, role=role)

    def mark_bot(self, person_id: str) -> None:
        """Make an account a bot account, permanently.

        Raises `BotRefused` unless it is a registered player: for guests, operators, other roles, bots and unknown ids.
        """
        with self.transaction() as database:
            if database.change(statements.MARK_BOT, person=person_id, role=BOT) == 0:
                raise BotRefused("only an account without roles can become a bot account")

    def store_preferences(self, person_id: str, text: str) -> None:
        """Store the display preferences of a person."""
        with self.transaction() as database:
            database.change(statements.KEEP_PREFERENCES, person=person_id, preferences=text)

    def adopt_preferences(self, person_id: str, text: str) -> None:
        """Store the display preferences of a person who has none."""
        with self.transaction() as database:
            database.change(statements.ADOPT_PREFERENCES, person=person_id, preferences=text)

    def set_password(self, person_id: str, password: str) -> None:
        """Set the password, end all sessions and revoke all tokens; raise `BadPassword` for a wrong length."""
        hashed = self.hasher.hash(acceptable_password(password))
        with self.transaction() as database:
            database.change(statements.SET_PASSWORD, person=person_id, password=hashed)
            end_all_access(database, person_id)

    def set_first_password(self, person_id: str, password: str) -> None:
        """Set the first password, end all sessions and revoke all tokens.

        Raises `WrongCredentials` if the account has one, or is a guest, `BadPassword` for a wrong length.
        """
        hashed = self.hasher.hash(acceptable_password(password))
        with self.transaction() as database:
            if database.change(statements.SET_FIRST_PASSWORD, person=person_id, password=hashed) == 0:
                raise WrongCredentials("the account already has a password, or is a guest")
            end_all_access(database, person_id)

    def erase(self, *person_ids: str) -> None:
        """Erase people: all their data, and their names in messages of others, also from the journal.

        Logs keep only their ids.
        """
        with self.transaction() as database:
            for person_id in person_ids:
                remove_mentions(database, person_id)
            database.change_all(statements.ERASE, ({"person": person_id} for person_id in person_ids))
            prefixes = (statements.NAME_SALT, statements.NAME_COMMITTED)
            secrets_of = ({"name": f"{prefix}{person_id}"} for person_id in person_ids for prefix in prefixes)
            database.change_all(statements.ERASE_SECRET, secrets_of)
        self.empty_journal()

    def lapsed_guests(self, at: datetime) -> tuple[str, ...]:
        """Return the guests without any session or token, who can never return."""
        return tuple(row[0] for row in self.rows(statements.LAPSED_GUESTS, at=at.isoformat()))

    def secret(self, name: str) -> str:
        """Return a random secret (hex) of the service, created on first use and stored."""
        return self.add_secret(name, self._entropy(32, f"secret/{name}").hex())

    def add_secret(self, name: str, value: str) -> str:
        """Store a secret of the service if there is none of this name, and return the stored one."""
        with self.transaction() as database:
            database.change(statements.ADD_SECRET, name=name, value=value)
        row = self.row(statements.SECRET, name=name)
        assert row is not None
        return str(row[0])

    def find_secret(self, name: str) -> str | None:
        """Return a secret of the service, or None if there is none of this name."""
        row = self.row(statements.SECRET, name=name)
        return None if row is None else str(row[0])

    def store_secrets(self, values: Mapping[str, str | None]) -> None:
        """Replace secrets of the service in one transaction; None erases one."""
        with self.transaction() as database:
            for name, value in values.items():
                if value is None:
                    database.change(statements.ERASE_SECRET, name=name)
                else:
                    database.change(statements.STORE_SECRET, name=name, value=value)

    def _new_id(self) -> str:
        """Return a new person id."""
        return self._entropy(16, "person").hex()

    def _hash(self, password: str | None) -> str | None:
        """Return the hash of a password, None for None; raise `BadPassword` for a wrong length."""
        return None if password is None else self.hasher.hash(acceptable_password(password))

    def _insert(
        self, person: Person, hashed: str | None, at: datetime, name: str, identity: Identity | None = None
    ) -> None:
        """Insert the person with the skeletons of the name (not a guest's) and the identity, in one transaction.

        Raises `NameTaken`, `NameAlike` or `IdentityTaken`.
        """
        key = guest_key(name) if person.is_guest else name_key(name)
        with self.transaction() as database, _unique_name(person.name):
            row = {"id": person.id, "name": name, "name_key": key, "role": person.role, "created": at.isoformat()}
            database.change(statements.ADD, **row, password=hashed, is_guest=int(person.is_guest))
            if not person.is_guest:
                require_unlike(database, person.id, person.name)
                store_skeletons(database, person.id, person.name)
            if identity is not None:
                store_identity(database, person.id, identity, at)

    def _require_free(self, person: Person) -> None:
        """Raise `NameTaken` if the name belongs to another person, `NameAlike` if it looks like another's.

        Checked before hashing the password, and again when writing.
        """
        if (holder := self.by_name(person.name)) is not None and holder.id != person.id:
            raise NameTaken(f"the name {person.name!r} is taken")
        require_unlike(self._reading, person.id, person.name)

    def blockers(self, person_id: str, other_ids: Iterable[str]) -> frozenset[str]:
        """Return which of the others have blocked a person."""
        return self._blocks(statements.BLOCKERS, person_id, other_ids)

    def find_blocked(self, person_id: str, other_ids: Iterable[str]) -> frozenset[str]:
        """Return which of the others a person has blocked."""
        return self._blocks(statements.BLOCKED, person_id, other_ids)

    def _blocks(self, statement: Select[Any], person_id: str, other_ids: Iterable[str]) -> frozenset[str]:
        """Return the ids among the others that the statement finds for a person; empty without others."""
        sorted_ids = sorted(set(other_ids))
        rows = self.rows(statement, person=person_id, others=sorted_ids) if sorted_ids else []
        return frozenset(row[0] for row in rows)


PEOPLE: Final = AppKey[People]("people")


def guest_keys(name: str) -> list[str]:
    """Return the name key of the guest whose number a name ends with, in a list; empty for other names."""
    number = GUEST_NUMBER.search(name_key(name))
    return [guest_key(number[0])] if number else []


@contextmanager
def _unique_name(name: str) -> Iterator[None]:
    """Raise `NameTaken` instead of a violated constraint inside the block."""
    try:
        yield
    except ConstraintViolated as error:
        raise NameTaken(f"the name {name!r} is taken") from error


def acceptable_password(password: str) -> str:
    """Return the password; raise `BadPassword` if its length is not allowed."""
    if not PASSWORD_LENGTH_MIN <= len(password) <= PASSWORD_LENGTH_MAX:
        raise BadPassword(
            f"a password has {PASSWORD_LENGTH_MIN} to {PASSWORD_LENGTH_MAX} characters, not {len(password)}"
        )
    return password


def remove_mentions(database: Database, person_id: str) -> None:
    """Replace a person's name in the messages of others that mention the person, before the person is erased."""
    names = database.rows(statements.NAME, person=person_id)
    rows = database.rows(statements.MENTIONING, person=person_id)
    changed = [{"words": without_name(text, name), "message": id} for text, id in rows for (name,) in names]
    database.change_all(statements.REWORD, changed)
