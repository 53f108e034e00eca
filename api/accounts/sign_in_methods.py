"""Sign-in methods other than passwords: passkeys, identities at a provider, and their ceremonies.

The last sign-in method of an account cannot be removed.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Literal

import msgspec
from sqlalchemy import and_, bindparam, delete, func, null, select, update

from api.accounts.access import LABEL_LENGTH_MAX, end_all_access
from api.accounts.store import Store
from api.accounts.tables.accounts import CEREMONIES, IDENTITIES, PASSKEYS, PEOPLE
from api.http.digests import digest
from projections.platform.database import ConstraintViolated, Database
from projections.platform.statements import insert_row

Kind = Literal["add passkey", "use passkey", "ask provider", "choose name"]
MINUTES: Final[Mapping[Kind, int]] = {"add passkey": 5, "use passkey": 5, "ask provider": 15, "choose name": 15}
"""Minutes until a ceremony expires; a provider has its sign-in, and choosing a name takes thought."""
PASSKEYS_MAX: Final = 20
"""Maximum number of passkeys of an account."""

BEGIN: Final = insert_row(CEREMONIES)
FIND_CEREMONY: Final = select(CEREMONIES.c.person, CEREMONIES.c.facts).where(
    CEREMONIES.c.digest == bindparam("digest"),
    CEREMONIES.c.kind == bindparam("kind"),
    CEREMONIES.c.expires >= bindparam("at"),
)
FINISH: Final = delete(CEREMONIES).where(CEREMONIES.c.digest == bindparam("digest"))
FORGET_EXPIRED: Final = delete(CEREMONIES).where(CEREMONIES.c.expires < bindparam("at"))

HAS_CREDENTIAL: Final = PASSKEYS.c.credential == bindparam("credential")
OF_OWNER: Final = PASSKEYS.c.person == bindparam("person")
IN_DOMAIN: Final = PASSKEYS.c.domain == bindparam("domain")
COUNT_PASSKEYS: Final = select(func.count()).where(OF_OWNER)
ADD_PASSKEY: Final = insert_row(
    PASSKEYS, "id", "credential", "person", "domain", "label", "public_key", "sign_count", "created"
)
KEY: Final = select(PASSKEYS.c.person, PASSKEYS.c.public_key, PASSKEYS.c.sign_count).where(HAS_CREDENTIAL, IN_DOMAIN)
NOTE_PASSKEY: Final = (
    update(PASSKEYS)
    .where(HAS_CREDENTIAL, PASSKEYS.c.sign_count == bindparam("known"))
    .values(sign_count=bindparam("sign_count"), used=bindparam("at"))
)
LIST_PASSKEYS: Final = (
    select(PASSKEYS.c.id, PASSKEYS.c.label, PASSKEYS.c.created, PASSKEYS.c.used, PASSKEYS.c.domain)
    .where(OF_OWNER)
    .order_by(PASSKEYS.c.rowid.desc())
)
CREDENTIALS: Final = select(PASSKEYS.c.credential).where(OF_OWNER, IN_DOMAIN).order_by(PASSKEYS.c.rowid)
REMOVE_PASSKEY: Final = delete(PASSKEYS).where(PASSKEYS.c.id == bindparam("id"), OF_OWNER)

HAS_IDENTITY: Final = IDENTITIES.c.person == bindparam("person")
AT_ISSUER: Final = IDENTITIES.c.issuer == bindparam("issuer")
IS_IDENTITY: Final = and_(AT_ISSUER, IDENTITIES.c.subject == bindparam("subject"))
ADD_IDENTITY: Final = insert_row(IDENTITIES)
IDENTIFY: Final = select(IDENTITIES.c.person).where(IS_IDENTITY)
NOTE_IDENTITY: Final = update(IDENTITIES).where(IS_IDENTITY).values(used=bindparam("at"))
LIST_IDENTITIES: Final = (
    select(IDENTITIES.c.id, IDENTITIES.c.issuer, IDENTITIES.c.subject, IDENTITIES.c.created, IDENTITIES.c.used)
    .where(HAS_IDENTITY)
    .order_by(IDENTITIES.c.rowid.desc())
)
UNLINK: Final = delete(IDENTITIES).where(IDENTITIES.c.id == bindparam("id"), HAS_IDENTITY)

IS_PERSON: Final = PEOPLE.c.id == bindparam("person")
HAS_PASSWORD: Final = select(PEOPLE.c.password.is_not(None)).where(IS_PERSON)
REMOVE_PASSWORD: Final = update(PEOPLE).where(IS_PERSON).values(password=null())
COUNT_METHODS: Final = select(
    select(func.count(PEOPLE.c.password)).where(IS_PERSON).scalar_subquery()
    + select(func.count()).where(OF_OWNER, IN_DOMAIN).scalar_subquery()
    + select(func.count()).where(HAS_IDENTITY, AT_ISSUER).scalar_subquery()
)


class NoSuchCeremony(Exception):
    """The ceremony is unknown to the browser, or has expired or finished."""


class PasskeyWrong(Exception):
    """The passkey is unknown, or its signature is invalid."""


class PasskeyRefused(Exception):
    """The passkey cannot be added."""


class NoSuchPasskey(Exception):
    """The person has no passkey with this id."""


class NoSuchIdentity(Exception):
    """The person has no identity with this id."""


class IdentityTaken(Exception):
    """Another account has this identity."""


class LastSignInMethod(Exception):
    """Removing it would leave the account without a sign-in method."""


class Ceremony(msgspec.Struct, frozen=True):
    """A pending ceremony: the person who began it, and its secret facts."""

    person_id: str | None
    facts: Mapping[str, str]


class NewPasskey(msgspec.Struct, frozen=True):
    """A new passkey; credential and public key are base64url."""

    credential: str
    public_key: str
    sign_count: int


class Key(msgspec.Struct, frozen=True):
    """The public key of a passkey and its owner."""

    person_id: str
    public_key: str
    sign_count: int


class Passkey(msgspec.Struct, frozen=True, rename="camel"):
    """A passkey in a list."""

    id: str
    label: str
    created: datetime
    used: datetime | None
    domain: str
    """The domain it was created for; it is valid nowhere else."""


class Identity(msgspec.Struct, frozen=True):
    """An identity at a provider: issuer and subject, which never change. A mail address is not one."""

    issuer: str
    subject: str


class LinkedIdentity(msgspec.Struct, frozen=True, rename="camel"):
    """An identity of an account in a list."""

    id: str
    issuer: str
    subject: str
    created: datetime
    used: datetime | None


class SignInMethods(Store):
    """Passkeys, identities and ceremonies.

    Passkeys of another domain and identities at a former provider are kept, but do not count as sign-in methods.
    """

    def __init__(self, location: Path | str, domain: str, issuer: str) -> None:
        super().__init__(location)
        self._domain = domain
        self._issuer = issuer

    def begin_ceremony(self, kind: Kind, person_id: str | None, facts: Mapping[str, str], at: datetime) -> str:
        """Begin a ceremony that expires after the minutes for its kind.

        Return its secret, of which only a digest is stored. Expired ceremonies are deleted.
        """
        secret = secrets.token_urlsafe(32)
        expires = (at + timedelta(minutes=MINUTES[kind])).isoformat()
        row = {"digest": digest(secret), "kind": kind, "facts": msgspec.json.encode(facts).decode()}
        with self.transaction() as database:
            database.change(FORGET_EXPIRED, at=at.isoformat())
            database.change(BEGIN, **row, person=person_id, expires=expires)
        return secret

    def find_ceremony(self, kind: Kind, secret: str, at: datetime) -> Ceremony:
        """Return the ceremony, which stays open; raise `NoSuchCeremony` if there is none, or it expired or finished."""
        row = self.row(FIND_CEREMONY, digest=digest(secret), kind=kind, at=at.isoformat())
        if row is None:
            raise NoSuchCeremony("nothing was started in this browser, or it has expired or finished")
        return Ceremony(row[0], msgspec.json.decode(row[1], type=dict[str, str]))

    def finish_ceremony(self, kind: Kind, secret: str, at: datetime) -> Ceremony:
        """Finish the ceremony and return it.

        Raises `NoSuchCeremony` if there is none, and for one of two concurrent calls.
        """
        ceremony = self.find_ceremony(kind, secret, at)
        with self.transaction() as database:
            if database.change(FINISH, digest=digest(secret)) == 0:
                raise NoSuchCeremony("already finished in this browser")
        return ceremony

    def store_passkey(self, person_id: str, new_passkey: NewPasskey, label: str, at: datetime) -> Passkey:
        """Store a new passkey of a person; raise `PasskeyRefused` at `PASSKEYS_MAX` or if it is known already."""
        passkey = Passkey(secrets.token_hex(8), label[:LABEL_LENGTH_MAX], at, None, self._domain)
        row = {"id": passkey.id, "person": person_id, "domain": passkey.domain, "label": passkey.label}
        with self.transaction() as database:
            ((count,),) = database.rows(COUNT_PASSKEYS, person=person_id)
            if count >= PASSKEYS_MAX:
                raise PasskeyRefused(f"an account has at most {PASSKEYS_MAX} passkeys")
            try:
                database.change(ADD_PASSKEY, **row, **msgspec.structs.asdict(new_passkey), created=at.isoformat())
            except ConstraintViolated as error:
                raise PasskeyRefused("this passkey is already registered") from error
        return passkey

    def key(self, credential: str) -> Key:
        """Return the public key of a credential; raise `PasskeyWrong` if it is unknown in the current domain."""
        row = self.row(KEY, credential=credential, domain=self._domain)
        if row is None:
            raise PasskeyWrong("unknown passkey")
        return Key(*row)

    def note_use(self, credential: str, key: Key, sign_count: int, at: datetime) -> None:
        """Record a use with its sign count; of two concurrent uses one raises `PasskeyWrong`."""
        use = {"credential": credential, "known": key.sign_count, "sign_count": sign_count, "at": at.isoformat()}
        with self.transaction() as database:
            if database.change(NOTE_PASSKEY, **use) == 0:
                raise PasskeyWrong("the passkey was used elsewhere or removed at the same time")

    def passkeys(self, person_id: str) -> tuple[Passkey, ...]:
        """Return a person's passkeys, of former domains too, latest first, unpaginated because there are few."""
        return tuple(
            Passkey(id, label, datetime.fromisoformat(created), _time(used_at), domain)
            for id, label, created, used_at, domain in self.rows(LIST_PASSKEYS, person=person_id)
        )

    def credentials(self, person_id: str) -> tuple[str, ...]:
        """Return the credential ids of the person's passkeys in the current domain."""
        return tuple(row[0] for row in self.rows(CREDENTIALS, person=person_id, domain=self._domain))

    def remove_passkey(self, person_id: str, passkey_id: str) -> None:
        """Remove a passkey; raise `LastSignInMethod` if the account has no other sign-in method.

        Raises `NoSuchPasskey` if it is unknown.
        """
        with self.transaction() as database:
            if database.change(REMOVE_PASSKEY, id=passkey_id, person=person_id) == 0:
                raise NoSuchPasskey(f"unknown passkey {passkey_id!r}")
            self._require_other_method(database, person_id, "this passkey")

    def identify(self, identity: Identity, at: datetime) -> str | None:
        """Return the id of the person with the identity and record its use; None if unknown."""
        with self.transaction() as database:
            rows = database.rows(IDENTIFY, **msgspec.structs.asdict(identity))
            if rows:
                database.change(NOTE_IDENTITY, **msgspec.structs.asdict(identity), at=at.isoformat())
        return str(rows[0][0]) if rows else None

    def link(self, person_id: str, identity: Identity, at: datetime) -> None:
        """Add an identity to a person, unless they have it; raise `IdentityTaken` if it belongs to another."""
        with self.transaction() as database:
            if database.rows(IDENTIFY, **msgspec.structs.asdict(identity)) != [(person_id,)]:
                store_identity(database, person_id, identity, at)

    def identities(self, person_id: str) -> tuple[LinkedIdentity, ...]:
        """Return a person's identities, of former providers too, latest first."""
        return tuple(
            LinkedIdentity(id, issuer, subject, datetime.fromisoformat(created), _time(used_at))
            for id, issuer, subject, created, used_at in self.rows(LIST_IDENTITIES, person=person_id)
        )

    def unlink(self, person_id: str, identity_id: str) -> None:
        """Remove an identity; raise `LastSignInMethod` if the account has no other sign-in method.

        Raises `NoSuchIdentity` if it is unknown.
        """
        with self.transaction() as database:
            if database.change(UNLINK, id=identity_id, person=person_id) == 0:
                raise NoSuchIdentity(f"unknown identity {identity_id!r}")
            self._require_other_method(database, person_id, "this identity")

    def has_password(self, person_id: str) -> bool:
        """Return whether the person has a password."""
        row = self.row(HAS_PASSWORD, person=person_id)
        return row is not None and bool(row[0])

    def remove_password(self, person_id: str) -> None:
        """Remove the password, end all sessions and revoke all tokens.

        Raises `LastSignInMethod` if the account has no other sign-in method.
        """
        with self.transaction() as database:
            database.change(REMOVE_PASSWORD, person=person_id)
            self._require_other_method(database, person_id, "the password")
            end_all_access(database, person_id)

    def _require_other_method(self, database: Database, person_id: str, removed: str) -> None:
        """Raise `LastSignInMethod` if the account has no sign-in method left, which rolls the removal back."""
        ((count,),) = database.rows(COUNT_METHODS, person=person_id, domain=self._domain, issuer=self._issuer)
        if count == 0:
            raise LastSignInMethod(f"{removed} is the only way to sign in to the account; add another one first")


def store_identity(database: Database, person_id: str, identity: Identity, at: datetime) -> None:
    """Store an identity, inside the transaction that creates its account.

    Raises `IdentityTaken` if another account has it.
    """
    row = {"id": secrets.token_hex(8), "person": person_id, "created": at.isoformat(), "used": at.isoformat()}
    try:
        database.change(ADD_IDENTITY, **row, **msgspec.structs.asdict(identity))
    except ConstraintViolated as error:
        raise IdentityTaken("another account already uses this identity") from error


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
