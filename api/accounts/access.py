"""What holds a person: sessions of browsers and tokens of programs, each to be listed and ended."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

import msgspec

from api.accounts.names import shown_name
from api.accounts.store import Store
from api.http.digests import digest
from api.http.identity import SCOPES, Bearer, Person, Scope
from projections.platform.database import Database
from projections.platform.paging import LIMIT, Page, end_of, page_of

LABEL_LENGTH_MAX: Final = 80
AGENT_LENGTH_MAX: Final = 200
SESSION_DAYS: Final = 30
"""A session ends so long after it was last used, or up to half of it sooner: it is not written down at every use."""
SESSIONS_MAX: Final = 100
"""The most sessions of one person; a new one ends the one whose use lies furthest back."""
TOKENS_MAX: Final = 100
"""The most tokens of one person."""
USED_WITHIN: Final = timedelta(minutes=10)
"""How exactly it is known when a session or a token was last used: no use writes sooner than so long after the last."""
FRESH: Final = timedelta(minutes=15)
"""So long after signing in a session is enough to give the account another way in."""
TOKEN_PREFIX: Final = "esp_"  # noqa: S105 -- so that a token found in the wild can be recognised


class NoSuchToken(Exception):
    """The person has no token of this id."""


class TooManyTokens(Exception):
    """The person has as many tokens as one account may have."""


class NoSuchSession(Exception):
    """The person has no session of this id."""


class SignInTooOld(Exception):
    """The session began too long ago for this."""


class Session(msgspec.Struct, frozen=True, rename="camel"):
    """Somebody signed in at a browser, without the secret; `created` and `used` are not known of the oldest."""

    id: str
    created: datetime | None
    used: datetime | None
    ends: datetime
    agent: str
    """What the browser says that it is."""
    is_this: bool = False
    """Whether it is the one that asks."""


class Token(msgspec.Struct, frozen=True, rename="camel"):
    """A bearer token of a person, without its secret."""

    id: str
    label: str
    created: datetime
    scopes: tuple[Scope, ...] = SCOPES
    ends: datetime | None = None
    used: datetime | None = None


PERSON_COLUMNS: Final = "people.id, name, role, is_guest, preferences"


def person_of(id: str, name: str, role: str, is_guest: int, preferences: str | None) -> Person:
    """Somebody as their row has them."""
    return Person(id, shown_name(name, is_guest=bool(is_guest)), role, bool(is_guest), preferences)


class Access(Store):
    """Sessions and tokens. Reads are quick enough for the event loop; what writes belongs on a thread."""

    def find(self, person_id: str) -> Person | None:
        row = self._row(f"SELECT {PERSON_COLUMNS} FROM people WHERE id = ?", person_id)  # noqa: S608
        return None if row is None else person_of(*row)

    def sign_out_everywhere(self, person_id: str) -> None:
        """All sessions end and all tokens are revoked."""
        with self._writing() as database:
            shut_out(database, person_id)

    # Sessions of pages

    def start_session(self, person: Person, at: datetime, replaced: str = "", agent: str = "") -> str:
        """The secret of a new session, kept by the browser; the store keeps its digest. The replaced one ends."""
        secret = secrets.token_urlsafe(32)
        row = (secrets.token_hex(8), digest(secret), person.id, _text(at + timedelta(days=SESSION_DAYS)))
        with self._writing() as database:
            database.change("DELETE FROM sessions WHERE expires < ? OR digest = ?", (_text(at), digest(replaced)))
            database.change(
                "INSERT INTO sessions (id, digest, person, expires, created, used, agent) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*row, _text(at), _text(at), agent[:AGENT_LENGTH_MAX]),
            )
            database.change(
                "DELETE FROM sessions WHERE person = ? AND id NOT IN"
                " (SELECT id FROM sessions WHERE person = ? ORDER BY COALESCE(used, '') DESC, id LIMIT ?)",
                (person.id, person.id, SESSIONS_MAX),
            )
        return secret

    def session(self, secret: str, at: datetime) -> Person | None:
        """Whose session it is. Half-way to its end its use prolongs it: a match by post outlasts it otherwise."""
        sql = (
            f"SELECT {PERSON_COLUMNS}, expires, used FROM sessions JOIN people ON people.id = person"  # noqa: S608
            " WHERE digest = ? AND expires >= ?"
        )
        row = self._row(sql, digest(secret), _text(at))
        if row is None:
            return None
        *person, ends, used = row
        expires = ends
        if datetime.fromisoformat(expires) - at < timedelta(days=SESSION_DAYS) / 2:
            expires = _text(at + timedelta(days=SESSION_DAYS))
        if expires != ends or is_old(used, at):
            with self._writing() as database:
                sql = "UPDATE sessions SET expires = ?, used = ? WHERE digest = ?"
                database.change(sql, (expires, _text(at), digest(secret)))
        return person_of(*person)

    def is_fresh(self, secret: str, at: datetime) -> bool:
        """Whether the session began a short time ago: whoever holds it has just shown who they are."""
        row = self._row("SELECT created FROM sessions WHERE digest = ? AND expires >= ?", digest(secret), _text(at))
        return row is not None and row[0] is not None and at - datetime.fromisoformat(row[0]) <= FRESH

    def sessions(
        self, person_id: str, at: datetime, limit: int = LIMIT, before: int | None = None, secret: str = ""
    ) -> Page[Session]:
        """A person's sessions, the newest first; that of the secret is marked."""
        sql = (
            "SELECT rowid, id, created, used, expires, agent, digest = ? FROM sessions"
            " WHERE person = ? AND expires >= ? AND rowid < ? ORDER BY rowid DESC LIMIT ?"
        )
        rows = self._rows(sql, digest(secret), person_id, _text(at), end_of(before), limit + 1)
        page = page_of(rows, limit, lambda row: int(row[0]))
        return page.of(
            [
                Session(id, _time(created), _time(used), datetime.fromisoformat(expires), agent, bool(is_this))
                for _, id, created, used, expires, agent, is_this in page.items
            ]
        )

    def end_session(self, secret: str) -> None:
        with self._writing() as database:
            database.change("DELETE FROM sessions WHERE digest = ?", (digest(secret),))

    def end_session_of(self, person_id: str, session_id: str) -> None:
        with self._writing() as database:
            sql = "DELETE FROM sessions WHERE id = ? AND person = ?"
            if database.change(sql, (session_id, person_id)) == 0:
                raise NoSuchSession(f"you have no session {session_id!r}")

    # Tokens of programs

    def issue_token(
        self, person: Person, label: str, at: datetime, scopes: Iterable[Scope] = SCOPES, days: int | None = None
    ) -> tuple[Token, str]:
        """A new token and its secret, which is shown this once; without `days` it has no end."""
        chosen = frozenset(scopes)
        kept = tuple(scope for scope in SCOPES if scope in chosen)
        ends = None if days is None else at + timedelta(days=days)
        token = Token(secrets.token_hex(8), label[:LABEL_LENGTH_MAX], at, kept, ends)
        secret = TOKEN_PREFIX + secrets.token_urlsafe(32)
        row = (token.id, digest(secret), person.id, token.label, _text(at), " ".join(kept), ends and _text(ends))
        with self._writing() as database:
            ((count,),) = database.rows("SELECT count(*) FROM tokens WHERE person = ?", (person.id,))
            if count >= TOKENS_MAX:
                raise TooManyTokens(f"an account has at most {TOKENS_MAX} tokens; revoke one first")
            database.change(
                "INSERT INTO tokens (id, digest, person, label, created, scopes, expires) VALUES (?, ?, ?, ?, ?, ?, ?)",
                row,
            )
        return token, secret

    def bearer(self, secret: str, at: datetime) -> Bearer | None:
        """Who comes with the token; nobody once it has ended."""
        sql = (
            f"SELECT {PERSON_COLUMNS}, scopes, used FROM tokens JOIN people ON people.id = person"  # noqa: S608
            " WHERE digest = ? AND (expires IS NULL OR expires >= ?)"
        )
        row = self._row(sql, digest(secret), _text(at))
        if row is None:
            return None
        *person, scopes, used = row
        if is_old(used, at):
            with self._writing() as database:
                database.change("UPDATE tokens SET used = ? WHERE digest = ?", (_text(at), digest(secret)))
        return Bearer(person_of(*person), frozenset(scope for scope in SCOPES if scope in scopes.split()))

    def tokens(self, person_id: str, limit: int = LIMIT, before: int | None = None) -> Page[Token]:
        """A person's tokens, the newest first; those that have ended too, until they are revoked."""
        sql = (
            "SELECT rowid, id, label, created, scopes, expires, used FROM tokens"
            " WHERE person = ? AND rowid < ? ORDER BY rowid DESC LIMIT ?"
        )
        page = page_of(self._rows(sql, person_id, end_of(before), limit + 1), limit, lambda row: int(row[0]))
        return page.of([token_of(*row[1:]) for row in page.items])

    def revoke_token(self, person_id: str, token_id: str) -> None:
        with self._writing() as database:
            sql = "DELETE FROM tokens WHERE id = ? AND person = ?"
            if database.change(sql, (token_id, person_id)) == 0:
                raise NoSuchToken(f"you have no token {token_id!r}")


def shut_out(database: Database, person_id: str) -> None:
    """Whoever holds a session or a token of the person has to sign in again."""
    database.change("DELETE FROM sessions WHERE person = ?", (person_id,))
    database.change("DELETE FROM tokens WHERE person = ?", (person_id,))


def token_of(id: str, label: str, created: str, scopes: str, expires: str | None, used: str | None) -> Token:
    """A token as its row has it."""
    kept = tuple(scope for scope in SCOPES if scope in scopes.split())
    return Token(id, label, datetime.fromisoformat(created), kept, _time(expires), _time(used))


def is_old(used: str | None, at: datetime) -> bool:
    """Whether the last use that is written down is long enough ago to write this one down."""
    return used is None or at - datetime.fromisoformat(used) >= USED_WITHIN


def _text(at: datetime) -> str:
    return at.isoformat()


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
