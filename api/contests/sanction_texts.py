"""The texts of sanctions in the accounts database: reason, appeal and answer; erasing a person deletes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple
from uuid import UUID

from sqlalchemy import bindparam, select, update

from api.accounts.store import Store
from api.accounts.tables.contests import SANCTION_TEXTS as TABLE
from api.http.app_state import AppKey
from domain.matches.facts import Actor
from projections.platform.database import Row
from projections.platform.statements import any_of, insert_row

COLUMNS: Final = TABLE.c
READ: Final = select(
    COLUMNS.id, COLUMNS.person, COLUMNS.series, COLUMNS.reason, COLUMNS.appeal, COLUMNS.answer
).order_by(COLUMNS.id)
WITH_IDS: Final = READ.where(COLUMNS.id.in_(any_of("ids")))
OF_PERSON: Final = READ.where(COLUMNS.person == bindparam("person"))
ADD: Final = insert_row(TABLE)
HAS_ID: Final = COLUMNS.id == bindparam("sanction")
APPEAL: Final = update(TABLE).where(HAS_ID).values(appeal=bindparam("text"))
ANSWER: Final = update(TABLE).where(HAS_ID).values(answer=bindparam("text"))


class SanctionText(NamedTuple):
    """The texts of a sanction; `series`: the key of the series of events that it is about."""

    id: UUID
    person: Actor
    series: str
    reason: str
    appeal: str = ""
    answer: str = ""


def text_of(row: Row) -> SanctionText:
    """Return the texts in a row of `READ`."""
    id, person, series, reason, appeal, answer = row
    return SanctionText(UUID(id), person, series, reason, appeal, answer)


class SanctionTexts(Store):
    """The texts of sanctions."""

    def add(self, text: SanctionText) -> None:
        """Store the reason of a new sanction, before the sanction is recorded."""
        with self.transaction() as database:
            database.change(ADD, **{**text._asdict(), "id": str(text.id)})

    def set_appeal(self, sanction: UUID, text: str) -> None:
        """Store an appeal; nothing happens after the person was erased."""
        with self.transaction() as database:
            database.change(APPEAL, sanction=str(sanction), text=text)

    def set_answer(self, sanction: UUID, text: str) -> None:
        """Store the answer to an appeal; nothing happens after the person was erased."""
        with self.transaction() as database:
            database.change(ANSWER, sanction=str(sanction), text=text)

    def with_ids(self, sanctions: Iterable[UUID]) -> dict[UUID, SanctionText]:
        """Return the texts by sanction, without those whose person was erased."""
        ids = sorted(map(str, sanctions))
        return {found.id: found for found in map(text_of, self.rows(WITH_IDS, ids=ids))} if ids else {}

    def of_person(self, person: Actor) -> tuple[SanctionText, ...]:
        """Return the texts of a person's sanctions."""
        return tuple(map(text_of, self.rows(OF_PERSON, person=person)))


SANCTION_TEXTS: Final = AppKey[SanctionTexts]("sanction_texts")
