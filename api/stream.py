"""Server-sent events of a match: its entries, each redacted for the reader, without a gap."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final
from uuid import UUID

from litestar.response.sse import ServerSentEventMessage

from api import reading
from api.guards import Caller
from api.tables import Tables

HEARTBEAT_SECONDS: Final = 10.0
"""A comment is sent this often where nothing happens, and the store is looked at in case a bell was missed."""
STREAM_BATCH: Final = 100


async def entry_events(
    tables: Tables, match_id: UUID, caller: Caller, after: int
) -> AsyncIterator[ServerSentEventMessage]:
    """An event per entry after a version. The version is the event's id, so that a reader can go on from there."""
    with tables.bells.listening(match_id) as rung:
        while True:
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
