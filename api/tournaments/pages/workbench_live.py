"""Live updates of the organisers' workbench: open tasks, and each row of the round as it changes."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromQuery
from litestar.response import ServerSentEvent
from litestar.response.sse import ServerSentEventMessage

from api.http.fragments import changed_parts, digests, encode_message, heartbeat, split_digests
from api.http.live import live_stream
from api.http.notifier import Subscriber, Topic
from api.http.page_responses import csrf_of, render
from api.talk.state import REPORTS
from api.tournaments.pages.context import TournamentContext
from api.tournaments.pages.live import topics_of
from api.tournaments.pages.workbench import context_of
from projections import disputes

CALM_SECONDS: Final = 0.3
"""Delay between updates; short, so that organisers who enter results side by side see each other's."""
NEEDS: Final = "needs"
ROUND: Final = "round_panel"


def row_id(round_: int, table: int) -> str:
    """Return the element id of a row; stream events allow no dash in it."""
    return f"row_{round_}_{table}"


def cache_keys(context: Mapping[str, Any]) -> dict[str, str]:
    """Return a cache key by element id for the open tasks, each row, and the round without its results."""
    round_, rows = context["round"], context["rows"]
    around: tuple[Any, ...] = ()
    if round_ is not None:
        seated = [(table.entries, table.locked) for table in round_.tables]
        conflicts = context["conflicts_of"][round_.round]
        around = (msgspec.structs.replace(round_, tables=()), seated, conflicts, sum(row.is_open for row in rows) > 1)
    keys = {
        NEEDS: repr((context["needs"], context["tables_over"])),
        ROUND: repr((context["shown"].status, around)),
    }
    return keys | {row_id(round_.round, row.table.table): repr(row) for row in rows}


def render_parts(room: TournamentContext, context: Mapping[str, Any], places: Collection[str]) -> dict[str, str]:
    """Render the parts with these element ids; rows are not rendered separately if the round, which has them, is."""

    def piece(template: str, **more: object) -> str:
        return render(room.request, f"tournaments/{template}.html", {**context, **more})

    parts = {NEEDS: piece("desk_needs")} if NEEDS in places else {}
    if ROUND in places:
        return parts | {ROUND: piece("desk_round")}
    for row in context["rows"]:
        if (place := row_id(context["round"].round, row.table.table)) in places:
            parts[place] = piece("desk_row", row=row)
    return parts


class WorkbenchScene:
    """The live scene of the workbench."""

    calm_seconds = CALM_SECONDS

    def __init__(self, room: TournamentContext, have: Mapping[str, str]) -> None:
        self._room = room
        self._have = dict(have)

    def topics(self) -> Sequence[Topic]:
        """Return the topics to subscribe to."""
        return (*topics_of(self._room.id), disputes.NAME, REPORTS)

    async def next_events(self, subscriber: Subscriber, _: frozenset[Topic]) -> Sequence[ServerSentEventMessage]:
        """Return one message with the parts that have changed; empty if none has.

        Raises `RoleMissing` once the role is lost. Until the round has begun, also subscribes to its matches.
        """
        room = self._room
        event = await room.tournaments.reading.require_organiser(room.id)
        last = event.state.round
        waits = last is not None and last.status == "opened" and not last.begun
        subscriber.subscribe(
            *self.topics(), *(table.match for table in last.tables if table.match) if last and waits else ()
        )
        context = await context_of(room, event)
        keys = cache_keys(context)
        had, self._have = self._have, digests(keys, csrf_of(room.request))
        new = changed_parts(keys, had, self._have)
        if not new:
            return []
        return [encode_message(event.version, await asyncio.to_thread(render_parts, room, context, new), self._have)]

    async def is_urgent(self, _: frozenset[Topic], __: frozenset[Topic]) -> bool:
        """Return False: no update is urgent."""
        return False

    def heartbeat(self) -> ServerSentEventMessage:
        """Return a heartbeat."""
        return heartbeat()


@get("/desk/stream", media_type="text/event-stream")
async def desk_stream(room: NamedDependency[TournamentContext], have: FromQuery[str] = "") -> ServerSentEvent:
    """Stream the changed parts of the workbench to its organisers, and end when the reader loses the role."""
    await room.tournaments.reading.require_organiser(room.id)
    scene = WorkbenchScene(room, split_digests(have))
    return live_stream(
        room.request, room.tables.notifier, scene, partial(room.tournaments.reading.require_organiser, room.id)
    )
