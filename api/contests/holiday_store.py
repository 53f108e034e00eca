"""The holidays that people announced for all of their correspondence tables, in the accounts database.

A holiday is stored before it reaches the tables, so that a killed process loses none: the duty of the service applies
the stored ones again.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from sqlalchemy import bindparam, select, update

from api.accounts.store import Store
from api.accounts.tables.contests import HOLIDAYS
from domain.contests.holiday_errors import HolidayAnnounced, NoHoliday
from domain.contests.holiday_plans import Holiday, day_of
from domain.kernel.values import replace
from domain.matches.facts import Actor
from domain.matches.play.absences import MICROSECONDS, Declared
from projections.platform.database import Row
from projections.platform.statements import insert_row

COLUMNS: Final = HOLIDAYS.c
OF_PERSON: Final = COLUMNS.person == bindparam("person")
READ: Final = select(HOLIDAYS).order_by(COLUMNS.first, COLUMNS.id)
READ_PERSON: Final = READ.where(OF_PERSON)
READ_PENDING: Final = READ_PERSON.where(COLUMNS.ended == 0, COLUMNS.last > bindparam("now"))
READ_OPEN: Final = READ.where(COLUMNS.is_applied == 0, COLUMNS.last > bindparam("now"))
WRITE: Final = insert_row(HOLIDAYS)
IS_ONE: Final = COLUMNS.id == bindparam("id")
END: Final = update(HOLIDAYS).where(IS_ONE).values(ended=bindparam("ended"), end_signature=bindparam("end_signature"))
APPLIED: Final = update(HOLIDAYS).where(IS_ONE).values(is_applied=1)


class StoredHoliday(Holiday, frozen=True):
    """A holiday of a person; `ended`: when it was ended early (seconds), or 0.

    With a signing key, `signature` is the person's declaration of the holiday, and `end_signature` the one of its end.
    """

    id: UUID
    person: Actor
    ended: int = 0
    key: str = ""
    signature: str = ""
    end_signature: str = ""

    @property
    def declaration(self) -> Declared | None:
        """The signed declaration of the holiday, if the person signed one."""
        return Declared(self.key, self.signature, self.first, self.last) if self.signature else None

    @property
    def declaration_of_end(self) -> Declared | None:
        """The signed declaration of its end, if the person signed one."""
        signature = self.end_signature
        return Declared(self.key, signature, self.first, self.last, self.ended) if signature else None


class HolidayStore(Store):
    """Announced holidays; each person has at most one current or coming one."""

    def of_person(self, person: Actor) -> tuple[StoredHoliday, ...]:
        """Return all holidays of a person, earliest first."""
        return tuple(holiday_of(row) for row in self.rows(READ_PERSON, person=person))

    def find_pending(self, person: Actor, now: int) -> StoredHoliday | None:
        """Return the holiday of a person that is not over at a time (seconds), if any."""
        row = self.row(READ_PENDING, person=person, now=now)
        return None if row is None else holiday_of(row)

    def list_open(self, now: int) -> tuple[StoredHoliday, ...]:
        """Return the holidays that tables may not have yet, or of which the end has not reached all tables."""
        return tuple(holiday_of(row) for row in self.rows(READ_OPEN, now=now))

    def add(self, holiday: StoredHoliday) -> StoredHoliday:
        """Store a holiday, once; raise `HolidayAnnounced` if another one of the person is not over."""
        with self.transaction() as database:
            rows = database.rows(READ_PENDING, person=holiday.person, now=holiday.announced // MICROSECONDS)
            if rows:
                other = holiday_of(rows[0])
                if other.id == holiday.id:
                    return other
                values: dict[str, int | str] = {"first": day_of(other.first), "last": day_of(other.last)}
                raise HolidayAnnounced(
                    f"you already have a holiday from {day_of(other.first)} to {day_of(other.last)}", values
                )
            database.change(
                WRITE,
                id=str(holiday.id),
                person=holiday.person,
                first=holiday.first,
                last=holiday.last,
                announced=holiday.announced,
                ended=0,
                is_applied=0,
                signing_key=holiday.key,
                signature=holiday.signature,
                end_signature="",
            )
        return holiday

    def end(self, person: Actor, now: int, end_signature: str = "") -> StoredHoliday:
        """End the holiday of a person at a time (seconds), and return it; raise `NoHoliday` without one."""
        with self.transaction() as database:
            rows = database.rows(READ_PENDING, person=person, now=now)
            if not rows:
                raise NoHoliday("you have no holiday that could end")
            holiday = holiday_of(rows[0])
            database.change(END, id=str(holiday.id), ended=now, end_signature=end_signature)
        return replace(holiday, ended=now, end_signature=end_signature)

    def note_applied(self, holiday_id: UUID) -> None:
        """Record that the end of a holiday has reached all tables."""
        with self.transaction() as database:
            database.change(APPLIED, id=str(holiday_id))


def holiday_of(row: Row) -> StoredHoliday:
    """Convert a row."""
    holiday_id, person, first, last, announced, ended, _, key, signature, end_signature = row
    return StoredHoliday(first, last, announced, UUID(holiday_id), person, ended, key, signature, end_signature)
