"""The invitation service: who may invite to a private table, and accepting an invitation."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from litestar import Request
from litestar.di import NamedDependency

from api.http.guards import Caller
from api.matches.invitations import INVITATIONS, InvitationRefused, Invitations, InvitationUnknown
from api.matches.schemas import Invitation
from api.matches.service import MatchService
from domain.matches.aggregate import Match, seat_of
from domain.matches.errors import NotSeated
from projections.platform.clock import now
from projections.platform.paging import LIMIT, Page


@dataclass(frozen=True)
class InvitationService:
    """Invitations to private tables, for one caller."""

    matches: MatchService
    invitations: Invitations
    caller: Caller

    async def invite(self, match_id: UUID) -> tuple[Invitation, str]:
        """Create an invitation; return it with its secret, which is not stored.

        Raises `NotSeated` unless the caller sits there or opened the table, `InvitationRefused` if it is public.
        """
        match = await self.require_own_table(match_id)
        if match.table.public:
            raise InvitationRefused(f"match {match_id} is public: everyone can view it without an invitation")
        return await asyncio.to_thread(self.invitations.create, match_id, self.caller.actor, now())

    async def list(self, match_id: UUID, limit: int = LIMIT, before: int | None = None) -> Page[Invitation]:
        """Return a page of the valid invitations to a table, latest first.

        Raises `NotSeated` unless the caller sits there or opened the table.
        """
        await self.require_own_table(match_id)
        return self.invitations.of_match(match_id, limit, before)

    async def revoke(self, match_id: UUID, invitation: str) -> None:
        """Revoke an invitation; people who accepted it and have no seat need a new one.

        Raises `NotSeated` unless the caller sits there or opened the table, `InvitationUnknown` without such an
        invitation.
        """
        await self.require_own_table(match_id)
        await asyncio.to_thread(self.invitations.revoke, match_id, invitation)

    def require_valid(self, secret: str) -> None:
        """Raise `InvitationUnknown` if no valid invitation has this secret."""
        if not self.invitations.is_valid(secret):
            raise InvitationUnknown("no such invitation, or it was withdrawn")

    async def accept(self, secret: str, person: str) -> UUID:
        """Give a person access to the table of an invitation and return its id; raise `InvitationUnknown`."""
        return await asyncio.to_thread(self.invitations.accept, secret, person)

    async def require_own_table(self, match_id: UUID) -> Match:
        """Return the match if the caller has a seat there or opened it; raise `NotSeated` otherwise."""
        match, actor = await self.matches.reading.get(match_id), self.caller.actor
        if seat_of(match, actor) is None and actor != match.opened_by:
            raise NotSeated(f"only players and the creator of match {match_id} can invite to it")
        return match


def provide_invitations(
    request: Request[Caller, Any, Any], caller: NamedDependency[Caller], matches: NamedDependency[MatchService]
) -> InvitationService:
    """Return the invitation service for the caller."""
    return InvitationService(matches, INVITATIONS.of(request), caller)
