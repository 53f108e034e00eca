"""The first page: a live table of bots, a table of one's own at one click, and who plays what."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

import msgspec
from litestar import Response, get
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import FromQuery
from litestar.response import ServerSentEvent
from litestar.response.sse import ServerSentEventMessage

from api.matches.demo import Demo
from api.matches.pages.fragments import compose_folded, compose_read, digests, known, news, retold, spoken, until_told
from api.matches.pages.live import CALM_SECONDS, beat, drawn, milliseconds, sent
from api.matches.pages.setting_up import BOTS_DEFAULT
from api.matches.service import Tables
from api.matches.stream import heard
from api.matches.wire import MatchListed
from api.titles.offers import OFFERS
from api.web.browser import PageRequest, csrf_of, page, person_of
from api.web.guards import NOBODY
from api.web.paging import Before, Limit
from api.web.parts import filled
from domain.matches.errors import NoSuchMatch
from projections.paging import LIMIT

SHOWN_FIRST: Final = 8
"""So many tables stand on the first page."""
FIRST: Final = "first"
"""The part of the list that stands on the first page."""
GOING_ON: Final = ("open", "running", "paused")
STATES: Final = frozenset({*GOING_ON, "ended"})
NEXT_SECONDS: Final = 2.0
"""So long at most until the first page notices that the next demonstration has begun."""


class Wanted(msgspec.Struct, frozen=True):
    """Which tables somebody wants to see; nothing said: all that can be joined or watched."""

    title: str = ""
    state: str = ""

    @property
    def statuses(self) -> tuple[str, ...]:
        return (self.state,) if self.state in STATES else GOING_ON


class Listed(msgspec.Struct, frozen=True):
    """A part of the list: its tables, and where the older ones begin."""

    wanted: Wanted
    matches: tuple[MatchListed, ...]
    next: int | None


@get("/")
async def lobby_page(request: PageRequest, tables: NamedDependency[Tables], state: State) -> Response[str]:
    """The lobby."""
    context: dict[str, Any] = {"offers": OFFERS, "bots_default": BOTS_DEFAULT, "own": await own_tables(request, tables)}
    context["list"] = await listed(tables, Wanted(), None, SHOWN_FIRST)
    demo: Demo | None = state.demo
    if demo is not None and (match_id := await demo.opened()) is not None:
        live = await compose_read(tables, match_id, NOBODY)
        made = watched(await drawn(request, live))
        context |= {"live": live, "match": live.shown, "made": filled(made), "now": milliseconds()}
        context["have"] = spoken(digests(made, csrf_of(request)))
    return page(request, "matches/lobby.html", context)


@get("/tables")
async def tables_page(
    request: PageRequest,
    tables: NamedDependency[Tables],
    title: FromQuery[str] = "",
    status: FromQuery[str] = "",
    before: Before = None,
    limit: Limit = LIMIT,
    part: FromQuery[str] = "",
) -> Response[str]:
    """All public tables, as they are asked for; the bare list for a page that keeps its own fresh."""
    shown = await listed(tables, Wanted(title, status), before, SHOWN_FIRST if part == FIRST else limit)
    if part:
        return page(request, "matches/lobby/list.html", {"list": shown})
    context = {"list": shown, "before": before, "limit": limit, "own": await own_tables(request, tables)}
    return page(request, "matches/tables.html", context)


async def own_tables(request: PageRequest, tables: Tables) -> tuple[MatchListed, ...]:
    """The matches this reader plays in, those that go on."""
    person = person_of(request)
    own = (await tables.lobby_of(person.id, LIMIT)).matches if person else ()
    return tuple(match for match in own if match.status in GOING_ON)


async def listed(tables: Tables, wanted: Wanted, before: int | None, limit: int) -> Listed:
    """The newest public tables of those states."""
    lobby = await tables.lobby_among(wanted.statuses, wanted.title, limit, before)
    return Listed(wanted, lobby.matches, lobby.next)


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
    csrf = csrf_of(request)
    while (match_id := demo.match_id) is not None:
        with tables.bells.listening(match_id) as rung:
            while match_id == demo.match_id:
                rung.clear()
                live = await compose_folded(tables, match_id, NOBODY)
                if not live.is_told:
                    await until_told(tables, live)
                    live = await retold(tables, live, NOBODY)
                made = watched(await drawn(request, live))
                had, have = have, digests(made, csrf)
                if new := news(made, had, have):
                    yield sent(live.shown.version, new, have)
                    await asyncio.sleep(CALM_SECONDS)
                else:
                    yield beat()
                await heard(rung, NEXT_SECONDS)


HANDLERS: Final = (lobby_page, tables_page, live_stream)
