"""Presence at a table: players, spectators and typing, sent to its pages as events."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final, NamedTuple, cast
from uuid import UUID

import msgspec
from babel.lists import format_list
from litestar import Litestar, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from api.accounts.people import PEOPLE, People
from api.accounts.service import ACCOUNTS
from api.http.channels import CHANNELS, send_frames
from api.http.forms import BUTTON, read_form
from api.http.guards import Caller, requires_person
from api.http.languages import _, current_locale, language_of, ngettext, use_language
from api.http.notifier import Subscriber, Topic
from api.http.page_responses import PageRequest
from api.http.preferences import decode_preferences, preferences_of
from api.http.stream_access import has_stream_access
from api.http.stream_responses import Chunk, StreamOutput, compress_chunk, encode_event
from api.matches.callers import is_own_device, own_seat, seat_of_caller
from api.matches.presence import PRESENCE, Attendance, Role, Visit, topic_of
from api.matches.service import MATCHES, MatchService
from api.talk.state import TALK
from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.facts import Actor

EVENT: Final = "presence"
CALM_SECONDS: Final = 1.0
"""Minimum interval between two presence events."""
BLOCK_CHECK_SECONDS: Final = 60.0
"""Interval between two lookups of blocks of the reader."""
HEARTBEAT: Final = Chunk(encode_event("{}", event="beat"))


class PresenceEvent(msgspec.Struct, frozen=True):
    """Data of the event: status of the players' seats, texts about typing, and a text about spectators."""

    seats: Mapping[int, str]
    typing: Mapping[int, str]
    watching: str


class AttendanceFrame(NamedTuple):
    """A presence event in one language."""

    number: int
    told: PresenceEvent
    named: Mapping[Actor, str]
    counted: int
    chunk: Chunk
    """The encoded event for readers who may see everyone."""


class AttendanceSource:
    """Presence at a table, rendered once for all readers of a language."""

    calm_seconds = CALM_SECONDS
    buffer_max = 1

    def __init__(self, app: Litestar, match_id: UUID, language: str) -> None:
        self._app = app
        self._match_id = match_id
        self._language = language
        self.newest: AttendanceFrame | None = None
        self.number = 0

    def topics(self) -> Sequence[Topic]:
        """Return the topic of the table's presence."""
        return (topic_of(self._match_id),)

    async def poll(self, _ear: Subscriber, _heard: frozenset[Topic]) -> Sequence[AttendanceFrame]:
        """Return a frame with the current presence, without hidden seats; nothing if it has not changed."""
        presence = PRESENCE.of(self._app)
        tables = MATCHES.of(self._app)
        accounts = ACCOUNTS.of(self._app)
        attendance, match = presence.of(self._match_id), await tables.reading.get_current(self._match_id)
        hidden = await asyncio.to_thread(hidden_seats, PEOPLE.of(self._app), match)
        with use_language(self._language):
            names, names_by_person = await tables.reading.names_at(match), await accounts.load_names(attendance.named)
            event = PresenceEvent(
                {seat: standing for seat, standing in seat_statuses(match, attendance).items() if seat not in hidden},
                {
                    seat: _("{name} is typing", name=names[info.actor])
                    for seat, info in enumerate(match.seats)
                    if info.actor in attendance.typing and info.actor is not None
                },
                describe_spectators([names_by_person[person] for person in attendance.named], attendance.counted),
            )
        if self.newest is not None and event == self.newest.told:
            return []
        self.number += 1
        watcher_names = {person: names_by_person[person] for person in attendance.named}
        self.newest = AttendanceFrame(
            self.number, event, watcher_names, attendance.counted, compress_chunk(encode_event_of(event))
        )
        return [self.newest]

    async def is_urgent(self, _: frozenset[Topic], __: frozenset[Topic]) -> bool:
        """Return false: presence is never urgent."""
        return False


def encode_event_of(event: PresenceEvent) -> bytes:
    """Encode a presence event."""
    return encode_event(msgspec.json.encode(event).decode(), event=EVENT)


