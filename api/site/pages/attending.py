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
from api.http.admission import is_welcome
from api.http.bells import Ear, Topic
from api.http.browser import PageRequest
from api.http.channels import CHANNELS, tell
from api.http.forms import BUTTON, read_form
from api.http.guards import Caller, requires_person
from api.http.languages import _, language_of, locale, ngettext, speaking
from api.http.outlets import Chunk, Outlet, encode_event, shared
from api.http.preferences import preferences_of, read_word
from api.matches.callers import is_own_device, own_seat, seat_of_caller
from api.matches.presence import PRESENCE, Attendance, Role, Visit, topic_of
from api.matches.service import MATCHES, MatchService
from api.talk.talking import TALK
from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.facts import Actor

EVENT: Final = "presence"
CALM_SECONDS: Final = 1.0
"""Minimum interval between two presence events."""
LOOKED_SECONDS: Final = 60.0
"""Interval between two lookups of blocks of the reader."""
BEATS: Final = Chunk(encode_event("{}", event="beat"))


class Told(msgspec.Struct, frozen=True):
    """Data of the event: status of the players' seats, texts about typing, and a text about spectators."""

    seats: Mapping[int, str]
    typing: Mapping[int, str]
    watching: str


class AttendanceFrame(NamedTuple):
    """A presence event in one language."""

    number: int
    told: Told
    named: Mapping[Actor, str]
    counted: int
    chunk: Chunk
    """The encoded event for readers who may see everyone."""


class AttendanceSource:
    """Presence at a table, rendered once for all readers of a language."""

    calm_seconds = CALM_SECONDS
    kept_max = 1

    def __init__(self, app: Litestar, match_id: UUID, language: str) -> None:
        self._app = app
        self._match_id = match_id
        self._language = language
        self.newest: AttendanceFrame | None = None
        self.number = 0

    def topics(self) -> Sequence[Topic]:
        """Return the topic of the table's presence."""
        return (topic_of(self._match_id),)

    async def look(self, _ear: Ear, _heard: frozenset[Topic]) -> Sequence[AttendanceFrame]:
        """Return a frame with the current presence."""
        presence = PRESENCE.of(self._app)
        tables = MATCHES.of(self._app)
        accounts = ACCOUNTS.of(self._app)
        there, match = presence.of(self._match_id), await tables.reading.present(self._match_id)
        hidden = await asyncio.to_thread(hidden_of, PEOPLE.of(self._app), match)
        with speaking(self._language):
            names, named = await tables.reading.names_at(match), await accounts.names_beside(there.named)
            told = Told(
                {seat: standing for seat, standing in seats_of(match, there).items() if seat not in hidden},
                {
                    seat: _("{name} is typing", name=names[info.actor])
                    for seat, info in enumerate(match.seats)
                    if info.actor in there.typing and info.actor is not None
                },
                watching_words([named[person] for person in there.named], there.counted),
            )
        if self.newest is not None and told == self.newest.told:
            return []
        self.number += 1
        watching = {person: named[person] for person in there.named}
        self.newest = AttendanceFrame(self.number, told, watching, there.counted, shared(encode_told(told)))
        return [self.newest]

    async def is_urgent(self, _: frozenset[Topic], __: frozenset[Topic]) -> bool:
        """Return false: presence is never urgent."""
        return False


def encode_told(told: Told) -> bytes:
    """Encode a presence event."""
    return encode_event(msgspec.json.encode(told).decode(), event=EVENT)


