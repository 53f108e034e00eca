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
    round_key: tuple[Any, ...] = ()
    if round_ is not None:
        seating = [(table.entries, table.locked) for table in round_.tables]
        conflicts = context["conflicts_of"][round_.round]
        round_key = (
            msgspec.structs.replace(round_, tables=()),
            seating,
            conflicts,
            sum(row.is_open for row in rows) > 1,
        )
    keys = {
        NEEDS: repr((context["needs"], context["tables_over"])),
        ROUND: repr((context["shown"].status, round_key)),
    }
    return keys | {row_id(round_.round, row.table.table): repr(row) for row in rows}


def render_parts(page: TournamentContext, context: Mapping[str, Any], part_ids: Collection[str]) -> dict[str, str]:
    """Render the parts with these element ids; rows are not rendered separately if the round, which has them, is."""

    def render_piece(template: str, **extra: object) -> str:
        return render(page.request, f"tournaments/{template}.html", {**context, **extra})

    parts = {NEEDS: render_piece("desk_needs")} if NEEDS in part_ids else {}
    if ROUND in part_ids:
        return parts | {ROUND: render_piece("desk_round")}
    for row in context["rows"]:
        if (part := row_id(context["round"].round, row.table.table)) in part_ids:
            parts[part] = render_piece("desk_row", row=row)
    return parts


class WorkbenchScene:
    """The live scene of the workbench."""

    calm_seconds = CALM_SECONDS

    def __init__(self, page: TournamentContext, shown_digests: Mapping[str, str]) -> None:
        self._page = page
        self._shown_digests = dict(shown_digests)

    def topics(self) -> Sequence[Topic]:
        """Return the topics to subscribe to."""
        return (*topics_of(self._page.id), disputes.NAME, REPORTS)

    async def next_events(self, subscriber: Subscriber, _: frozenset[Topic]) -> Sequence[ServerSentEventMessage]:
        """Return one message with the parts that have changed; empty if none has.

        Raises `RoleMissing` once the role is lost. Until the round has begun, also subscribes to its matches.
        """
        page = self._page
        event = await page.tournaments.reading.require_organiser(page.id)
        latest_round = event.state.round
        awaits_start = latest_round is not None and latest_round.status == "opened" and not latest_round.begun
        subscriber.subscribe(
            *self.topics(),
            *(table.match for table in latest_round.tables if table.match) if latest_round and awaits_start else (),
        )
        context = await context_of(page, event)
        keys = cache_keys(context)
        previous_digests, self._shown_digests = self._shown_digests, digests(keys, csrf_of(page.request))
        changed = changed_parts(keys, previous_digests, self._shown_digests)
        if not changed:
            return []
        return [
            encode_message(
                event.version, await asyncio.to_thread(render_parts, page, context, changed), self._shown_digests
            )
        ]

    async def is_urgent(self, _: frozenset[Topic], __: frozenset[Topic]) -> bool:
        """Return False: no update is urgent."""
        return False

    def heartbeat(self) -> ServerSentEventMessage:
        """Return a heartbeat."""
        return heartbeat()


@get("/desk/stream", media_type="text/event-stream")
async def desk_stream(page: NamedDependency[TournamentContext], have: FromQuery[str] = "") -> ServerSentEvent:
    """Stream the changed parts of the workbench to its organisers, and end when the reader loses the role."""
    await page.tournaments.reading.require_organiser(page.id)
    view = WorkbenchScene(page, split_digests(have))
    return live_stream(
        page.request, page.tables.notifier, view, partial(page.tournaments.reading.require_organiser, page.id)
    )
