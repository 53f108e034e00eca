"""Changes of one club by the caller: membership, invitations, requests, roles and events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from litestar.di import NamedDependency
from litestar.params import FromPath

from api.accounts.club_profiles import ClubProfile
from api.accounts.display_names import naming_people
from api.clubs import commands as reading
from api.clubs.schemas import ChangeClub, ClubShown
from api.clubs.service import ClubService
from api.roles.service import has_role
from domain.clubs import commands, event_list, membership, offices
from domain.clubs.errors import ClubRefused, NotOfClub
from domain.clubs.facts import Fact, GivenRole
from domain.clubs.state import Club
from domain.matches.facts import Actor
from domain.matches.log.records import Stream
from domain.roles.errors import RoleMissing
from projections.platform.clock import now

Decide = Callable[[Club], Fact | Sequence[Fact]]


@dataclass(frozen=True)
class ClubOfCaller:
    """The club in the path, for one caller; every change raises `ClubRefused` or `NotOfClub` if it is not allowed."""

    service: ClubService
    id: UUID

    @property
    def by(self) -> Actor:
        """The caller."""
        return self.service.person.id

    async def read(self) -> Stream[Club]:
        """Return the club; raise `NoSuchStream` if it is unknown."""
        return await self.service.find(self.id)

    async def show(self) -> ClubShown:
        """Return the club for the caller; raise `NoSuchStream` if it is unknown."""
        return await self.service.show(await self.read())

    async def change(self, request: ChangeClub) -> None:
        """Change name, description or the way to join, as an organiser; raise `ClubNameBlank` or `ClubNameTaken`."""
        club = (await self.read()).state
        admission = request.admission or club.admission
        decide = partial(offices.change, by=self.by, admission=admission, is_operator=self.service.caller.is_operator)
        await self._try(decide)
        clubs = self.service.accounts.clubs
        known = (await asyncio.to_thread(clubs.with_ids, [self.id])).get(self.id) or ClubProfile(self.id, str(self.id))
        name = known.name if request.name is None else request.name
        about = known.about if request.about is None else request.about
        await asyncio.to_thread(clubs.write, ClubProfile(self.id, name, about))
        await self._change(decide)

    async def join(self, message: str) -> None:
        """Join an open club, accept the caller's invitation, or ask the organisers with a message."""
        await self.service.require_room()
        at = now()
        decide = partial(membership.join, person=self.by, at=at)
        await self._try(decide)
        texts = self.service.texts
        await asyncio.to_thread(texts.set_message, self.id, self.by, message.strip())
        joined = await self._change(decide)
        if joined.state.standing(self.by) == "member":
            await self._forget_texts(self.by)

    async def leave(self) -> None:
        """Leave the club, or withdraw the caller's request."""
        if self.by in (await self.read()).state.requests:
            await self._change(partial(membership.withdraw_request, person=self.by))
            await asyncio.to_thread(self.service.texts.set_message, self.id, self.by, "")
        else:
            await self._change(partial(membership.leave, person=self.by))

    async def answer_invitation(self, *, accept: bool) -> None:
        """Accept or decline the caller's invitation."""
        if accept:
            await self.service.require_room()
        await self._change(partial(membership.answer_invitation, person=self.by, accept=accept))
        if accept:
            await self._forget_texts(self.by)

    async def invite(self, name: str) -> None:
        """Invite a person by id or name, as an organiser; counts against the limit of contacts.

        Raise `NoSuchPerson`, and `Blocked`, `OwnBlock` or 429 as `count_contact`.
        """
        await self._try(partial(reading.admit_organiser, by=self.by))
        person = await self.service.find_person(name)
        decide = reading.decide_invitation(self.by, person.id)
        await self._try(decide)
        await self.service.accounts.count_contact(self.by, [person.id])
        if (await self._change(decide)).state.standing(person.id) == "member":
            await self._forget_texts(person.id)

    async def withdraw_invitation(self, name: str) -> None:
        """Withdraw an open invitation, as an organiser."""
        person = await self._id_of(name)
        await self._change(partial(membership.withdraw_invitation, by=self.by, person=person))

    async def answer_request(self, name: str, *, accept: bool) -> None:
        """Accept or decline a request, as an organiser; its message is deleted."""
        person = await self._id_of(name)
        await self._change(partial(membership.answer_request, by=self.by, person=person, accept=accept))
        await asyncio.to_thread(self.service.texts.set_message, self.id, person, "")
        if accept:
            await self._forget_texts(person)

    async def remove(self, name: str, reason: str) -> None:
        """Remove a member with a reason, as an organiser or operator."""
        person = await self._id_of(name)
        decide = partial(
            membership.remove, by=self.by, person=person, reason=reason, is_operator=self.service.caller.is_operator
        )
        await self._try(decide)
        await asyncio.to_thread(self.service.texts.set_reason, self.id, person, reason.strip())
        await self._change(decide)

    async def give_role(self, name: str, role: GivenRole) -> None:
        """Make a member an organiser, or an organiser a member, as the owner."""
        await self._change(partial(offices.give_role, by=self.by, person=await self._id_of(name), role=role))

    async def hand_over(self, name: str) -> None:
        """Hand the club over to a member, as the owner or an operator."""
        person, is_operator = await self._id_of(name), self.service.caller.is_operator
        await self._change(partial(offices.hand_over, by=self.by, person=person, is_operator=is_operator))

    async def close(self) -> None:
        """Close the club for good, as the owner or an operator."""
        await self._change(partial(offices.close, by=self.by, is_operator=self.service.caller.is_operator))

    async def add_event(self, event_id: UUID) -> None:
        """Add an event to the list, as an organiser of both; raise `NoSuchStream`, or `RoleMissing` in the event."""
        kind = await self.service.tables.writer.read_log(reading.kind_of_event, event_id)
        if not await self._organises(event_id):
            raise RoleMissing("only organisers of the event can add it to the list of a club")
        await self._change(partial(event_list.add_event, by=self.by, event=event_id, kind=kind))

    async def remove_event(self, event_id: UUID) -> None:
        """Remove an event from the list, as an organiser of the club or of the event."""
        organises = await self._organises(event_id)
        await self._change(partial(event_list.remove_event, by=self.by, event=event_id, organises_event=organises))

    async def _organises(self, event_id: UUID) -> bool:
        """Return whether the caller is an organiser of an event."""
        return await has_role(self.service.tables.writer, self.service.caller, "organiser", event_id)

    async def _id_of(self, name: str) -> Actor:
        """Return the id of a person by id or name; raise `NoSuchPerson` if unknown."""
        return (await asyncio.to_thread(self.service.accounts.get_by_id_or_name, name)).id

    async def _forget_texts(self, person: Actor) -> None:
        """Delete the message and the reason of a person who is a member now."""
        texts = self.service.texts
        await asyncio.to_thread(texts.set_message, self.id, person, "")
        await asyncio.to_thread(texts.set_reason, self.id, person, "")

    async def _try(self, decide: Decide) -> None:
        """Raise the refusal of a change before its other effects; record nothing."""
        with naming_people(self.service.accounts, ClubRefused, NotOfClub):
            await self.service.tables.writer.read_log(reading.try_change, self.id, decide)

    async def _change(self, decide: Decide) -> Stream[Club]:
        """Record the facts of a change; a club that it closes has no requests any longer."""
        with naming_people(self.service.accounts, ClubRefused, NotOfClub):
            stream = await self.service.tables.writer.execute(commands.change_club, self.id, decide, at=now())
        if not stream.state.is_open:
            await asyncio.to_thread(self.service.texts.forget_messages, self.id)
        return stream


def provide_club(club_id: FromPath[UUID], clubs: NamedDependency[ClubService]) -> ClubOfCaller:
    """Provide the club in the path."""
    return ClubOfCaller(clubs, club_id)
