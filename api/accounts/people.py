"""People: names, passwords, sessions and tokens, in a store of their own that can be erased without touching a log."""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from api.accounts.lookalikes import (
    Collision,
    Doubtful,
    find_collisions,
    find_doubtful,
    keep_looks,
    renew_looks,
    require_unlike,
)
from api.accounts.names import (
    ERASED_NAME,
    GUEST_NUMBER,
    NameTaken,
    acceptable_name,
    guest_key,
    name_key,
    shown_name,
)
from api.accounts.schema import migrate, write_transaction
from api.web.languages import _
from domain.matches.entropy import Entropy, system_entropy
from domain.matches.write_ahead import write_ahead
from projections.paging import LIMIT, Page, end_of, page_of

PASSWORD_LENGTH_MIN: Final = 8
PASSWORD_LENGTH_MAX: Final = 256
LABEL_LENGTH_MAX: Final = 80
SESSION_DAYS: Final = 30
"""A session ends so long after it was last used, or up to half of it sooner: it is not written down at every use."""
TOKEN_PREFIX: Final = "esp_"  # noqa: S105 -- so that a token found in the wild can be recognised


class BadPassword(Exception):
    """The password is too short or too long."""


class WrongCredentials(Exception):
    """No person has this name and password."""


class NoGuest(Exception):
    """Whom the session held as a guest has an account by now, or is gone."""


class NoSuchToken(Exception):
    """The person has no token of this id."""


class Person(msgspec.Struct, frozen=True):
    """Somebody with an account, or a guest. Logs know the id alone."""

    id: str
    name: str
    role: str
    """`player` or `operator`."""
    is_guest: bool


class Token(msgspec.Struct, frozen=True, rename="camel"):
    """A bearer token of a person, without its secret."""

    id: str
    label: str
    created: datetime


