"""Commands of officials about messages, recorded in the audit trail."""

from __future__ import annotations

from datetime import datetime

from api.http.guards import Caller
from api.roles.commands import acting
from api.talk.rooms import OFFICIALS, RoomAccess, room_access
from api.talk.store import Message
from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.matches.facts import Actor
from domain.roles.audit import MessageRemoved, TalkExported
from domain.roles.commands import acting_role, append_to_trail, roles_in
from domain.roles.errors import RoleMissing
from domain.roles.state import Role
from domain.talk import Room


def require_moderator(matches: Matches, room: Room, caller: Caller) -> RoomAccess:
    """Return the standing in the room; raise `RoleMissing` unless the caller may moderate it."""
    standing = room_access(matches, room, caller)
    if not standing.is_official:
        raise RoleMissing("only officials who do not play there can do this")
    return standing


def role_of_official(batch: Batch, by: Actor, standing: RoomAccess) -> Role:
    """Return the role in which the official acts."""
    return acting_role(roles_in(batch), by, standing.event, "operator", *OFFICIALS) or "organiser"


def record_export(matches: Matches, room: Room, count: int, caller: Caller, *, at: datetime) -> None:
    """Record the export of a room in the audit trail; raise `RoleMissing` unless the caller may moderate it."""
    standing, by = require_moderator(matches, room, caller), acting(matches, caller, at)

    def compose(batch: Batch) -> None:
        role = role_of_official(batch, by, standing)
        fact = TalkExported(
            by=by, role=role, event=standing.event, room=room.key, messages=count, match=standing.match_id
        )
        append_to_trail(batch, fact)

    matches.transact(compose, at=at)


def record_removal(matches: Matches, message: Message, reason: str, caller: Caller, *, at: datetime) -> None:
    """Record the removal of a message in the audit trail; raise `RoleMissing` unless the caller may moderate it."""
    standing, by = require_moderator(matches, message.room, caller), acting(matches, caller, at)

    def compose(batch: Batch) -> None:
        role = role_of_official(batch, by, standing)
        fact = MessageRemoved(
            by=by,
            role=role,
            event=standing.event,
            room=message.room.key,
            message=message.id,
            author=message.person,
            reason=reason,
            match=standing.match_id,
        )
        append_to_trail(batch, fact)

    matches.transact(compose, at=at)
