"""The secret words in the addresses of people's calendars, in the accounts database.

The address has a signed token of the person and the word; a new word makes earlier addresses invalid.
"""

from __future__ import annotations

import secrets
from typing import Final

from sqlalchemy import bindparam, delete, select

from api.accounts.store import Store
from api.accounts.tables.contests import CALENDARS
from api.http.app_state import AppKey
from domain.matches.facts import Actor
from projections.platform.statements import upsert

WORD_BYTES: Final = 16
OF_PERSON: Final = CALENDARS.c.person == bindparam("person")
READ: Final = select(CALENDARS.c.word).where(OF_PERSON)
WRITE: Final = upsert(CALENDARS)
FORGET: Final = delete(CALENDARS).where(OF_PERSON)


class CalendarStore(Store):
    """One secret word for each person who has a calendar address."""

    def word_of(self, person: Actor) -> str:
        """Return the word of a person, or "" without an address."""
        row = self.row(READ, person=person)
        return "" if row is None else str(row[0])

    def renew(self, person: Actor) -> str:
        """Give a person a new word, and return it."""
        word = secrets.token_urlsafe(WORD_BYTES)
        with self.transaction() as database:
            database.change(WRITE, person=person, word=word)
        return word

    def remove(self, person: Actor) -> None:
        """Remove the word of a person, if any."""
        with self.transaction() as database:
            database.change(FORGET, person=person)


CALENDAR_STORE: Final = AppKey[CalendarStore]("calendars")