class People:
    """The store of people. Reads are quick enough for the event loop; what writes or hashes belongs on a thread."""

    def __init__(self, path: Path, entropy: Entropy = system_entropy) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._entropy = entropy
        self._hasher = PasswordHasher()
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)
        path.chmod(0o600)
        write_ahead(self._database)
        self._database.execute("PRAGMA synchronous=NORMAL")
        try:
            migrate(self._database)
            renew_looks(self._database)
        except BaseException:
            self._database.close()
            raise
        self._database.execute("PRAGMA foreign_keys=ON")

    def close(self) -> None:
        self._database.close()

    @cached_property
    def _nobody(self) -> str:
        """What a password is checked against where there is no such person, so that it takes as long."""
        return self._hasher.hash(secrets.token_hex())

    # Accounts

    def create(self, name: str, password: str, at: datetime, *, role: str = "player") -> Person:
        person = Person(self._new_id(), acceptable_name(name), role, is_guest=False)
        self._require_free(person)
        self._insert(person, self._hasher.hash(acceptable_password(password)), at, person.name)
        return person

    def create_guest(self, at: datetime) -> Person:
        """An account without a password, held by its session alone."""
        number = self._entropy(3, "guest").hex()
        person = Person(self._new_id(), shown_name(number, is_guest=True), "player", is_guest=True)
        self._insert(person, None, at, number)
        return person

    def claim(self, guest: Person, name: str, password: str) -> Person:
        """The guest, now with a name and a password; id and seats stay, but what held the guest without them is no
        longer good: who was given or stole the session of a guest has no part in the account."""
        person = Person(guest.id, acceptable_name(name), guest.role, is_guest=False)
        hashed = self._hasher.hash(acceptable_password(password))
        self._require_free(person)
        with self._writing() as database, _unique_name(person.name):
            changed = database.execute(
                "UPDATE people SET name = ?, name_key = ?, password = ? WHERE id = ? AND password IS NULL",
                (person.name, name_key(person.name), hashed, person.id),
            )
            if changed.rowcount == 0:
                raise NoGuest(f"{guest.name} is no guest any more")
            require_unlike(database, person.id, person.name)
            keep_looks(database, person.id, person.name)
            shut_out(database, person.id)
        return person

    def check(self, name: str, password: str) -> Person:
        """Whose name and password these are; takes as long for a name nobody has."""
        row = self._row("SELECT id, name, role, password FROM people WHERE name_key = ?", name_key(name))
        hashed = row[3] if row and row[3] else self._nobody
        try:
            self._hasher.verify(hashed, password)
        except VerificationError as wrong:
            raise WrongCredentials("no account has this name and password") from wrong
        if row is None or row[3] is None:
            raise WrongCredentials("no account has this name and password")
        return Person(row[0], row[1], row[2], is_guest=False)

    def find(self, person_id: str) -> Person | None:
        row = self._row("SELECT id, name, role, password IS NULL FROM people WHERE id = ?", person_id)
        if row is None:
            return None
        is_guest = bool(row[3])
        return Person(row[0], shown_name(row[1], is_guest=is_guest), row[2], is_guest)

    def by_name(self, name: str) -> Person | None:
        """Who is called so; a guest in whatever language, by the number at the end."""
        key = name_key(name)
        row = self._row("SELECT id FROM people WHERE name_key = ?", key)
        if row is None and (number := GUEST_NUMBER.search(key)):
            sql = "SELECT id FROM people WHERE name_key = ? AND password IS NULL"
            row = self._row(sql, guest_key(number[0]))
        return self.find(row[0]) if row else None

    def names(self, person_ids: Iterable[str]) -> dict[str, str]:
        """What these people are called now, guests and those who were forgotten in the reader's language."""
        sql = "SELECT name, password IS NULL FROM people WHERE id = ?"
        found = {id: self._row(sql, id) for id in set(person_ids)}
        return {id: shown_name(row[0], is_guest=bool(row[1])) if row else _(ERASED_NAME) for id, row in found.items()}

    def operators(self) -> tuple[str, ...]:
        """The ids of everybody who may do anything."""
        with self._lock:
            rows = self._database.execute("SELECT id FROM people WHERE role = 'operator' ORDER BY id").fetchall()
        return tuple(row[0] for row in rows)

    def collisions(self) -> tuple[tuple[Collision, ...], tuple[Doubtful, ...]]:
        """Accounts whose names look alike, and those with a name that nobody could have today."""
        with self._lock:
            return find_collisions(self._database), find_doubtful(self._database)

    def set_role(self, person_id: str, role: str) -> None:
        with self._writing() as database:
            database.execute("UPDATE people SET role = ? WHERE id = ?", (role, person_id))

    def set_password(self, person_id: str, password: str) -> None:
        """Another password; everybody signed in with the old one is signed out: sessions end, tokens are no longer
        good."""
        hashed = self._hasher.hash(acceptable_password(password))
        with self._writing() as database:
            database.execute("UPDATE people SET password = ? WHERE id = ?", (hashed, person_id))
            shut_out(database, person_id)

    def erase(self, *person_ids: str) -> None:
        """Forget people: names, passwords, sessions and tokens. Logs keep ids that lead nowhere."""
        with self._writing() as database:
            database.executemany("DELETE FROM people WHERE id = ?", ((person_id,) for person_id in person_ids))

    def lapsed_guests(self, at: datetime) -> tuple[str, ...]:
        """The guests who can never come back: they have no password, and no session or token is left of them."""
        sql = (
            "SELECT id FROM people WHERE password IS NULL AND id NOT IN (SELECT person FROM tokens)"
            " AND id NOT IN (SELECT person FROM sessions WHERE expires >= ?) ORDER BY id"
        )
        with self._lock:
            rows = self._database.execute(sql, (at.isoformat(),)).fetchall()
        return tuple(row[0] for row in rows)

    # Sessions of pages

    def start_session(self, person: Person, at: datetime, replaced: str = "") -> str:
        """The secret of a new session, kept by the browser; the store keeps its digest. The replaced one ends."""
        secret = secrets.token_urlsafe(32)
        expires = (at + timedelta(days=SESSION_DAYS)).isoformat()
        with self._writing() as database:
            database.execute("DELETE FROM sessions WHERE expires < ? OR digest = ?", (at.isoformat(), digest(replaced)))
            database.execute("INSERT INTO sessions VALUES (?, ?, ?)", (digest(secret), person.id, expires))
        return secret

    def session(self, secret: str, at: datetime) -> Person | None:
        """Whose session it is. Half-way to its end its use prolongs it: a match by post outlasts it otherwise."""
        sql = "SELECT person, expires FROM sessions WHERE digest = ? AND expires >= ?"
        row = self._row(sql, digest(secret), at.isoformat())
        if row is None:
            return None
        if datetime.fromisoformat(row[1]) - at < timedelta(days=SESSION_DAYS) / 2:
            expires = (at + timedelta(days=SESSION_DAYS)).isoformat()
            with self._writing() as database:
                database.execute("UPDATE sessions SET expires = ? WHERE digest = ?", (expires, digest(secret)))
        return self.find(row[0])

    def end_session(self, secret: str) -> None:
        with self._writing() as database:
            database.execute("DELETE FROM sessions WHERE digest = ?", (digest(secret),))

    # Tokens of programs

    def issue_token(self, person: Person, label: str, at: datetime) -> tuple[Token, str]:
        """A new token and its secret, which is shown this once."""
        token = Token(secrets.token_hex(8), label[:LABEL_LENGTH_MAX], at)
        secret = TOKEN_PREFIX + secrets.token_urlsafe(32)
        with self._writing() as database:
            row = (token.id, digest(secret), person.id, token.label, at.isoformat())
            database.execute("INSERT INTO tokens VALUES (?, ?, ?, ?, ?)", row)
        return token, secret

    def bearer(self, secret: str) -> Person | None:
        row = self._row("SELECT person FROM tokens WHERE digest = ?", digest(secret))
        return self.find(row[0]) if row else None

    def tokens(self, person_id: str, limit: int = LIMIT, before: int | None = None) -> Page[Token]:
        """A person's tokens, the newest first."""
        sql = "SELECT rowid, id, label, created FROM tokens WHERE person = ? AND rowid < ? ORDER BY rowid DESC LIMIT ?"
        with self._lock:
            rows = self._database.execute(sql, (person_id, end_of(before), limit + 1)).fetchall()
        page = page_of(rows, limit, lambda row: int(row[0]))
        return page.of([Token(id, label, datetime.fromisoformat(created)) for _, id, label, created in page.items])

    def revoke_token(self, person_id: str, token_id: str) -> None:
        with self._writing() as database:
            sql = "DELETE FROM tokens WHERE id = ? AND person = ?"
            if database.execute(sql, (token_id, person_id)).rowcount == 0:
                raise NoSuchToken(f"you have no token {token_id!r}")

    def secret(self, name: str) -> str:
        """A secret of the service that outlives a restart, made at its first use."""
        with self._writing() as database:
            database.execute(
                "INSERT OR IGNORE INTO secrets VALUES (?, ?)", (name, self._entropy(32, f"secret/{name}").hex())
            )
        row = self._row("SELECT value FROM secrets WHERE name = ?", name)
        assert row is not None
        return str(row[0])

    def _new_id(self) -> str:
        """The id of a new person."""
        return self._entropy(16, "person").hex()

    # The database

    def _insert(self, person: Person, hashed: str | None, at: datetime, name: str) -> None:
        key = guest_key(name) if person.is_guest else name_key(name)
        with self._writing() as database, _unique_name(person.name):
            row = (person.id, name, key, hashed, person.role, at.isoformat())
            database.execute("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)", row)
            if not person.is_guest:
                require_unlike(database, person.id, person.name)
                keep_looks(database, person.id, person.name)

    def _require_free(self, person: Person) -> None:
        """Nobody takes the name of somebody else, nor one that looks like it. Asked before the password is hashed, and
        again where it is written."""
        if (other := self.by_name(person.name)) is not None and other.id != person.id:
            raise NameTaken(f"the name {person.name!r} is taken")
        with self._lock:
            require_unlike(self._database, person.id, person.name)

    def _row(self, sql: str, *values: str) -> Any:
        with self._lock:
            return self._database.execute(sql, values).fetchone()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Cursor]:
        with self._lock, closing(self._database.cursor()) as cursor, write_transaction(self._database):
            yield cursor


@contextmanager
def _unique_name(name: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.IntegrityError as taken:
        raise NameTaken(f"the name {name!r} is taken") from taken


def shut_out(database: sqlite3.Cursor, person_id: str) -> None:
    """Whoever holds a session or a token of the person has to sign in again."""
    database.execute("DELETE FROM sessions WHERE person = ?", (person_id,))
    database.execute("DELETE FROM tokens WHERE person = ?", (person_id,))


def digest(secret: str) -> str:
    """What the store keeps of a secret: enough to know it again, too little to use it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def acceptable_password(password: str) -> str:
    if not PASSWORD_LENGTH_MIN <= len(password) <= PASSWORD_LENGTH_MAX:
        raise BadPassword(
            f"a password has {PASSWORD_LENGTH_MIN} to {PASSWORD_LENGTH_MAX} characters, not {len(password)}"
        )
    return password
