"""Invitations to private tables: a secret that a link carries, and the people who have come by one.

They stand in the store of people, not in a log: an invitation is taken back, and a person erased, without a trace. Of a
secret the store keeps the digest.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import bindparam, delete, func, select

from api.accounts.store import Store
from api.accounts.tables.matches import INVITATIONS as TABLE
from api.accounts.tables.matches import INVITED
from api.http.app_state import AppKey
from api.http.digests import digest
from api.matches.wire import Invitation
from projections.platform.paging import LIMIT, Page, end_of, page_of
from projections.platform.statements import insert_new, insert_row

OF_MATCH: Final = TABLE.c.match_id == bindparam("match_id")
COUNT: Final = select(func.count()).where(OF_MATCH)
ADD: Final = insert_row(TABLE, "id", "digest", "match_id", "person", "created")
INVITE: Final = insert_new(INVITED)
USE_COUNT: Final = select(func.count()).where(INVITED.c.invitation == TABLE.c.id).scalar_subquery()
LIST: Final = (
    select(TABLE.c.rowid, TABLE.c.id, TABLE.c.person, TABLE.c.created, USE_COUNT)
    .where(OF_MATCH, TABLE.c.rowid < bindparam("end"))
    .order_by(TABLE.c.rowid.desc())
    .limit(bindparam("limit"))
)
TAKE_BACK: Final = delete(TABLE).where(TABLE.c.id == bindparam("id"), OF_MATCH)
WITH_SECRET: Final = select(TABLE.c.id, TABLE.c.match_id).where(TABLE.c.digest == bindparam("digest"))
INVITED_TO: Final = select(INVITED.c.person).where(
    INVITED.c.match_id == bindparam("match_id"), INVITED.c.person == bindparam("person")
)

SECRET_BYTES: Final = 24
INVITATIONS_MAX: Final = 20
"""The most invitations to one table that are good at the same time."""


class InvitationUnknown(Exception):
    """No invitation has this secret or id, or it was taken back."""


class InvitationRefused(Exception):
    """Nobody can be invited to this table, or there are too many invitations to it."""


class Invitations(Store):
    """The invitations in the store of people."""

    def create(self, match_id: UUID, person: str, at: datetime) -> tuple[Invitation, str]:
        """A new invitation and its secret, which is shown this once."""
        made = Invitation(secrets.token_hex(8), match_id, person, at, 0)
        secret = secrets.token_urlsafe(SECRET_BYTES)
        with self.writing() as database:
            ((count,),) = database.rows(COUNT, match_id=str(match_id))
            if count >= INVITATIONS_MAX:
                raise InvitationRefused(f"the match {match_id} has {count} invitations already; take one back first")
            database.change(ADD, **row_of(made, secret))
        return made, secret

    def bring(self, match_id: UUID, person: str, others: Iterable[str], at: datetime) -> None:
        """People whom somebody brings along come without a link: nobody is told the secret of the invitation."""
        made = Invitation(secrets.token_hex(8), match_id, person, at, 0)
        with self.writing() as database:
            database.change(ADD, **row_of(made, secrets.token_urlsafe(SECRET_BYTES)))
            rows = ({"match_id": str(match_id), "person": other, "invitation": made.id} for other in others)
            database.change_all(INVITE, rows)

    def of_match(self, match_id: UUID, limit: int = LIMIT, before: int | None = None) -> Page[Invitation]:
        """The invitations to a table that are good, the newest first."""
        rows = self.rows(LIST, match_id=str(match_id), end=end_of(before), limit=limit + 1)
        page = page_of(rows, limit, lambda row: int(row[0]))
        return page.of(
            [
                Invitation(id, match_id, person, datetime.fromisoformat(created), used)
                for _, id, person, created, used in page.items
            ]
        )

    def take_back(self, match_id: UUID, invitation: str) -> None:
        """It is good no longer, neither for those who have come by it."""
        with self.writing() as database:
            if database.change(TAKE_BACK, id=invitation, match_id=str(match_id)) == 0:
                raise InvitationUnknown(f"the match {match_id} has no invitation {invitation!r}")

    def accept(self, secret: str, person: str) -> UUID:
        """The table that the secret opens, from now on to this person too."""
        with self.writing() as database:
            rows = database.rows(WITH_SECRET, digest=digest(secret))
            if not rows:
                raise InvitationUnknown("there is no such invitation, or it was taken back")
            ((invitation, match_id),) = rows
            database.change(INVITE, match_id=match_id, person=person, invitation=invitation)
        return UUID(match_id)

    def is_good(self, secret: str) -> bool:
        """Whether an invitation has this secret."""
        return self.row(WITH_SECRET, digest=digest(secret)) is not None

    def is_invited(self, match_id: UUID, person: str) -> bool:
        """Whether the person has come by an invitation to the table that is still good."""
        return self.row(INVITED_TO, match_id=str(match_id), person=person) is not None


def row_of(made: Invitation, secret: str) -> dict[str, str]:
    """Return the row of a new invitation."""
    return {
        "id": made.id,
        "digest": digest(secret),
        "match_id": str(made.match_id),
        "person": made.person,
        "created": made.created.isoformat(),
    }


INVITATIONS: Final = AppKey[Invitations]("invitations")