class Attending:
    """A table page: receives presence events, and counts as present if its reader wishes."""

    def __init__(self, request: PageRequest, matches: MatchService, match_id: UUID) -> None:
        self._request = request
        self._tables = matches
        self._match_id = match_id
        self._presence = PRESENCE.of(request)
        self._language = language_of(request)
        self._blockers = frozenset[str]()
        self._looked_at = -LOOKED_SECONDS
        self.greeted: Final = asyncio.Event()
        """Set once the page has its table; presence events follow then."""

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count the reader as present, except hidden readers and shared devices."""
        wish, caller = preferences_of(self._request).presence, self._request.user
        match = self._tables.reading.recalled(self._match_id)
        plays = match is not None and seat_of_caller(match, caller) is not None
        # A reader who passed the device on is not a spectator.
        if wish == "hidden" or (match is not None and is_own_device(match, caller)):
            yield
            return
        person = caller.person
        is_named = wish == "named" and person is not None and not person.is_guest
        role: Role = "player" if plays else "named" if is_named else "counted"
        with self._presence.at(self._match_id, Visit(caller.person_id, role)):
            yield

    async def tell(self, outlet: Outlet) -> None:
        """Send presence events while the page is open."""
        await self.greeted.wait()
        channels = CHANNELS.of(self._request)
        key, make = (
            ("presence", self._match_id, self._language),
            partial(AttendanceSource, self._request.app, self._match_id, self._language),
        )
        while not self._tables.bells.are_closing:
            with channels.joined(key, make) as channel:
                await channel.begun()
                newest, begun = cast("AttendanceSource", channel.source).newest, channel.number
                if newest is not None and await self._may_go_on():
                    await outlet.give(self._chunk([newest]))
                await tell(channel, begun, outlet, self._may_go_on, self._chunk, BEATS)
            # Retry after an error.
            await asyncio.sleep(CALM_SECONDS)

    async def _may_go_on(self) -> bool:
        """Return whether the reader may still see the table; look up their blocks at intervals."""
        if not await is_welcome(self._request):
            return False
        person, at = self._request.user.person_id, asyncio.get_running_loop().time()
        if person and at - self._looked_at >= LOOKED_SECONDS:
            talk = TALK.of(self._request)
            self._blockers, self._looked_at = await asyncio.to_thread(talk.store.blockers, person), at
        return True

    def _chunk(self, frames: Sequence[AttendanceFrame]) -> Chunk:
        """Return the latest frame as this reader may see it."""
        return told_to(frames[-1], self._blockers, self._language)


def told_to(frame: AttendanceFrame, blockers: frozenset[str], language: str) -> Chunk:
    """Return the frame without the names of people who block the reader."""
    if blockers.isdisjoint(frame.named):
        return frame.chunk
    with speaking(language):
        names = [name for person, name in frame.named.items() if person not in blockers]
        return Chunk(encode_told(replace(frame.told, watching=watching_words(names, frame.counted))))


def seats_of(match: Match, there: Attendance) -> dict[int, str]:
    """Return the presence of each seat of a person: here, typing or away."""

    def standing(actor: str) -> str:
        return "typing" if actor in there.typing else "here" if actor in there.players else "away"

    return {seat: standing(info.actor) for seat, info in enumerate(match.seats) if info.is_person and info.actor}


def hidden_of(people: People, match: Match) -> frozenset[int]:
    """Return the seats of players who hide their presence."""

    def hides(actor: str) -> bool:
        person = people.find(actor)
        return person is None or read_word(person.preferences or "").presence == "hidden"

    return frozenset(
        seat for seat, info in enumerate(match.seats) if info.is_person and info.actor and hides(info.actor)
    )


def watching_words(names: list[str], counted: int) -> str:
    """Return the text about spectators; empty if there are none."""
    if not names:
        return ngettext("{count} person is watching", "{count} people are watching", counted) if counted else ""
    others = [ngettext("{count} other", "{count} others", counted)] if counted else []
    listed = format_list([*names, *others], locale=locale())
    return _("Watching: {names}", names=listed)


@post("/tables/{match_id:uuid}/typing", guards=[requires_person], status_code=204)
async def type_at_table(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> None:
    """Report that the reader is typing a message."""
    await read_form(request, BUTTON)
    own_seat(await matches.reading.present(match_id), caller)
    if preferences_of(request).presence != "hidden":
        PRESENCE.of(request).types(match_id, caller.actor)


HANDLERS: Final = (type_at_table,)
