"""Passwords and lists of names for entry, in the accounts database; erasing a person removes them from all lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from sqlalchemy import bindparam, delete, select

from api.accounts.store import Store
from api.accounts.tables.contests import ENTRY_LISTS, ENTRY_PASSWORDS
from domain.matches.facts import Actor
from projections.platform.statements import insert_row, upsert

OF_CONTEST: Final = ENTRY_LISTS.c.contest == bindparam("contest")
READ_LIST: Final = select(ENTRY_LISTS.c.person).where(OF_CONTEST).order_by(ENTRY_LISTS.c.person)
FIND_LISTED: Final = READ_LIST.where(ENTRY_LISTS.c.person == bindparam("person"))
LISTS_WITH: Final = (
    select(ENTRY_LISTS.c.contest).where(ENTRY_LISTS.c.person == bindparam("person")).order_by(ENTRY_LISTS.c.contest)
)
EMPTY_LIST: Final = delete(ENTRY_LISTS).where(OF_CONTEST)
LIST: Final = insert_row(ENTRY_LISTS)
HAS_PASSWORD: Final = ENTRY_PASSWORDS.c.contest == bindparam("contest")
READ_PASSWORD: Final = select(ENTRY_PASSWORDS.c.password).where(HAS_PASSWORD)
STORE_PASSWORD: Final = upsert(ENTRY_PASSWORDS)
FORGET_PASSWORD: Final = delete(ENTRY_PASSWORDS).where(HAS_PASSWORD)


class ContestStore(Store):
    """Passwords, as hashes, and lists of names, by contest."""

    def password_of(self, contest: UUID) -> str | None:
        """Return the hash of a contest's password, or None."""
        row = self.row(READ_PASSWORD, contest=str(contest))
        return None if row is None else str(row[0])

    def set_password(self, contest: UUID, hashed: str | None) -> None:
        """Replace the password of a contest; None removes it."""
        with self.transaction() as database:
            if hashed is None:
                database.change(FORGET_PASSWORD, contest=str(contest))
            else:
                database.change(STORE_PASSWORD, contest=str(contest), password=hashed)

    def is_listed(self, contest: UUID, person: Actor) -> bool:
        """Return whether a person is on the list of a contest."""
        return self.row(FIND_LISTED, contest=str(contest), person=person) is not None

    def list_of(self, contest: UUID) -> tuple[Actor, ...]:
        """Return the people on the list of a contest, sorted."""
        return tuple(row[0] for row in self.rows(READ_LIST, contest=str(contest)))

    def lists_with(self, person: Actor) -> tuple[UUID, ...]:
        """Return the contests on whose list a person is, sorted."""
        return tuple(UUID(row[0]) for row in self.rows(LISTS_WITH, person=person))

    def set_list(self, contest: UUID, people: Iterable[Actor]) -> None:
        """Replace the list of a contest."""
        with self.transaction() as database:
            database.change(EMPTY_LIST, contest=str(contest))
            rows = [{"contest": str(contest), "person": person} for person in sorted(set(people))]
            database.change_all(LIST, rows)
