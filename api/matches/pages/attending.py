"""Who is at a table, told to its pages beside what happens there: at seats, among those who watch, in the chat."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final
from uuid import UUID

import msgspec
from babel.lists import format_list
from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath

from api.accounts.people import People
from api.accounts.service import AccountService
from api.matches.callers import own_seat, seat_of_caller
from api.matches.presence import Attendance, Presence, Role, Visit, topic_of
from api.matches.service import MatchService
from api.talk.talking import Talk
from api.web.browser import PageRequest
from api.web.forms import BUTTON, read_form
from api.web.guards import Caller, requires_person
from api.web.languages import _, language_of, locale, ngettext, speaking
from api.web.outlets import Chunk, Outlet, encode_event
from api.web.preferences import preferences_of, read_word
from domain.matches.aggregate import Match

EVENT: Final = "presence"
CALM_SECONDS: Final = 1.0
"""Who comes and goes is not told more often than that."""
LOOK_SECONDS: Final = 60.0


class Told(msgspec.Struct, frozen=True):
    """What the event holds: how it stands with the seats of people, what is said of those who type, and who watches."""

    seats: Mapping[int, str]
    typing: Mapping[int, str]
    watching: str


class Attending:
    """A page of a table, which is told who is there, and is counted itself as its reader wants."""

    def __init__(self, request: PageRequest, matches: MatchService, match_id: UUID) -> None:
        self._request = request
        self._tables = matches
        self._match_id = match_id
        self._presence: Presence = request.app.state.presence
        self._language = language_of(request)
        self.greeted: Final = asyncio.Event()
        """The page has been given the table: who is there comes after that."""

    @contextmanager
    def counted(self) -> Iterator[None]:
        """The reader is there; not so one that wants not to be seen."""
        wish, caller = preferences_of(self._request).presence, self._request.user
        match = self._tables.recalled(self._match_id)
        plays = match is not None and seat_of_caller(match, caller) is not None
        if wish == "hidden":
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
        told = b""
        with self._tables.bells.listening(topic_of(self._match_id)) as ear:
            while True:
                content = await self._encode(self._presence.of(self._match_id))
                if content != told:
                    await outlet.give(Chunk(content))
                    told = content
                await asyncio.sleep(CALM_SECONDS)
                await ear.rings(LOOK_SECONDS)

    async def _encode(self, there: Attendance) -> bytes:
        match = await self._tables.present(self._match_id)
        blockers = await self._blockers(there)
        named = [person for person in there.named if person not in blockers]
        accounts: AccountService = self._request.app.state.accounts
        with speaking(self._language):
            names = await self._tables.names_at(match)
            watching = await accounts.names_beside(named)
            hidden = await asyncio.to_thread(hidden_of, self._request.app.state.people, match)
            told = Told(
                {seat: standing for seat, standing in seats_of(match, there).items() if seat not in hidden},
                {
                    seat: _("{name} is typing", name=names[info.actor])
                    for seat, info in enumerate(match.seats)
                    if info.actor in there.typing and info.actor is not None
                },
                watching_words([watching[person] for person in named], there.counted),
            )
        return encode_event(msgspec.json.encode(told).decode(), event=EVENT)

    async def _blockers(self, there: Attendance) -> frozenset[str]:
        """Those who keep the reader away are not named to them."""
        talk: Talk = self._request.app.state.talk
        person = self._request.user.person_id
        return await asyncio.to_thread(talk.store.blockers, person) if person and there.named else frozenset()


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
    own_seat(await matches.present(match_id), caller)
    if preferences_of(request).presence != "hidden":
        request.app.state.presence.types(match_id, caller.actor)


HANDLERS: Final = (type_at_table,)
