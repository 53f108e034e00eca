"""The salts of commitments to names of accounts; each is erased with its account (`domain/keys/names.py`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from api.accounts import statements
from api.accounts.people import People
from domain.keys.names import name_commitment
from domain.matches.entropy import system_entropy

PAGE: Final = 1_000


class SaltedName(NamedTuple):
    """An account with its name and the salt of the commitment to it, None without one."""

    person: str
    name: str
    salt: bytes | None


def list_uncommitted(people: People) -> list[tuple[str, str]]:
    """Return ids and names of up to `PAGE` accounts, guests excepted, without a recorded commitment."""
    return [(id, name) for id, name in people.rows_in_background(statements.UNCOMMITTED, limit=PAGE)]


def list_salted(people: People) -> Iterator[SaltedName]:
    """Yield all accounts in the order of their ids, read in pages."""
    after = ""
    while rows := people.rows_in_background(statements.LIST_WITH_SALTS, after=after, limit=PAGE):
        yield from (salted_name(*row) for row in rows)
        after = rows[-1][0]


def find_salted(people: People, person: str) -> SaltedName | None:
    """Return an account, or None if there is none with this id."""
    return next((salted_name(*row) for row in people.rows_in_background(statements.WITH_SALT, person=person)), None)


def salted_name(person: str, name: str, salt: str | None) -> SaltedName:
    """Return an account from its row; the salt is stored in hexadecimal."""
    return SaltedName(person, name, None if salt is None else bytes.fromhex(salt))


def commit_to_name(people: People, person: str, name: str) -> str | None:
    """Return the commitment (hex) to the name of an account, or None if it has been erased.

    A missing salt is created and stored.
    """
    salt = secret_of(people, person, statements.NAME_SALT)
    return None if salt is None else name_commitment(bytes.fromhex(salt), person, name)


def note_commitment(people: People, person: str) -> None:
    """Note that the commitment to the name of an account is recorded, unless it has been erased."""
    secret_of(people, person, statements.NAME_COMMITTED)


def secret_of(people: People, person: str, prefix: str) -> str | None:
    """Return a random secret (hex) of an account, created on first use, or None if the account has been erased.

    Its name is the prefix and the id. The erasure removes it, and a request after that does not create it again.
    """
    name = f"{prefix}{person}"
    with people.transaction() as database:
        if not database.rows(statements.NAME, person=person):
            return None
        database.change(statements.ADD_SECRET, name=name, value=system_entropy(32, f"secret/{name}").hex())
    return people.find_secret(name)
