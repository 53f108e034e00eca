"""The salts of commitments to names of accounts; each is erased with its account (`domain/keys/names.py`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from api.accounts import statements
from api.accounts.people import People
from domain.keys.names import name_commitment

PAGE: Final = 1_000


class SaltedName(NamedTuple):
    """An account with its name and the salt of the commitment to it, None without one."""

    person: str
    name: str
    salt: bytes | None


def list_uncommitted(people: People) -> list[tuple[str, str]]:
    """Return ids and names of up to `PAGE` accounts, guests excepted, without a recorded commitment."""
    return [(id, name) for id, name in people.rows(statements.UNCOMMITTED, limit=PAGE)]


def list_salted(people: People) -> Iterator[SaltedName]:
    """Yield all accounts in the order of their ids, read in pages."""
    after = ""
    while rows := people.rows(statements.LIST_WITH_SALTS, after=after, limit=PAGE):
        yield from (salted_name(*row) for row in rows)
        after = rows[-1][0]


def find_salted(people: People, person: str) -> SaltedName | None:
    """Return an account, or None if there is none with this id."""
    return next((salted_name(*row) for row in people.rows(statements.WITH_SALT, person=person)), None)


def salted_name(person: str, name: str, salt: str | None) -> SaltedName:
    """Return an account from its row; the salt is stored in hexadecimal."""
    return SaltedName(person, name, None if salt is None else bytes.fromhex(salt))


def commit_to_name(people: People, person: str, name: str) -> str:
    """Return the commitment (hex) to the name of an account; a missing salt is created and stored."""
    salt = bytes.fromhex(people.secret(f"{statements.NAME_SALT}{person}"))
    return name_commitment(salt, person, name)


def note_commitment(people: People, person: str) -> None:
    """Note that the commitment to the name of an account is recorded.

    If the account was erased in the meantime, its new salt and this note are erased too.
    """
    people.secret(f"{statements.NAME_COMMITTED}{person}")
    if find_salted(people, person) is None:
        people.erase(person)
