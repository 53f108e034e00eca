"""Access to chat rooms, from the current log."""

from __future__ import annotations

from typing import Final
from uuid import UUID

import msgspec

from api.http.guards import Caller
from api.matches.access import require_access
from api.roles.conflicts import is_neutral, is_neutral_at, players_of
from api.roles.grants import has_role_in
from api.roles.openers import is_official_of, roles_at
from domain.eventstore.application import Matches
from domain.leagues.state import LEAGUE
from domain.matches.aggregate import Match, seat_of
from domain.matches.errors import NoSuchMatch, NoSuchStream
from domain.matches.facts import SERVICE, is_bot
from domain.matches.forks.lineage import list_past_players
from domain.roles.state import Role
from domain.talk import NotInRoom, Room, TalkOff
from domain.tournaments.state import TOURNAMENT

OFFICIALS: Final[tuple[Role, ...]] = ("arbiter", "head_arbiter", "organiser")


class RoomAccess(msgspec.Struct, frozen=True):
    """The rights of a caller in a room."""

    room: Room
    event: str
    """The tournament or league of the room; empty if none."""
    path: str
    """Path of the match or event."""
    match_id: UUID | None
    may_read: bool
    may_write: bool
    is_official: bool
    """Whether the caller may moderate the room."""
    is_silent: bool
    """Whether the room has no chat."""
    is_over: bool
    """Whether the match of the room has ended."""
    people: frozenset[str]
    """People of the room, who can be mentioned."""

    def require_reading(self) -> None:
        """Raise `NotInRoom` unless the caller may read the room."""
        if not self.may_read:
            raise NotInRoom("you cannot read this chat")

    def require_writing(self) -> None:
        """Raise `TalkOff` or `NotInRoom` unless the caller may write in the room."""
        self.require_reading()
        if self.is_silent:
            raise TalkOff("this table has no chat")
        if not self.may_write:
            raise NotInRoom("you cannot write in this chat")


def room_access(matches: Matches, room: Room, caller: Caller) -> RoomAccess:
    """Return the caller's rights in a room; raise if its match or event is unknown or hidden from the caller.

    Raise `NoSuchMatch` or `NoSuchStream` for an unknown one.
    """
    return event_room(matches, room, caller) if room.kind == "entrants" else match_room(matches, room, caller)


def match_room(matches: Matches, room: Room, caller: Caller) -> RoomAccess:
    """Return the caller's rights in a room of a match; raise `NoSuchMatch` if unknown, or for a what-if.

    Players may read the spectators' room only after the match, guests too; only seated players write in the players'
    room.
    """
    require_access(matches, room.about, caller)
    match = matches.get(room.about)
    if match.docket.dispute:
        # A what-if of arbiters, which has no players.
        raise NoSuchMatch(f"no match {room.about}")
    # A line replaced by a ruling stays closed to its players until the line that replaces it has ended.
    is_over = not matches.lines.is_running(match.id)
    is_there = is_seated(match, caller)
    if room.kind == "players":
        may_read, may_write = is_there or has_begun(match, caller), is_there
    else:
        has_account = caller.person is not None and not caller.person.is_guest
        is_spectator = has_account and not is_there and caller.person_id not in list_past_players(matches, match.id)
        # While the match runs, the players cannot read the spectators' chat, and neither can guests, who may be
        # players.
        may_read, may_write = is_over or is_spectator, has_account if is_over else is_spectator
    return RoomAccess(
        room=room,
        event=match.table.event_id,
        path=f"/tables/{match.id}",
        match_id=match.id,
        may_read=may_read,
        may_write=may_write,
        is_official=is_moderator(matches, match.table.event_id, caller) and is_neutral_at(matches, match.id, caller),
        is_silent=match.table.is_silent,
        is_over=is_over,
        people=players_at(match) if room.kind == "players" or is_over else frozenset(),
    )


def event_room(matches: Matches, room: Room, caller: Caller) -> RoomAccess:
    """Return the caller's rights in the room of a tournament or league; raise `NoSuchStream` if it is unknown.

    Its players and officials may read and write.
    """
    event = str(room.about)
    streams = matches.streams
    is_tournament = streams.find(TOURNAMENT, room.about) is not None
    if not is_tournament and streams.find(LEAGUE, room.about) is None:
        raise NoSuchStream(f"no event {event}")
    players = players_of(matches, event)
    is_in = caller.person_id in players or is_official_of(matches, event, caller)
    return RoomAccess(
        room=room,
        event=event,
        path=f"/{'events' if is_tournament else 'leagues'}/{event}",
        match_id=None,
        may_read=is_in,
        may_write=is_in and caller.person is not None,
        is_official=is_moderator(matches, event, caller) and is_neutral(matches, event, caller),
        is_silent=False,
        is_over=False,
        people=players,
    )


def is_seated(match: Match, caller: Caller) -> bool:
    """Return whether the caller has a seat."""
    return caller.person is not None and seat_of(match, caller.person.id) is not None


def has_begun(match: Match, caller: Caller) -> bool:
    """Return whether the caller had a seat at the start of the match."""
    return caller.person is not None and any(starter.actor == caller.person.id for starter in match.starters)


def players_at(match: Match) -> frozenset[str]:
    """Return the people at a table."""
    actors = (info.actor for info in match.seats)
    return frozenset(actor for actor in actors if actor is not None and actor != SERVICE and not is_bot(actor))


def is_moderator(matches: Matches, event: str, caller: Caller) -> bool:
    """Return whether the caller is an official of the event, or for other tables an arbiter of the service."""
    if event:
        return is_official_of(matches, event, caller)
    return has_role_in(roles_at(matches, event), caller, "arbiter")
