"""The first page: a live table of bots, a table of one's own at one click, and who plays what."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final
from uuid import UUID, uuid4

from litestar import Response, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import FromQuery, URLEncodedBody
from litestar.response import Redirect, ServerSentEvent
from litestar.response.sse import ServerSentEventMessage

from api import commands
from api.accounts import People, Person
from api.demo import Demo
from api.guards import NOBODY, Caller
from api.pages.browser import SEE_OTHER, Form, PageRequest, csrf_of, page, person_of
from api.pages.fragments import (
    compose_folded,
    compose_read,
    digests,
    known,
    news,
    out_of_band,
    spoken,
    until_told,
)
from api.pages.offers import OFFERS
from api.pages.sign_in import session_cookie
from api.pages.table import CALM_SECONDS, drawn, table_path
from api.settings import Settings
from api.stream import heard
from api.tables import Tables, now
from domain.match.errors import NoSuchMatch

LISTED: Final = 20
GOING_ON: Final = frozenset({"open", "running", "paused"})
TITLE_DEFAULT: Final = "la_granja"
BOTS_DEFAULT: Final = 2
OPTION: Final = "option."
"""So begin the names of the fields that hold options of the title."""
NEXT_SECONDS: Final = 2.0
"""So long at most until the first page notices that the next demonstration has begun."""


class PlayForm(Form, frozen=True):
    title: str = TITLE_DEFAULT
    bots: int = BOTS_DEFAULT
    commitment: str = ""


class OpenForm(Form, frozen=True):
    title: str = TITLE_DEFAULT
    seats: int = 2
    commitment: str = ""


@get("/")
async def lobby_page(request: PageRequest, tables: NamedDependency[Tables], state: State) -> Response[str]:
    """The lobby."""
    context = await listed(request, tables) | {"offers": OFFERS, "bots_default": BOTS_DEFAULT}
    demo: Demo | None = state.demo
    if demo is not None and (match_id := await demo.opened()) is not None:
        live = await compose_read(tables, match_id, NOBODY)
        made = watched(await drawn(request, live))
        context |= {"live": live, "match": live.shown, "made": made, "have": spoken(digests(made, csrf_of(request)))}
    return page(request, "lobby.html", context)


async def listed(request: PageRequest, tables: Tables) -> dict[str, Any]:
    """The matches the lobby lists for this reader."""
    person = person_of(request)
    own = (await tables.lobby_of(person.id, LISTED)).matches if person else ()
    return {
        "own": [match for match in own if match.status in GOING_ON],
        "open": (await tables.lobby("open", LISTED, None)).matches,
        "running": (await tables.lobby("running", LISTED, None)).matches,
    }


@get("/live/stream", media_type="text/event-stream")
async def live_stream(
    request: PageRequest, tables: NamedDependency[Tables], state: State, have: FromQuery[str] = ""
) -> ServerSentEvent:
    """The demonstration table, one match after the other."""
    demo: Demo | None = state.demo
    if demo is None or await demo.opened() is None:
        raise NoSuchMatch("no demonstration is going on")
    return ServerSentEvent(live_events(request, tables, demo, known(have)))


def watched(made: Mapping[str, str]) -> dict[str, str]:
    """What is shown of a match to who only watches."""
    return {name: html for name, html in made.items() if name != "actions"}


async def live_events(
    request: PageRequest, tables: Tables, demo: Demo, have: dict[str, str]
) -> AsyncIterator[ServerSentEventMessage]:
    """What changes at the demonstration table, whichever match it is now."""
    while (match_id := demo.match_id) is not None:
        with tables.bells.listening(match_id) as rung:
            while match_id == demo.match_id:
                rung.clear()
                live = await compose_folded(tables, match_id, NOBODY)
                if not live.is_told:
                    await until_told(tables, live)
                    live = await compose_folded(tables, match_id, NOBODY)
                made = watched(await drawn(request, live))
                known_now = digests(made, csrf_of(request))
                if new := news(made, have, known_now):
                    yield ServerSentEventMessage(out_of_band(new), event="table")
                    have = known_now
                    await asyncio.sleep(CALM_SECONDS)
                else:
                    yield ServerSentEventMessage(None, comment="still here")
                await heard(rung, NEXT_SECONDS)


async def whoever(caller: Caller, people: People) -> tuple[Person, str | None]:
    """The person who asks; somebody unknown becomes a guest, with a session."""
    if caller.person is not None:
        return caller.person, None
    guest = await asyncio.to_thread(people.create_guest, now())
    return guest, await asyncio.to_thread(people.start_session, guest, now())


async def options_of(request: PageRequest) -> dict[str, str]:
    """What the form asks of the title."""
    form = await request.form()
    return {name.removeprefix(OPTION): str(value) for name, value in form.items() if name.startswith(OPTION)}


def seated(match_id: UUID, session: str | None, settings: Settings) -> Redirect:
    """To the table, with the session of a new guest."""
    cookies = [session_cookie(session, settings)] if session else []
    return Redirect(table_path(match_id), status_code=SEE_OTHER, cookies=cookies)


@post("/play", status_code=SEE_OTHER)
async def play(
    request: PageRequest,
    data: URLEncodedBody[PlayForm],
    caller: NamedDependency[Caller],
    people: NamedDependency[People],
    tables: NamedDependency[Tables],
    settings: NamedDependency[Settings],
) -> Redirect:
    """A table of one's own against bots, at one click."""
    person, session = await whoever(caller, people)
    bot = commands.bot_actor(settings.bots, settings.bots[0])
    wanted = commands.NewTable(data.title, data.bots + 1, await options_of(request), data.commitment or None)
    match = await tables.change(uuid4(), commands.own_table, wanted, bot, person.id, at=now())
    return seated(match.id, session, settings)


@post("/tables", status_code=SEE_OTHER)
async def open_table(
    request: PageRequest,
    data: URLEncodedBody[OpenForm],
    caller: NamedDependency[Caller],
    people: NamedDependency[People],
    tables: NamedDependency[Tables],
    settings: NamedDependency[Settings],
) -> Redirect:
    """A table for people, with a seat on it for whoever opens it."""
    person, session = await whoever(caller, people)
    wanted = commands.NewTable(data.title, data.seats, await options_of(request), data.commitment or None)
    match = await tables.change(uuid4(), commands.table_for_people, wanted, person.id, at=now())
    return seated(match.id, session, settings)


HANDLERS: Final = (lobby_page, live_stream, play, open_table)
