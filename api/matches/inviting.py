"""The door to invitations: who may invite to a private table, and who comes by an invitation."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from litestar import Request
from litestar.di import NamedDependency

from api.http.clock import now
from api.http.guards import Caller
from api.matches.invitations import INVITATIONS, InvitationRefused, Invitations, InvitationUnknown
from api.matches.service import MatchService
from api.matches.wire import Invitation
from domain.matches.aggregate import Match, seat_of
from domain.matches.errors import NotSeated
from projections.platform.paging import LIMIT, Page


@dataclass(frozen=True)
class InvitationService:
    """Invitations to private tables, for one caller."""

    matches: MatchService
    invitations: Invitations
    caller: Caller

    async def invite(self, match_id: UUID) -> tuple[Invitation, str]:
        """A new invitation and its secret, which is shown this once."""
        match = await self.require_own(match_id)
        if match.table.public:
            raise InvitationRefused(f"the match {match_id} is public: everybody may look at it by its address")
        return await asyncio.to_thread(self.invitations.create, match_id, self.caller.actor, now())

    async def list(self, match_id: UUID, limit: int = LIMIT, before: int | None = None) -> Page[Invitation]:
        """The invitations to a table that are good, the newest first."""
        await self.require_own(match_id)
        return self.invitations.of_match(match_id, limit, before)

    async def take_back(self, match_id: UUID, invitation: str) -> None:
        """It is good no longer; who came by it and does not sit there has to be invited again."""
        await self.require_own(match_id)
        await asyncio.to_thread(self.invitations.take_back, match_id, invitation)

    def require_good(self, secret: str) -> None:
        """`InvitationUnknown` where no invitation has this secret."""
        if not self.invitations.is_good(secret):
            raise InvitationUnknown("there is no such invitation, or it was taken back")

    async def accept(self, secret: str, person: str) -> UUID:
        """The table of the invitation, which from now on this person may look at and sit down at."""
        return await asyncio.to_thread(self.invitations.accept, secret, person)

    async def require_own(self, match_id: UUID) -> Match:
        """The match, if the caller sits there or has opened it."""
        match, actor = await self.matches.reading.get(match_id), self.caller.actor
        if seat_of(match, actor) is None and actor != match.opened_by:
            raise NotSeated(f"only who sits at the match {match_id}, or has opened it, invites to it")
        return match


def provide_invitations(
    request: Request[Caller, Any, Any], caller: NamedDependency[Caller], matches: NamedDependency[MatchService]
) -> InvitationService:
    return InvitationService(matches, INVITATIONS.of(request), caller)
