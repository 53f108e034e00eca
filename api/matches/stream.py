"""Server-sent events of a match: its entries, each redacted for the reader, without a gap."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

from litestar.connection import ASGIConnection
from litestar.exceptions import NotAuthorizedException
from litestar.response.sse import ServerSentEventMessage

from api.disputes.guards import shields_what_ifs
from api.matches import reading
from api.matches.service import Tables
from api.web.guards import Caller, identify
from domain.disputes.errors import NotAParty

HEARTBEAT_SECONDS: Final = 10.0
"""A comment is sent this often where nothing happens, and the store is looked at in case a bell was missed."""
STREAM_BATCH: Final = 100


async def is_welcome(connection: ASGIConnection[Any, Caller, Any, Any]) -> bool:
    """Whether whoever opened a stream is still known by the same token or session, and may still see the match.

    A stream outlives what let it in: whoever signs out, is forgotten or no longer rules is told nothing more.
    """
    try:
        if identify(connection) != connection.user:
            return False
        await shields_what_ifs(connection, connection.route_handler)
    except (NotAuthorizedException, NotAParty):
        return False
    return True


async def entry_events(
    tables: Tables, match_id: UUID, caller: Caller, after: int, may_go_on: Callable[[], Awaitable[bool]]
) -> AsyncIterator[ServerSentEventMessage]:
    """An event per entry after a version. The version is the event's id, so that a reader can go on from there."""
    with tables.bells.listening(match_id) as rung:
        while await may_go_on():
            rung.clear()
            shown = await tables.look(reading.entries_for, match_id, caller, after, STREAM_BATCH)
            for line in shown.entries:
                after += 1
                yield ServerSentEventMessage(bytes(line), event="entry", id=after)
            if not shown.more:
                yield ServerSentEventMessage(None, comment="still here")
                await heard(rung)


async def heard(rung: asyncio.Event, seconds: float = HEARTBEAT_SECONDS) -> None:
    """Wait for the bell, or for the next heartbeat."""
    with suppress(TimeoutError):
        await asyncio.wait_for(rung.wait(), seconds)
