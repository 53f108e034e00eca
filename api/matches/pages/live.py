"""A page that changes while it is looked at: the events of its stream, sent when something has happened.

The stream is the only way by which an open page changes, so that nothing older ever comes after something newer. Every
event names in its id what the page then shows; a page that lost its stream says so when it comes back, and gets the
rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar.response.sse import ServerSentEventMessage

from api.matches.pages.fragments import (
    Composed,
    actions_of,
    compose_folded,
    digests,
    fragments,
    news,
    retold,
    spoken,
    told_fragments,
    until_told,
)
from api.matches.service import Tables, now, seat_of_caller
from api.matches.stream import HEARTBEAT_SECONDS, heard, is_welcome
from api.web.browser import PageRequest, csrf_of, render
from api.web.guards import Caller
from domain.matches.aggregate import Match, seats_to_act

CALM_SECONDS: Final = 0.15
"""What others do is not sent more often than this: bots can be quicker than eyes."""
UNTOLD_SECONDS: Final = 1.0
"""So soon the words are asked for again that have not caught up with the match: nobody rings when they have."""
BEAT: Final = "beat"
"""An event that says only that the connection is alive."""


class Changed(msgspec.Struct, frozen=True):
    """What an event of the stream holds: the pieces that are new, and the time of the service, for the clocks."""

    version: int
    now: int
    parts: Mapping[str, str]


def milliseconds() -> int:
    return int(now().timestamp() * 1000)


def sent(version: int, new: Mapping[str, str], have: Mapping[str, str]) -> ServerSentEventMessage:
    """The event with what is new; its id says what the page has then."""
    data = msgspec.json.encode(Changed(version, milliseconds(), new)).decode()
    return ServerSentEventMessage(data, event="table", id=f"{version}~{spoken(have)}")


def beat() -> ServerSentEventMessage:
    return ServerSentEventMessage("{}", event=BEAT)


async def drawn(request: PageRequest, page: Composed) -> dict[str, str]:
    """What this reader is shown, as fragments; drawn on a thread, because it takes a while."""
    return await asyncio.to_thread(fragments, renderer(request), page, csrf_of(request))


def renderer(request: PageRequest) -> Any:
    def rendered(template: str, context: Mapping[str, Any]) -> str:
        return render(request, template, context)

    return rendered


async def table_events(
    request: PageRequest, tables: Tables, match_id: UUID, have: Mapping[str, str]
) -> AsyncIterator[ServerSentEventMessage]:
    """An event with every piece that is new, whenever something has happened: first the position, then its words."""
    csrf, have = csrf_of(request), dict(have)
    with tables.bells.listening(match_id) as rung:
        while await is_welcome(request):
            rung.clear()
            page = await compose_folded(tables, match_id, request.user)
            made = await drawn(request, page)
            had, have = have, digests(made, csrf)
            if new := news(made, had, have):
                yield sent(page.shown.version, new, have)
            else:
                yield beat()
            if not page.is_told:
                await until_told(tables, page, rung)
                page = await retold(tables, page, request.user)
                told = await asyncio.to_thread(told_fragments, renderer(request), page, csrf)
                if new := news(told, have, digests(told, csrf)):
                    have |= digests(new, csrf)
                    yield sent(page.shown.version, new, have)
            await calm(tables, page, request.user, rung)
            await heard(rung, HEARTBEAT_SECONDS if page.is_told else UNTOLD_SECONDS)


async def calm(tables: Tables, page: Composed, caller: Caller, rung: asyncio.Event) -> None:
    """Rest a moment, unless what happens is the reader's own doing, or is for the reader to answer."""
    loop, is_rung = asyncio.get_running_loop(), False
    until = loop.time() + CALM_SECONDS
    with suppress(TimeoutError):
        while (left := until - loop.time()) > 0:
            await asyncio.wait_for(rung.wait(), left)
            is_rung = True
            if is_urgent(await tables.get(page.shown.match_id), page, caller):
                break
            rung.clear()
    if is_rung:
        rung.set()


def is_urgent(match: Match, page: Composed, caller: Caller) -> bool:
    """The reader has acted since the page was made, or is asked, or the table rests or is over."""
    seat = seat_of_caller(match, caller)
    has_acted = actions_of(match, seat) != page.own_actions
    return has_acted or match.status != page.shown.status or seat in seats_to_act(match)
