"""Invitations to private tables: links with a secret, and the people who accepted them.

They are stored with people, not in a log, so that invitations and people can be erased without a trace. Only the digest
of a secret is stored.
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
from api.matches.schemas import Invitation
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
"""Maximum number of valid invitations per table."""


class InvitationUnknown(Exception):
    """No invitation has this secret or id, or it was revoked."""


class InvitationRefused(Exception):
    """The table is public, or has too many invitations."""


class Invitations(Store):
    """The invitations in the database of people."""

    def create(self, match_id: UUID, person: str, at: datetime) -> tuple[Invitation, str]:
        """Create an invitation; return it with its secret, of which only a digest is stored.

        Raises `InvitationRefused` if the table has `INVITATIONS_MAX` invitations already.
        """
        invitation = Invitation(secrets.token_hex(8), match_id, person, at, 0)
        secret = secrets.token_urlsafe(SECRET_BYTES)
        with self.transaction() as database:
            ((count,),) = database.rows(COUNT, match_id=str(match_id))
            if count >= INVITATIONS_MAX:
                raise InvitationRefused(f"match {match_id} already has {count} invitations; withdraw one first")
            database.change(ADD, **invitation_row(invitation, secret))
        return invitation, secret

    def invite_people(self, match_id: UUID, person: str, invited_people: Iterable[str], at: datetime) -> None:
        """Invite people directly, without a link; the secret of the invitation is discarded."""
        invitation = Invitation(secrets.token_hex(8), match_id, person, at, 0)
        with self.transaction() as database:
            database.change(ADD, **invitation_row(invitation, secrets.token_urlsafe(SECRET_BYTES)))
            rows = (
                {"match_id": str(match_id), "person": invited, "invitation": invitation.id}
                for invited in invited_people
            )
            database.change_all(INVITE, rows)

    def of_match(self, match_id: UUID, limit: int = LIMIT, before: int | None = None) -> Page[Invitation]:
        """Return a page of the valid invitations to a table, latest first."""
        rows = self.rows(LIST, match_id=str(match_id), end=end_of(before), limit=limit + 1)
        page = page_of(rows, limit, lambda row: int(row[0]))
        return page.of(
            [
                Invitation(id, match_id, person, datetime.fromisoformat(created), use_count)
                for _, id, person, created, use_count in page.items
            ]
        )

    def revoke(self, match_id: UUID, invitation: str) -> None:
        """Revoke an invitation and the access it granted.

        Raises `InvitationUnknown` if the table has no such invitation.
        """
        with self.transaction() as database:
            if database.change(TAKE_BACK, id=invitation, match_id=str(match_id)) == 0:
                raise InvitationUnknown(f"match {match_id} has no invitation {invitation!r}")

    def accept(self, secret: str, person: str) -> UUID:
        """Accept an invitation for a person and return the id of its table.

        Raises `InvitationUnknown` for a wrong secret. An invitation stays valid for other people.
        """
        with self.transaction() as database:
            rows = database.rows(WITH_SECRET, digest=digest(secret))
            if not rows:
                raise InvitationUnknown("no such invitation, or it was withdrawn")
            ((invitation, match_id),) = rows
            database.change(INVITE, match_id=match_id, person=person, invitation=invitation)
        return UUID(match_id)

    def is_valid(self, secret: str) -> bool:
        """Return whether a valid invitation has this secret."""
        return self.row(WITH_SECRET, digest=digest(secret)) is not None

    def is_invited(self, match_id: UUID, person: str) -> bool:
        """Return whether the person was invited directly, or has accepted a valid invitation to the table."""
        return self.row(INVITED_TO, match_id=str(match_id), person=person) is not None


def invitation_row(invitation: Invitation, secret: str) -> dict[str, str]:
    """Return the values for the table row of a new invitation; the secret is stored as a digest."""
    return {
        "id": invitation.id,
        "digest": digest(secret),
        "match_id": str(invitation.match_id),
        "person": invitation.person,
        "created": invitation.created.isoformat(),
    }


INVITATIONS: Final = AppKey[Invitations]("invitations")
