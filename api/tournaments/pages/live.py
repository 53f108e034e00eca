"""An event while somebody looks at it: every table of the newest round as it stands, the standings, the next round."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromQuery
from litestar.response import ServerSentEvent
from litestar.response.sse import ServerSentEventMessage

from api.matches.pages.fragments import digests, known, news
from api.matches.pages.live import beat, sent
from api.matches.stream import heard
from api.tournaments.pages.room import Board, EventRoom
from api.tournaments.wire import EventShown, RoundShown
from api.web.browser import csrf_of, render
from domain.tournaments.commands import Event

CALM_SECONDS: Final = 1.0
"""Many tables change at once: what happens at them is not sent more often than this."""
LOOK_SECONDS: Final = 3.0
"""Results come from the read models, which ring no bell; they are looked at this often."""
STRUCTURE: Final = "rounds"
"""The place of all rounds; it is sent anew only when rounds or results are others, not when somebody scores."""
BEST: Final = "best"


def table_place(round_: int, table: int) -> str:
    """The id of the place of a table; a stream's words allow no dash in it."""
    return f"at_{round_}_{table}"


class Watched(msgspec.Struct):
    """What a stream knows of an event: enough to draw only what is new."""

    context: Mapping[str, Any]
    keys: Mapping[str, str]
    """Of every piece, by the id of its place, what it is drawn from: the same key, the same piece."""


async def watched(room: EventRoom, event: Event, boards: dict[UUID, Board]) -> Watched:
    """The event as it stands; `boards` are those drawn before, kept while their match stays where it is."""
    context = await room.context(event)
    shown = context["shown"]
    boards |= await room.boards(shown, boards)
    results = [[(table.status, table.places, table.scores) for table in each.tables] for each in shown.rounds]
    structure = repr((shown.version, results))
    keys = {STRUCTURE: structure, BEST: structure}
    if (newest := played(shown)) is not None:
        for table in newest.tables:
            board = boards.get(table.match_id) if table.match_id is not None else None
            keys[table_place(newest.round, table.table)] = (
                f"{structure}{board.status, board.version}" if board else structure
            )
    return Watched({**context, "boards": boards}, keys)


def played(shown: EventShown) -> RoundShown | None:
    """The newest round everybody may see, until it is closed."""
    return next((each for each in reversed(shown.rounds) if each.status in {"opened", "published"}), None)


def drawn(room: EventRoom, context: Mapping[str, Any], places: Collection[str]) -> dict[str, str]:
    """The pieces of these places."""

    def made(template: str, **more: Any) -> str:
        return render(room.request, f"tournaments/{template}.html", {**context, **more})

    parts = {place: made(place) for place in (STRUCTURE, BEST) if place in places}
    if (newest := played(context["shown"])) is not None:
        for table in newest.tables:
            if (place := table_place(newest.round, table.table)) in places:
                parts[place] = made("round_table", round=newest, table=table)
    return parts


@get("/stream", media_type="text/event-stream")
async def event_stream(room: NamedDependency[EventRoom], have: FromQuery[str] = "") -> ServerSentEvent:
    """What changes on the page of the event, as it changes."""
    await room.office.get(room.id)
    return ServerSentEvent(event_events(room, known(have)))


async def event_events(room: EventRoom, have: dict[str, str]) -> AsyncIterator[ServerSentEventMessage]:
    """An event with every piece that is new, whenever something has happened at the event or at one of its tables."""
    csrf, bells, boards = csrf_of(room.request), room.tables.bells, dict[UUID, Board]()
    while True:
        last = (await room.office.get(room.id)).state.round
        matches = [table.match for table in last.tables if table.match is not None] if last else []
        with bells.listening(room.id, *matches) as rung:
            event = await room.office.get(room.id)
            seen = await watched(room, event, boards)
            now = digests(seen.keys, csrf)
            if new := news(seen.keys, have, now):
                context = {**seen.context, "standings": await room.standings(event)}
                have = now
                yield sent(event.version, await asyncio.to_thread(drawn, room, context, new), have)
            else:
                yield beat()
            await asyncio.sleep(CALM_SECONDS)
            await heard(rung, LOOK_SECONDS)
