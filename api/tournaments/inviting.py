"""Invitations to a tournament, as their people answer them and organisers take them back."""

from __future__ import annotations

import asyncio
from uuid import UUID

from api.matches.acting import now
from api.tournaments.service import TournamentService
from api.tournaments.wire import AnswerInvitation, Enter
from domain.tournaments import inviting, substitutes
from domain.tournaments.commands import TournamentStream


async def invite(tournaments: TournamentService, event_id: UUID, name: str) -> TournamentStream:
    """Invite a person to enter."""
    event = await tournaments.require(event_id)
    person = await asyncio.to_thread(tournaments.accounts.named, name)
    return await tournaments.invite_and_change(event, lambda state: inviting.invite(state, person.id, tournaments.by))


async def answer_invitation(
    tournaments: TournamentService, event_id: UUID, wanted: AnswerInvitation
) -> TournamentStream:
    """Accept or decline an invitation of the caller."""
    own, entry, number = tournaments.by, wanted.entry, wanted.round
    async with tournaments.naming(event_id):
        inviting.open_invitation((await tournaments.get(event_id)).state, own, entry, number)
    if not wanted.accept:
        return await tournaments.change(event_id, lambda state: inviting.decline(state, own, entry, number))
    if number:
        return await tournaments.execute(substitutes.accept, event_id, number, entry, own, at=now())
    if entry:
        return await tournaments.come_back(event_id, entry, "")
    return await tournaments.enter(event_id, Enter(), "")


async def take_back_invitations(tournaments: TournamentService, event_id: UUID, name: str) -> TournamentStream:
    """Take back the open invitations of a person."""
    await tournaments.require(event_id)
    actor = tournaments.accounts.named(name).id
    return await tournaments.organise(event_id, lambda state, by: inviting.take_back(state, actor, by))
