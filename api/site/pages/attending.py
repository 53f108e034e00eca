"""Who is at a table, told to its pages beside what happens there: at seats, among those who watch, in the chat."""

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
"""Who comes and goes is not told more often than that."""
LOOKED_SECONDS: Final = 60.0
"""How long it is left unasked who keeps a reader away."""
BEATS: Final = Chunk(encode_event("{}", event="beat"))


class Told(msgspec.Struct, frozen=True):
    """What the event holds: how it stands with the seats of people, what is said of those who type, and who watches."""

    seats: Mapping[int, str]
    typing: Mapping[int, str]
    watching: str


class AttendanceFrame(NamedTuple):
    """Who is there, as it is told in a language."""

    number: int
    told: Told
    named: Mapping[Actor, str]
    counted: int
    chunk: Chunk
    """For who may be told of everybody."""


class AttendanceSource:
    """Who is at a table, drawn once for all readers of a language."""

    calm_seconds = CALM_SECONDS
    kept_max = 1

    def __init__(self, app: Litestar, match_id: UUID, language: str) -> None:
        self._app = app
        self._match_id = match_id
        self._language = language
        self.newest: AttendanceFrame | None = None
        self.number = 0

    def topics(self) -> Sequence[Topic]:
        return (topic_of(self._match_id),)

    async def look(self, _ear: Ear, _heard: frozenset[Topic]) -> Sequence[AttendanceFrame]:
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
        return False


def encode_told(told: Told) -> bytes:
    return encode_event(msgspec.json.encode(told).decode(), event=EVENT)


class Attending:
    """A page of a table, which is told who is there, and is counted itself as its reader wants."""

    def __init__(self, request: PageRequest, matches: MatchService, match_id: UUID) -> None:
        self._request = request
        self._tables = matches
        self._match_id = match_id
        self._presence = PRESENCE.of(request)
        self._language = language_of(request)
        self._blockers = frozenset[str]()
        self._looked_at = -LOOKED_SECONDS
        self.greeted: Final = asyncio.Event()
        """The page has been given the table: who is there comes after that."""

    @contextmanager
    def counted(self) -> Iterator[None]:
        """The reader is there; not so one that wants not to be seen, nor people round one device."""
        wish, caller = preferences_of(self._request).presence, self._request.user
        match = self._tables.reading.recalled(self._match_id)
        plays = match is not None and seat_of_caller(match, caller) is not None
        # Who has passed a device on does not look on.
        if wish == "hidden" or (match is not None and is_own_device(match, caller)):
            yield
            return
        person = caller.person
        is_named = wish == "named" and person is not None and not person.is_guest
        role: Role = "player" if plays else "named" if is_named else "counted"
        with self._presence.at(self._match_id, Visit(caller.person_id, role)):
            yield

    async def tell(self, outlet: Outlet) -> None:
        """Whenever it is other people; for as long as the page is open."""
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
            # What could not be shown is tried again.
            await asyncio.sleep(CALM_SECONDS)

    async def _may_go_on(self) -> bool:
        """Return whether the reader may still see the table; look up who blocks them now and then."""
        if not await is_welcome(self._request):
            return False
        person, at = self._request.user.person_id, asyncio.get_running_loop().time()
        if person and at - self._looked_at >= LOOKED_SECONDS:
            talk = TALK.of(self._request)
            self._blockers, self._looked_at = await asyncio.to_thread(talk.store.blockers, person), at
        return True

    def _chunk(self, frames: Sequence[AttendanceFrame]) -> Chunk:
        """The newest, as this reader may be told of it."""
        return told_to(frames[-1], self._blockers, self._language)


def told_to(frame: AttendanceFrame, blockers: frozenset[str], language: str) -> Chunk:
    """Those who keep a reader away are not named to them."""
    if blockers.isdisjoint(frame.named):
        return frame.chunk
    with speaking(language):
        names = [name for person, name in frame.named.items() if person not in blockers]
        return Chunk(encode_told(replace(frame.told, watching=watching_words(names, frame.counted))))


def seats_of(match: Match, there: Attendance) -> dict[int, str]:
    """How it stands with each seat of a person."""

    def standing(actor: str) -> str:
        return "typing" if actor in there.typing else "here" if actor in there.players else "away"

    return {seat: standing(info.actor) for seat, info in enumerate(match.seats) if info.is_person and info.actor}


def hidden_of(people: People, match: Match) -> frozenset[int]:
    """The seats of those who do not want to be seen, whether they are here or away."""

    def hides(actor: str) -> bool:
        person = people.find(actor)
        return person is None or read_word(person.preferences or "").presence == "hidden"

    return frozenset(
        seat for seat, info in enumerate(match.seats) if info.is_person and info.actor and hides(info.actor)
    )


def watching_words(names: list[str], counted: int) -> str:
    """Who watches, in a sentence; nothing where nobody does."""
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
    """The reader is writing something to the others at the table."""
    await read_form(request, BUTTON)
    own_seat(await matches.reading.present(match_id), caller)
    if preferences_of(request).presence != "hidden":
        PRESENCE.of(request).types(match_id, caller.actor)


HANDLERS: Final = (type_at_table,)
