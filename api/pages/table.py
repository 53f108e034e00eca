"""The table: a match drawn for its reader, every legal action a button, live for all who watch."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.exceptions import ClientException
from litestar.params import FromPath, FromQuery, URLEncodedBody
from litestar.response import ServerSentEvent
from litestar.response.sse import ServerSentEventMessage

from api import commands
from api.guards import Caller, requires_person
from api.pages.browser import Form, PageRequest, back_to, csrf_of, is_htmx, page, render
from api.pages.fragments import (
    Composed,
    compose_folded,
    compose_read,
    digests,
    fragments,
    known,
    news,
    out_of_band,
    spoken,
    until_told,
)
from api.schemas import AnyAction
from api.settings import Settings
from api.stream import heard
from api.tables import Tables, now
from domain.match.aggregate import Match
from domain.match.application import Matches

CALM_SECONDS: Final = 0.15
"""A page is not sent more often than this: bots can be quicker than eyes."""


class ActForm(Form, frozen=True):
    version: int
    action: str


class SeatForm(Form, frozen=True):
    seat: int
    commitment: str = ""


class ShareForm(Form, frozen=True):
    share: str = ""
    salt: str = ""


class VersionForm(Form, frozen=True):
    version: int


def table_path(match_id: UUID) -> str:
    return f"/tables/{match_id}"


async def drawn(request: PageRequest, page: Composed) -> dict[str, str]:
    """What this reader is shown, as fragments; drawn on a thread, because it takes a while."""

    def rendered(template: str, context: Mapping[str, Any]) -> str:
        return render(request, template, context)

    return await asyncio.to_thread(fragments, rendered, page, csrf_of(request))


async def table_events(
    request: PageRequest, tables: Tables, match_id: UUID, have: dict[str, str]
) -> AsyncIterator[ServerSentEventMessage]:
    """An event with every fragment that is new, whenever something has happened: first the position, then its words.

    This is the only way by which a page changes, so that nothing older ever comes after something newer.
    """
    with tables.bells.listening(match_id) as rung:
        while True:
            rung.clear()
            yield ServerSentEventMessage(None, comment="still here")
            for _ in range(2):
                composed = await compose_folded(tables, match_id, request.user)
                made = await drawn(request, composed)
                known_now = digests(made, csrf_of(request))
                if new := news(made, have, known_now):
                    yield ServerSentEventMessage(out_of_band(new), event="table", id=composed.shown.version)
                    have = known_now
                if composed.is_told:
                    break
                await until_told(tables, composed)
            await asyncio.sleep(CALM_SECONDS)
            await heard(rung)


@get("/tables/{match_id:uuid}")
async def table_page(request: PageRequest, match_id: FromPath[UUID], tables: NamedDependency[Tables]) -> Response[str]:
    """A match, drawn for whoever looks."""
    composed = await compose_read(tables, match_id, request.user)
    made = await drawn(request, composed)
    context = {"page": composed, "match": composed.shown, "made": made, "have": spoken(digests(made, csrf_of(request)))}
    return page(request, "table.html", context)


@get("/tables/{match_id:uuid}/stream", media_type="text/event-stream")
async def table_stream(
    request: PageRequest, match_id: FromPath[UUID], tables: NamedDependency[Tables], have: FromQuery[str] = ""
) -> ServerSentEvent:
    """What changes on the page, as it changes."""
    await tables.get(match_id)
    return ServerSentEvent(table_events(request, tables, match_id, known(have)))


def changed(request: PageRequest, match: Match) -> Response[Any]:
    """After a change: the new version alone for htmx, whose page has a stream; the page again for a plain form."""
    if is_htmx(request):
        return Response(None, status_code=204, headers={"ETag": f'"{match.version}"'})
    return back_to(table_path(match.id), request)


def action_of(form: ActForm) -> Any:
    """The action a button stands for."""
    try:
        return msgspec.json.decode(form.action, type=AnyAction)
    except msgspec.DecodeError as fault:
        raise ClientException(f"the form holds no action: {fault}") from fault


@post("/tables/{match_id:uuid}/act", guards=[requires_person], status_code=200)
async def act(
    request: PageRequest,
    match_id: FromPath[UUID],
    data: URLEncodedBody[ActForm],
    caller: NamedDependency[Caller],
    tables: NamedDependency[Tables],
) -> Response[Any]:
    """The action of the button that was pressed."""
    match = await tables.change(
        match_id, commands.act, caller, None, action_of(data), expected_version=data.version, at=now()
    )
    return changed(request, match)


@post("/tables/{match_id:uuid}/sit", guards=[requires_person], status_code=200)
async def sit(
    request: PageRequest,
    match_id: FromPath[UUID],
    data: URLEncodedBody[SeatForm],
    caller: NamedDependency[Caller],
    tables: NamedDependency[Tables],
) -> Response[Any]:
    """Sit down, with the share of luck the browser has committed to."""
    share = data.commitment or None
    await tables.change(match_id, Matches.take_seat, data.seat, caller.actor, at=now(), share_commitment=share)
    return back_to(table_path(match_id), request)


@post("/tables/{match_id:uuid}/bot", guards=[requires_person], status_code=200)
async def seat_bot(
    request: PageRequest,
    match_id: FromPath[UUID],
    data: URLEncodedBody[SeatForm],
    caller: NamedDependency[Caller],
    tables: NamedDependency[Tables],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """Put a bot on a seat."""
    bot = commands.bot_actor(settings.bots, settings.bots[0])
    await tables.change(match_id, commands.seat_bot, data.seat, bot, caller, at=now())
    return back_to(table_path(match_id), request)


@post("/tables/{match_id:uuid}/leave", guards=[requires_person], status_code=200)
async def leave(
    request: PageRequest,
    match_id: FromPath[UUID],
    data: URLEncodedBody[SeatForm],
    caller: NamedDependency[Caller],
    tables: NamedDependency[Tables],
) -> Response[Any]:
    """Get up, or send somebody away from an own table."""
    await tables.change(match_id, Matches.leave_seat, data.seat, caller.actor, at=now())
    return back_to(table_path(match_id), request)


@post("/tables/{match_id:uuid}/ready", guards=[requires_person], status_code=200)
async def be_ready(
    request: PageRequest,
    match_id: FromPath[UUID],
    data: URLEncodedBody[ShareForm],
    caller: NamedDependency[Caller],
    tables: NamedDependency[Tables],
) -> Response[Any]:
    """Ready; with the share the browser had committed to, or with a new one of the service."""
    await tables.change(match_id, commands.ready_anyway, caller, share=data.share, salt=data.salt, at=now())
    return back_to(table_path(match_id), request)


@post("/tables/{match_id:uuid}/pause", guards=[requires_person], status_code=200)
async def pause(
    request: PageRequest, match_id: FromPath[UUID], caller: NamedDependency[Caller], tables: NamedDependency[Tables]
) -> Response[Any]:
    """Ask for a pause."""
    match = await tables.change(match_id, commands.pause, caller, at=now())
    return changed(request, match)


@post("/tables/{match_id:uuid}/resume", guards=[requires_person], status_code=200)
async def resume(
    request: PageRequest, match_id: FromPath[UUID], caller: NamedDependency[Caller], tables: NamedDependency[Tables]
) -> Response[Any]:
    """Go on after a pause."""
    match = await tables.change(match_id, Matches.resume, caller.actor, at=now())
    return changed(request, match)


@post("/tables/{match_id:uuid}/resign", guards=[requires_person], status_code=200)
async def resign(
    request: PageRequest, match_id: FromPath[UUID], caller: NamedDependency[Caller], tables: NamedDependency[Tables]
) -> Response[Any]:
    """Give up."""
    match = await tables.change(match_id, commands.resign, caller, at=now())
    return changed(request, match)


@post("/tables/{match_id:uuid}/hand-over", guards=[requires_person], status_code=200)
async def hand_over(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    tables: NamedDependency[Tables],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """Let a bot play on."""
    bot = commands.bot_actor(settings.bots, settings.bots[0])
    match = await tables.change(match_id, commands.hand_over, bot, caller, at=now())
    return changed(request, match)


@post("/tables/{match_id:uuid}/take-back", guards=[requires_person], status_code=200)
async def take_back(
    request: PageRequest,
    match_id: FromPath[UUID],
    data: URLEncodedBody[VersionForm],
    caller: NamedDependency[Caller],
    tables: NamedDependency[Tables],
) -> Response[Any]:
    """Take the last action back."""
    match = await tables.change(match_id, commands.take_back, caller, to_version=data.version, at=now())
    return changed(request, match)


HANDLERS: Final = (
    table_page,
    table_stream,
    act,
    sit,
    seat_bot,
    leave,
    be_ready,
    pause,
    resume,
    resign,
    hand_over,
    take_back,
)