class PresenceStream:
    """A table page: receives presence events, and counts as present if its reader wishes."""

    def __init__(self, request: PageRequest, matches: MatchService, match_id: UUID) -> None:
        self._request = request
        self._tables = matches
        self._match_id = match_id
        self._presence = PRESENCE.of(request)
        self._language = language_of(request)
        self._blockers = frozenset[str]()
        self._checked_at = -BLOCK_CHECK_SECONDS
        self.greeted: Final = asyncio.Event()
        """Set once the page has its table; presence events follow then."""

    @contextmanager
    def count_as_present(self) -> Iterator[None]:
        """Count the reader as present within the context, except hidden readers and shared devices.

        Players count for their seat; accounts are named if they prefer that, all others only counted.
        """
        visibility, caller = preferences_of(self._request).presence, self._request.user
        match = self._tables.reading.find_cached(self._match_id)
        plays = match is not None and seat_of_caller(match, caller) is not None
        # A reader who passed the device on is not a spectator.
        if visibility == "hidden" or (match is not None and is_own_device(match, caller)):
            yield
            return
        person = caller.person
        is_named = visibility == "named" and person is not None and not person.is_guest
        role: Role = "player" if plays else "named" if is_named else "counted"
        with self._presence.visit(self._match_id, Visit(caller.person_id, role)):
            yield

    async def send_events(self, output: StreamOutput) -> None:
        """Send presence events while the page is open, after the first event of the table; retry after an error.

        It ends when the notifier closes, without an event if the reader may no longer see the table.
        """
        await self.greeted.wait()
        channels = CHANNELS.of(self._request)
        key, make_source = (
            ("presence", self._match_id, self._language),
            partial(AttendanceSource, self._request.app, self._match_id, self._language),
        )
        while not self._tables.notifier.is_closing:
            with channels.join(key, make_source) as channel:
                await channel.wait_until_started()
                newest, first_number = cast("AttendanceSource", channel.source).newest, channel.number
                if newest is not None and await self._may_go_on():
                    await output.send(self._chunk([newest]))
                await send_frames(channel, first_number, output, self._may_go_on, self._chunk, HEARTBEAT)
            # Retry after an error.
            await asyncio.sleep(CALM_SECONDS)

    async def _may_go_on(self) -> bool:
        """Return whether the reader may still see the table; look up at intervals the people who block the reader.

        Blocking ends nothing; it hides names.
        """
        if not await has_stream_access(self._request):
            return False
        person, current_time = self._request.user.person_id, asyncio.get_running_loop().time()
        if person and current_time - self._checked_at >= BLOCK_CHECK_SECONDS:
            talk = TALK.of(self._request)
            self._blockers, self._checked_at = await asyncio.to_thread(talk.store.blockers, person), current_time
        return True

    def _chunk(self, frames: Sequence[AttendanceFrame]) -> Chunk:
        """Return the latest frame as this reader may see it."""
        return without_blockers(frames[-1], self._blockers, self._language)


def without_blockers(frame: AttendanceFrame, blockers: frozenset[str], language: str) -> Chunk:
    """Return the frame without the names of people who block the reader."""
    if blockers.isdisjoint(frame.named):
        return frame.chunk
    with use_language(language):
        names = [name for person, name in frame.named.items() if person not in blockers]
        return Chunk(encode_event_of(replace(frame.told, watching=describe_spectators(names, frame.counted))))


def seat_statuses(match: Match, attendance: Attendance) -> dict[int, str]:
    """Return "here", "typing" or "away" for each seat of a person."""

    def standing(actor: str) -> str:
        return "typing" if actor in attendance.typing else "here" if actor in attendance.players else "away"

    return {seat: standing(info.actor) for seat, info in enumerate(match.seats) if info.is_person and info.actor}


def hidden_seats(people: People, match: Match) -> frozenset[int]:
    """Return the seats of players who hide their presence, and of erased ones."""

    def hides(actor: str) -> bool:
        person = people.find(actor)
        return person is None or decode_preferences(person.preferences or "").presence == "hidden"

    return frozenset(
        seat for seat, info in enumerate(match.seats) if info.is_person and info.actor and hides(info.actor)
    )


def describe_spectators(names: list[str], unnamed_count: int) -> str:
    """Return the text about spectators; empty if there are none."""
    if not names:
        return (
            ngettext("{count} person is watching", "{count} people are watching", unnamed_count)
            if unnamed_count
            else ""
        )
    others = [ngettext("{count} other", "{count} others", unnamed_count)] if unnamed_count else []
    listed = format_list([*names, *others], locale=current_locale())
    return _("Watching: {names}", names=listed)


@post("/tables/{match_id:uuid}/typing", guards=[requires_person], status_code=204)
async def type_at_table(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> None:
    """Report that the reader is typing a message; ignored for readers who hide their presence.

    Raise `NotSeated` or `NotHeld` for a reader without a seat.
    """
    await read_form(request, BUTTON)
    own_seat(await matches.reading.get_current(match_id), caller)
    if preferences_of(request).presence != "hidden":
        PRESENCE.of(request).mark_typing(match_id, caller.actor)


HANDLERS: Final = (type_at_table,)
