"""Sessions of browsers and bearer tokens of programs."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, func, or_, select, update

from api.accounts.names import shown_name
from api.accounts.store import Store
from api.accounts.tables.accounts import PEOPLE, SESSIONS, TOKENS
from api.http.digests import digest
from api.http.identity import SCOPES, Bearer, Person, Scope
from projections.platform.database import Database
from projections.platform.paging import LIMIT, Page, end_of, page_of
from projections.platform.statements import insert_row

LABEL_LENGTH_MAX: Final = 80
AGENT_LENGTH_MAX: Final = 200
SESSION_DAYS: Final = 30
"""Lifetime of a session since its last recorded use, which may be up to half of it earlier than the actual last use."""
SESSIONS_MAX: Final = 100
"""Maximum number of sessions of a person; a new one ends the least recently used."""
TOKENS_MAX: Final = 100
"""Maximum number of tokens of a person."""
USE_RECORD_INTERVAL: Final = timedelta(minutes=10)
"""Minimum interval between two recorded uses of a session or token."""
FRESH: Final = timedelta(minutes=15)
"""Maximum age of a session that may add another sign-in method to the account."""
TOKEN_PREFIX: Final = "esp_"  # noqa: S105 -- so that a token found in the wild can be recognised


class NoSuchToken(Exception):
    """The person has no token with this id."""


class TooManyTokens(Exception):
    """The person has the maximum number of tokens."""


class NoSuchSession(Exception):
    """The person has no session with this id."""


class SignInTooOld(Exception):
    """The session is too old for this operation, so the person must sign in again."""


class Session(msgspec.Struct, frozen=True, rename="camel"):
    """A session of a browser, without its secret; the oldest ones lack `created` and `used`."""

    id: str
    created: datetime | None
    used: datetime | None
    ends: datetime
    agent: str
    """The user agent."""
    is_this: bool = False
    """Whether it is the session of the request."""


class Token(msgspec.Struct, frozen=True, rename="camel"):
    """A bearer token of a person, without its secret."""

    id: str
    label: str
    created: datetime
    scopes: tuple[Scope, ...] = SCOPES
    ends: datetime | None = None
    used: datetime | None = None


PERSON: Final = (PEOPLE.c.id, PEOPLE.c.name, PEOPLE.c.role, PEOPLE.c.is_guest, PEOPLE.c.preferences)
"""The columns for `person_of`."""

HAS_SECRET: Final = SESSIONS.c.digest == bindparam("digest")
LASTS: Final = SESSIONS.c.expires >= bindparam("at")
NEWER: Final = SESSIONS.alias()
USED_LAST: Final = (
    select(NEWER.c.id)
    .where(NEWER.c.person == bindparam("person"))
    .order_by(func.coalesce(NEWER.c.used, "").desc(), NEWER.c.id)
    .limit(bindparam("limit"))
)
SIGNED_IN: Final = (
    select(*PERSON, SESSIONS.c.expires, SESSIONS.c.used)
    .join_from(SESSIONS, PEOPLE, PEOPLE.c.id == SESSIONS.c.person)
    .where(HAS_SECRET, LASTS)
)
STARTED: Final = select(SESSIONS.c.created).where(HAS_SECRET, LASTS)
LIST_SESSIONS: Final = (
    select(
        SESSIONS.c.rowid,
        SESSIONS.c.id,
        SESSIONS.c.created,
        SESSIONS.c.used,
        SESSIONS.c.expires,
        SESSIONS.c.agent,
        HAS_SECRET,
    )
    .where(SESSIONS.c.person == bindparam("person"), LASTS, SESSIONS.c.rowid < bindparam("end"))
    .order_by(SESSIONS.c.rowid.desc())
    .limit(bindparam("limit"))
)
START: Final = insert_row(SESSIONS, "id", "digest", "person", "expires", "created", "used", "agent")
NOTE_SESSION: Final = update(SESSIONS).where(HAS_SECRET).values(expires=bindparam("expires"), used=bindparam("at"))
END: Final = delete(SESSIONS).where(HAS_SECRET)
END_REPLACED: Final = delete(SESSIONS).where(or_(SESSIONS.c.expires < bindparam("at"), HAS_SECRET))
END_OF_PERSON: Final = delete(SESSIONS).where(SESSIONS.c.person == bindparam("person"))
END_ONE: Final = END_OF_PERSON.where(SESSIONS.c.id == bindparam("id"))
END_OLDEST: Final = END_OF_PERSON.where(SESSIONS.c.id.not_in(USED_LAST))

HAS_TOKEN: Final = TOKENS.c.digest == bindparam("digest")
BEARER: Final = (
    select(*PERSON, TOKENS.c.scopes, TOKENS.c.used)
    .join_from(TOKENS, PEOPLE, PEOPLE.c.id == TOKENS.c.person)
    .where(HAS_TOKEN, or_(TOKENS.c.expires.is_(None), TOKENS.c.expires >= bindparam("at")))
)
LIST_TOKENS: Final = (
    select(
        TOKENS.c.rowid,
        TOKENS.c.id,
        TOKENS.c.label,
        TOKENS.c.created,
        TOKENS.c.scopes,
        TOKENS.c.expires,
        TOKENS.c.used,
    )
    .where(TOKENS.c.person == bindparam("person"), TOKENS.c.rowid < bindparam("end"))
    .order_by(TOKENS.c.rowid.desc())
    .limit(bindparam("limit"))
)
COUNT_TOKENS: Final = select(func.count()).where(TOKENS.c.person == bindparam("person"))
ISSUE: Final = insert_row(TOKENS, "id", "digest", "person", "label", "created", "scopes", "expires")
NOTE_TOKEN: Final = update(TOKENS).where(HAS_TOKEN).values(used=bindparam("at"))
REVOKE_ALL: Final = delete(TOKENS).where(TOKENS.c.person == bindparam("person"))
REVOKE: Final = REVOKE_ALL.where(TOKENS.c.id == bindparam("id"))


def person_of(id: str, name: str, role: str, is_guest: int, preferences: str | None) -> Person:
    """Return the person in a row."""
    return Person(id, shown_name(name, is_guest=bool(is_guest)), role, bool(is_guest), preferences)


class Access:
    """Sessions and tokens. Reads are fast enough for the event loop; writes belong on a thread."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store

    def sign_out_everywhere(self, person_id: str) -> None:
        """End all sessions and revoke all tokens of a person."""
        with self._store.transaction() as database:
            end_all_access(database, person_id)

    def start_session(self, person: Person, at: datetime, replaced: str = "", agent: str = "") -> str:
        """Start a session and return its secret; the store keeps only a digest.

        The session with the secret `replaced` ends. Also deletes expired sessions, and the person's least recently used
        ones beyond `SESSIONS_MAX`.
        """
        secret = secrets.token_urlsafe(32)
        row = {"id": secrets.token_hex(8), "digest": digest(secret), "person": person.id, "created": _text(at)}
        expires = _text(at + timedelta(days=SESSION_DAYS))
        with self._store.transaction() as database:
            database.change(END_REPLACED, at=_text(at), digest=digest(replaced))
            database.change(START, **row, expires=expires, used=_text(at), agent=agent[:AGENT_LENGTH_MAX])
            database.change(END_OLDEST, person=person.id, limit=SESSIONS_MAX)
        return secret

    def session(self, secret: str, at: datetime) -> Person | None:
        """Return the person of a session; None if unknown or expired.

        Extends the session if half of its lifetime has passed, and records its use from time to time.
        """
        row = self._store.row(SIGNED_IN, digest=digest(secret), at=_text(at))
        if row is None:
            return None
        *person, stored_expiry, used_at = row
        expires = stored_expiry
        if datetime.fromisoformat(expires) - at < timedelta(days=SESSION_DAYS) / 2:
            expires = _text(at + timedelta(days=SESSION_DAYS))
        if expires != stored_expiry or is_use_outdated(used_at, at):
            with self._store.transaction() as database:
                database.change(NOTE_SESSION, expires=expires, at=_text(at), digest=digest(secret))
        return person_of(*person)

    def is_fresh(self, secret: str, at: datetime) -> bool:
        """Return whether the session began recently, so that its holder has proved their identity; False if unknown."""
        row = self._store.row(STARTED, digest=digest(secret), at=_text(at))
        return row is not None and row[0] is not None and at - datetime.fromisoformat(row[0]) <= FRESH

    def sessions(
        self, person_id: str, at: datetime, limit: int = LIMIT, before: int | None = None, secret: str = ""
    ) -> Page[Session]:
        """Return a page of a person's unexpired sessions, latest first; the session with the given secret is marked."""
        parameters = {"person": person_id, "end": end_of(before), "limit": limit + 1}
        rows = self._store.rows(LIST_SESSIONS, digest=digest(secret), at=_text(at), **parameters)
        page = page_of(rows, limit, lambda row: int(row[0]))
        return page.of(
            [
                Session(id, _time(created), _time(used_at), datetime.fromisoformat(expires), agent, bool(is_this))
                for _, id, created, used_at, expires, agent, is_this in page.items
            ]
        )

    def end_session(self, secret: str) -> None:
        """End the session with this secret, if any."""
        with self._store.transaction() as database:
            database.change(END, digest=digest(secret))

    def end_session_of(self, person_id: str, session_id: str) -> None:
        """End a session of a person; raise `NoSuchSession` if unknown."""
        with self._store.transaction() as database:
            if database.change(END_ONE, id=session_id, person=person_id) == 0:
                raise NoSuchSession(f"unknown session {session_id!r}")

    def issue_token(
        self, person: Person, label: str, at: datetime, scopes: Iterable[Scope] = SCOPES, days: int | None = None
    ) -> tuple[Token, str]:
        """Issue a token and return it with its secret, which is not stored; without `days` it never expires.

        Raises `TooManyTokens` at `TOKENS_MAX`. The label is truncated.
        """
        chosen = frozenset(scopes)
        ordered_scopes = tuple(scope for scope in SCOPES if scope in chosen)
        expires = None if days is None else at + timedelta(days=days)
        token = Token(secrets.token_hex(8), label[:LABEL_LENGTH_MAX], at, ordered_scopes, expires)
        secret = TOKEN_PREFIX + secrets.token_urlsafe(32)
        row = {"id": token.id, "digest": digest(secret), "person": person.id, "label": token.label}
        expires_text = None if expires is None else _text(expires)
        with self._store.transaction() as database:
            ((count,),) = database.rows(COUNT_TOKENS, person=person.id)
            if count >= TOKENS_MAX:
                raise TooManyTokens(f"an account has at most {TOKENS_MAX} tokens; revoke one first")
            database.change(ISSUE, **row, created=_text(at), scopes=" ".join(ordered_scopes), expires=expires_text)
        return token, secret

    def bearer(self, secret: str, at: datetime) -> Bearer | None:
        """Return person and scopes of a token; None if unknown or expired. Records its use from time to time."""
        row = self._store.row(BEARER, digest=digest(secret), at=_text(at))
        if row is None:
            return None
        *person, scopes, used_at = row
        if is_use_outdated(used_at, at):
            with self._store.transaction() as database:
                database.change(NOTE_TOKEN, at=_text(at), digest=digest(secret))
        return Bearer(person_of(*person), frozenset(scope for scope in SCOPES if scope in scopes.split()))

    def tokens(self, person_id: str, limit: int = LIMIT, before: int | None = None) -> Page[Token]:
        """Return a page of a person's tokens, latest first, including expired ones."""
        rows = self._store.rows(LIST_TOKENS, person=person_id, end=end_of(before), limit=limit + 1)
        page = page_of(rows, limit, lambda row: int(row[0]))
        return page.of([token_of(*row[1:]) for row in page.items])

    def revoke_token(self, person_id: str, token_id: str) -> None:
        """Revoke a token of a person; raise `NoSuchToken` if unknown."""
        with self._store.transaction() as database:
            if database.change(REVOKE, id=token_id, person=person_id) == 0:
                raise NoSuchToken(f"unknown token {token_id!r}")


def end_all_access(database: Database, person_id: str) -> None:
    """End all sessions and revoke all tokens of a person, inside a transaction."""
    database.change(END_OF_PERSON, person=person_id)
    database.change(REVOKE_ALL, person=person_id)


def token_of(id: str, label: str, created: str, scopes: str, expires: str | None, used_at: str | None) -> Token:
    """Return the token in a row."""
    ordered_scopes = tuple(scope for scope in SCOPES if scope in scopes.split())
    return Token(id, label, datetime.fromisoformat(created), ordered_scopes, _time(expires), _time(used_at))


def is_use_outdated(used_at: str | None, at: datetime) -> bool:
    """Return whether the recorded use is old enough to record another."""
    return used_at is None or at - datetime.fromisoformat(used_at) >= USE_RECORD_INTERVAL


def _text(at: datetime) -> str:
    return at.isoformat()


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
