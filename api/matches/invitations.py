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

from api.accounts.store import Store
from api.http.app_state import AppKey
from api.http.digests import digest
from api.matches.wire import Invitation
from projections.platform.paging import LIMIT, Page, end_of, page_of

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
        with self._writing() as database:
            ((count,),) = database.rows("SELECT count(*) FROM invitations WHERE match_id = ?", (str(match_id),))
            if count >= INVITATIONS_MAX:
                raise InvitationRefused(f"the match {match_id} has {count} invitations already; take one back first")
            row = (made.id, digest(secret), str(match_id), person, at.isoformat())
            database.change(
                "INSERT INTO invitations (id, digest, match_id, person, created) VALUES (?, ?, ?, ?, ?)", row
            )
        return made, secret

    def bring(self, match_id: UUID, person: str, others: Iterable[str], at: datetime) -> None:
        """People whom somebody brings along come without a link: nobody is told the secret of the invitation."""
        made = secrets.token_hex(8)
        row = (made, digest(secrets.token_urlsafe(SECRET_BYTES)), str(match_id), person, at.isoformat())
        with self._writing() as database:
            database.change(
                "INSERT INTO invitations (id, digest, match_id, person, created) VALUES (?, ?, ?, ?, ?)", row
            )
            sql = "INSERT INTO invited (match_id, person, invitation) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            database.change_all(sql, ((str(match_id), other, made) for other in others))

    def of_match(self, match_id: UUID, limit: int = LIMIT, before: int | None = None) -> Page[Invitation]:
        """The invitations to a table that are good, the newest first."""
        sql = (
            "SELECT rowid, id, person, created, (SELECT count(*) FROM invited WHERE invitation = invitations.id)"
            " FROM invitations WHERE match_id = ? AND rowid < ? ORDER BY rowid DESC LIMIT ?"
        )
        page = page_of(self._rows(sql, str(match_id), end_of(before), limit + 1), limit, lambda row: int(row[0]))
        return page.of(
            [
                Invitation(id, match_id, person, datetime.fromisoformat(created), used)
                for _, id, person, created, used in page.items
            ]
        )

    def take_back(self, match_id: UUID, invitation: str) -> None:
        """It is good no longer, neither for those who have come by it."""
        with self._writing() as database:
            sql = "DELETE FROM invitations WHERE id = ? AND match_id = ?"
            if database.change(sql, (invitation, str(match_id))) == 0:
                raise InvitationUnknown(f"the match {match_id} has no invitation {invitation!r}")

    def accept(self, secret: str, person: str) -> UUID:
        """The table that the secret opens, from now on to this person too."""
        with self._writing() as database:
            sql = "SELECT id, match_id FROM invitations WHERE digest = ?"
            rows = database.rows(sql, (digest(secret),))
            if not rows:
                raise InvitationUnknown("there is no such invitation, or it was taken back")
            ((invitation, match_id),) = rows
            sql = "INSERT INTO invited (match_id, person, invitation) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            database.change(sql, (match_id, person, invitation))
        return UUID(match_id)

    def is_good(self, secret: str) -> bool:
        """Whether an invitation has this secret."""
        return self._row("SELECT 1 FROM invitations WHERE digest = ?", digest(secret)) is not None

    def is_invited(self, match_id: UUID, person: str) -> bool:
        """Whether the person has come by an invitation to the table that is still good."""
        return self._row("SELECT 1 FROM invited WHERE match_id = ? AND person = ?", str(match_id), person) is not None


INVITATIONS: Final = AppKey[Invitations]("invitations")
