"""What holds a person: sessions of browsers and tokens of programs, each to be listed and ended."""

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


PERSON: Final = (PEOPLE.c.id, PEOPLE.c.name, PEOPLE.c.role, PEOPLE.c.is_guest, PEOPLE.c.preferences)
"""The columns that `person_of` takes."""

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
    """Somebody as their row has them."""
    return Person(id, shown_name(name, is_guest=bool(is_guest)), role, bool(is_guest), preferences)


class Access:
    """Sessions and tokens. Reads are quick enough for the event loop; what writes belongs on a thread."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store

    def sign_out_everywhere(self, person_id: str) -> None:
        """All sessions end and all tokens are revoked."""
        with self._store.writing() as database:
            shut_out(database, person_id)

    # Sessions of pages

    def start_session(self, person: Person, at: datetime, replaced: str = "", agent: str = "") -> str:
        """The secret of a new session, kept by the browser; the store keeps its digest. The replaced one ends."""
        secret = secrets.token_urlsafe(32)
        row = {"id": secrets.token_hex(8), "digest": digest(secret), "person": person.id, "created": _text(at)}
        expires = _text(at + timedelta(days=SESSION_DAYS))
        with self._store.writing() as database:
            database.change(END_REPLACED, at=_text(at), digest=digest(replaced))
            database.change(START, **row, expires=expires, used=_text(at), agent=agent[:AGENT_LENGTH_MAX])
            database.change(END_OLDEST, person=person.id, limit=SESSIONS_MAX)
        return secret

    def session(self, secret: str, at: datetime) -> Person | None:
        """Whose session it is. Half-way to its end its use prolongs it: a match by post outlasts it otherwise."""
        row = self._store.row(SIGNED_IN, digest=digest(secret), at=_text(at))
        if row is None:
            return None
        *person, ends, used = row
        expires = ends
        if datetime.fromisoformat(expires) - at < timedelta(days=SESSION_DAYS) / 2:
            expires = _text(at + timedelta(days=SESSION_DAYS))
        if expires != ends or is_old(used, at):
            with self._store.writing() as database:
                database.change(NOTE_SESSION, expires=expires, at=_text(at), digest=digest(secret))
        return person_of(*person)

    def is_fresh(self, secret: str, at: datetime) -> bool:
        """Whether the session began a short time ago: whoever holds it has just shown who they are."""
        row = self._store.row(STARTED, digest=digest(secret), at=_text(at))
        return row is not None and row[0] is not None and at - datetime.fromisoformat(row[0]) <= FRESH

    def sessions(
        self, person_id: str, at: datetime, limit: int = LIMIT, before: int | None = None, secret: str = ""
    ) -> Page[Session]:
        """A person's sessions, the newest first; that of the secret is marked."""
        wanted = {"person": person_id, "end": end_of(before), "limit": limit + 1}
        rows = self._store.rows(LIST_SESSIONS, digest=digest(secret), at=_text(at), **wanted)
        page = page_of(rows, limit, lambda row: int(row[0]))
        return page.of(
            [
                Session(id, _time(created), _time(used), datetime.fromisoformat(expires), agent, bool(is_this))
                for _, id, created, used, expires, agent, is_this in page.items
            ]
        )

    def end_session(self, secret: str) -> None:
        with self._store.writing() as database:
            database.change(END, digest=digest(secret))

    def end_session_of(self, person_id: str, session_id: str) -> None:
        with self._store.writing() as database:
            if database.change(END_ONE, id=session_id, person=person_id) == 0:
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
        row = {"id": token.id, "digest": digest(secret), "person": person.id, "label": token.label}
        until = None if ends is None else _text(ends)
        with self._store.writing() as database:
            ((count,),) = database.rows(COUNT_TOKENS, person=person.id)
            if count >= TOKENS_MAX:
                raise TooManyTokens(f"an account has at most {TOKENS_MAX} tokens; revoke one first")
            database.change(ISSUE, **row, created=_text(at), scopes=" ".join(kept), expires=until)
        return token, secret

    def bearer(self, secret: str, at: datetime) -> Bearer | None:
        """Who comes with the token; nobody once it has ended."""
        row = self._store.row(BEARER, digest=digest(secret), at=_text(at))
        if row is None:
            return None
        *person, scopes, used = row
        if is_old(used, at):
            with self._store.writing() as database:
                database.change(NOTE_TOKEN, at=_text(at), digest=digest(secret))
        return Bearer(person_of(*person), frozenset(scope for scope in SCOPES if scope in scopes.split()))

    def tokens(self, person_id: str, limit: int = LIMIT, before: int | None = None) -> Page[Token]:
        """A person's tokens, the newest first; those that have ended too, until they are revoked."""
        rows = self._store.rows(LIST_TOKENS, person=person_id, end=end_of(before), limit=limit + 1)
        page = page_of(rows, limit, lambda row: int(row[0]))
        return page.of([token_of(*row[1:]) for row in page.items])

    def revoke_token(self, person_id: str, token_id: str) -> None:
        with self._store.writing() as database:
            if database.change(REVOKE, id=token_id, person=person_id) == 0:
                raise NoSuchToken(f"you have no token {token_id!r}")


def shut_out(database: Database, person_id: str) -> None:
    """Whoever holds a session or a token of the person has to sign in again."""
    database.change(END_OF_PERSON, person=person_id)
    database.change(REVOKE_ALL, person=person_id)


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
