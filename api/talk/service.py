"""The chat service: reading, writing, mutes and blocks, and moderation."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Request
from litestar.di import NamedDependency

from api.accounts.display_names import names_of
from api.accounts.service import AccountService
from api.http.guards import Caller
from api.http.identity import Person
from api.http.languages import _
from api.matches.responses import show_player
from api.matches.service import MatchService
from api.notifications.service import NOTIFICATIONS, NotificationService
from api.roles.grants import has_role_in, may_use, roles_of
from api.roles.service import roles_for
from api.talk import commands
from api.talk.rooms import OFFICIALS, RoomAccess, room_access
from api.talk.schemas import BoundaryShown, MessageShown, ReportShown, TalkShown
from api.talk.state import TALK, Talk
from api.talk.store import Boundary, Message, Report
from domain.eventstore.application import Matches
from domain.roles.errors import RoleMissing
from domain.talk import PHRASES, NotInRoom, Room, TalkRefused, find_mentions, normalise_message, require_phrase
from projections.platform.clock import now
from projections.platform.paging import LIMIT, Page

REPORTS_MAX: Final = 100
BEFORE: Final = 10
AFTER: Final = 5
"""Number of messages around a reported message for moderators."""


@dataclass(frozen=True)
class TalkService:
    """Chats, for one caller."""

    tables: MatchService
    accounts: AccountService
    talk: Talk
    caller: Caller
    notifications: NotificationService

    async def room_access(self, room: Room) -> RoomAccess:
        """Return the caller's rights in a room."""
        return await self.tables.writer.read_log(room_access, room, self.caller)

    async def read(self, room: Room, limit: int = LIMIT, before: int | None = None) -> tuple[RoomAccess, Page[Message]]:
        """Return the messages of a room, latest first, without people whom the caller mutes.

        Raise `NotInRoom` unless the caller may read it.
        """
        standing = await self.room_access(room)
        standing.require_reading()
        found = await asyncio.to_thread(self.talk.store.list_messages, room, limit, before)
        muted = await self.talk.muted_people(self.caller.person_id)
        return standing, found.of([each for each in found.items if each.person not in muted])

    async def show(self, room: Room, limit: int = LIMIT, before: int | None = None) -> TalkShown:
        """Return a room with a page of its messages, latest first, and whether the caller may write.

        Raise `NotInRoom` unless the caller may read it.
        """
        standing, found = await self.read(room, limit, before)
        return TalkShown(
            room.kind,
            room.about,
            standing.may_write and not standing.is_silent,
            standing.is_silent,
            await self.encode_messages(found.items),
            next=found.next,
        )

    async def encode_messages(self, messages: Iterable[Message]) -> tuple[MessageShown, ...]:
        """Convert messages, in the same order; phrases are in the current language."""
        items = tuple(messages)
        names = await asyncio.to_thread(names_of, self.accounts, {each.person for each in items})
        return tuple(
            MessageShown(
                each.id,
                show_player(each.person, names),
                _(PHRASES[each.phrase]) if each.phrase else each.words,
                each.phrase,
                each.created,
                each.is_removed,
            )
            for each in items
        )

    async def find_message(self, message_id: str) -> tuple[RoomAccess, Message]:
        """Return a message for readers of its room, and for moderators if it was reported.

        Raise `NoSuchMessage` if it is unknown, `NotInRoom` for others.
        """
        message = await asyncio.to_thread(self.talk.store.find, message_id)
        standing = await self.room_access(message.room)
        if not standing.may_read and not (standing.is_official and await self.is_reported(message)):
            raise NotInRoom("you cannot read this chat")
        return standing, message

    async def is_reported(self, message: Message) -> bool:
        """Return whether the message was reported."""
        return await asyncio.to_thread(self.talk.store.is_reported, message.id)

    async def load_context(self, message: Message) -> tuple[Message, ...]:
        """Return the message with its context."""
        return await asyncio.to_thread(self.talk.store.load_context, message, BEFORE, AFTER)

    async def say(self, room: Room, text: str, phrase: str) -> Message:
        """Send a message, text or a phrase, show it in the room and notify the people whom it mentions.

        Raise `TalkOff` or `NotInRoom` unless the caller may write, `TalkRefused` for both text and phrase, an invalid
        text or an unknown phrase, `SaidAlready` for a quick repetition, and 429 above the limit per person.
        """
        standing = await self.room_access(room)
        standing.require_writing()
        if phrase and text.strip():
            raise TalkRefused("send either words or a phrase, not both")
        content = ("", require_phrase(phrase)) if phrase else (normalise_message(text), "")
        person = self.person
        await self.talk.count_message(person.id)
        mentioned = await self._mentioned_people(standing, content[0])
        message = await asyncio.to_thread(self.talk.store.add, room, person.id, *content, mentioned, now())
        self.talk.notify_room(room)
        if mentioned:
            subject = "event" if room.kind == "entrants" else ""
            await self.notifications.notify("mention", mentioned, message.id, standing.path, subject)
        return message

    async def _mentioned_people(self, standing: RoomAccess, text: str) -> Sequence[str]:
        """Return the people whom the text mentions with @: people or writers of the room who do not mute the sender."""
        if "@" not in text:
            return ()
        person = self.person.id
        writers = await asyncio.to_thread(self.talk.store.list_writers, standing.room)
        people = (standing.people | set(writers)) - {person}
        mentioned = find_mentions(text, await self.accounts.load_names(people))
        return [each for each in mentioned if person not in await self.talk.muted_people(each)]

    @property
    def person(self) -> Person:
        """The caller's person."""
        assert self.caller.person is not None, "the guard of every change has asked for one"
        return self.caller.person

    def boundaries(self) -> tuple[BoundaryShown, ...]:
        """Return the caller's mutes and blocks, latest first."""
        found = self.talk.store.boundaries(self.person.id)
        names = names_of(self.accounts, (each.other for each in found))
        return tuple(BoundaryShown(show_player(each.other, names), each.kind, each.created) for each in found)

    async def set_boundary(self, name: str, kind: Boundary) -> Person:
        """Mute or block a person by id or name, in place of an earlier one, and return them.

        Raise `NoSuchPerson` if unknown, `TalkRefused` for the caller, `NotAllowed` at the limit.
        """
        other = self.accounts.get_by_id_or_name(name)
        if other.id == self.person.id:
            raise TalkRefused("you cannot mute or block yourself")
        await asyncio.to_thread(self.talk.store.set_boundary, self.person.id, other.id, kind, now())
        self.talk.evict_muted(self.person.id)
        return other

    async def lift_boundary(self, name: str) -> None:
        """Lift a mute or block of a person by id or name, if there is one; raise `NoSuchPerson` if they are unknown."""
        other = self.accounts.get_by_id_or_name(name)
        await asyncio.to_thread(self.talk.store.lift_boundary, self.person.id, other.id)
        self.talk.evict_muted(self.person.id)

    async def report(self, message_id: str, reason: str) -> None:
        """Report a message that the caller can read, once; the officials' queues are updated.

        Raise `TalkRefused` if it was removed, `NoSuchMessage` if it is unknown, `NotInRoom` unless the caller may read
        the room.
        """
        message = await asyncio.to_thread(self.talk.store.find, message_id)
        standing = await self.room_access(message.room)
        standing.require_reading()
        if message.is_removed:
            raise TalkRefused("this message has already been removed")
        report = (message, self.person.id, reason, standing.event, now())
        await asyncio.to_thread(self.talk.store.report, *report)
        self.talk.notify_moderators()

    async def reports(self) -> tuple[Report, ...]:
        """Return the open reports that the caller may moderate, oldest first, of at most `REPORTS_MAX`.

        Raise `RoleMissing` unless the caller is an official.
        """
        roles = await roles_for(self.tables.writer, self.caller)
        own_roles = {role for role in roles_of(roles, self.caller) if may_use(self.caller, role)}
        if not (self.caller.is_operator or own_roles & {*OFFICIALS}):
            raise RoleMissing("only arbiters and organisers can see this")
        is_everywhere = has_role_in(roles, self.caller, "arbiter") or has_role_in(roles, self.caller, "organiser")
        grants = [each for each in roles.grants if each.person == self.caller.person_id]
        events = {
            each.scope for each in grants if each.scope and each.role in OFFICIALS and may_use(self.caller, each.role)
        }
        event_ids = None if is_everywhere else sorted(events)
        waiting = await asyncio.to_thread(self.talk.store.open_reports, event_ids, REPORTS_MAX)
        return await self.tables.writer.read_log(reports_for, waiting, self.caller)

    async def reports_in(self, event: UUID) -> tuple[Report, ...]:
        """Return the open reports in an event that the caller may moderate."""
        waiting = await asyncio.to_thread(self.talk.store.open_reports, (str(event),), REPORTS_MAX)
        return await self.tables.writer.read_log(reports_for, waiting, self.caller) if waiting else ()

    async def show_reports(self) -> tuple[ReportShown, ...]:
        """Return the open reports that the caller may moderate, with messages and names, oldest first.

        Raise `RoleMissing` unless the caller is an official.
        """
        reports = await self.reports()
        messages = await self.encode_messages(each.message for each in reports)
        names = await asyncio.to_thread(names_of, self.accounts, {each.person for each in reports})
        return tuple(
            ReportShown(
                each.message.room.kind,
                each.message.room.about,
                each.event or None,
                message,
                show_player(each.person, names),
                each.reason,
                each.created,
            )
            for each, message in zip(reports, messages, strict=True)
        )

    async def dismiss(self, message_id: str) -> None:
        """Close the reports of a message, which stays; raise `RoleMissing` unless the caller may moderate its room.

        Raise `NoSuchMessage` if it is unknown.
        """
        message = await asyncio.to_thread(self.talk.store.find, message_id)
        await self.tables.writer.read_log(commands.require_moderator, message.room, self.caller)
        await asyncio.to_thread(self.talk.store.close_reports, message.id, now())
        self.talk.notify_moderators()

    async def remove(self, message_id: str, reason: str) -> None:
        """Remove a message, after recording it in the audit trail, and close its reports; its empty entry stays.

        Raise `RoleMissing` unless the caller may moderate its room, `NoSuchMessage` if it is unknown.
        """
        message = await asyncio.to_thread(self.talk.store.find, message_id)
        await self.tables.writer.execute(commands.record_removal, message, reason, self.caller, at=now())
        await asyncio.to_thread(self.talk.store.remove, message.id, now())
        self.talk.notify_room(message.room)
        self.talk.notify_moderators()

    async def export(self, room: Room) -> bytes:
        """Return all messages of a room as JSON lines, muted people's too; recorded in the audit trail.

        Raise `RoleMissing` unless the caller may moderate the room.
        """
        await self.tables.writer.read_log(commands.require_moderator, room, self.caller)
        messages = await asyncio.to_thread(self.talk.store.list_all, room)
        await self.tables.writer.execute(commands.record_export, room, len(messages), self.caller, at=now())
        return b"".join(msgspec.json.encode(each) + b"\n" for each in await self.encode_messages(messages))


def reports_for(matches: Matches, reports: Sequence[Report], caller: Caller) -> tuple[Report, ...]:
    """Return the reports that the caller may moderate."""
    return tuple(each for each in reports if room_access(matches, each.message.room, caller).is_official)


def provide_talk(
    request: Request[Caller, Any, Any],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
) -> TalkService:
    """Provide the service for the caller."""
    return TalkService(matches, accounts, TALK.of(request), caller, NOTIFICATIONS.of(request))
