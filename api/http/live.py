"""The loop behind every live stream: query, send changes, wait for a notification."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any, Final, Protocol

from litestar.connection import ASGIConnection
from litestar.response.sse import ServerSentEventMessage

from api.http.admission import Admission, Require, is_welcome, require_nothing
from api.http.bells import NOTHING, Bells, Ear, Topic
from api.http.guards import Caller
from api.http.outlets import Chunk, LiveAnswer, Outlet, Telling, takes_gzip
from api.http.streams import STREAMS

BACK_MS_MIN: Final = 100
BACK_MS_SPREAD: Final = 900
"""Range of the reconnection delay in milliseconds, spread so that a thousand readers do not reconnect at once."""


class Calm(Protocol):
    """A view that is refreshed at most once per interval."""

    calm_seconds: float
    """Minimum seconds between two refreshes, unless a change is urgent."""

    async def is_urgent(self, rung: frozenset[Topic], heard: frozenset[Topic]) -> bool:
        """Return whether the reader should see the topics in `rung` at once; `heard` has all since the last refresh."""
        ...


class Scene(Calm, Protocol):
    """A view that a reader watches."""

    def topics(self) -> Sequence[Topic]:
        """Return the topics to subscribe to at the start."""
        ...

    async def news(self, ear: Ear, heard: frozenset[Topic]) -> Sequence[ServerSentEventMessage]:
        """Return the changes since the last call; `heard` has the notified topics.

        An empty `heard` means that everything is checked. A scene that needs more topics subscribes before it queries.
        """
        ...

    def beat(self) -> ServerSentEventMessage:
        """Return a heartbeat."""
        ...


async def live_events(
    bells: Bells, scene: Scene, may_go_on: Callable[[], Awaitable[bool]]
) -> AsyncGenerator[ServerSentEventMessage, None]:
    """Yield the events of a scene while its reader has access.

    The guards run after `news` and before the first of its events is sent, so nothing written after access ended
    reaches the reader.
    """
    loop = asyncio.get_running_loop()
    with bells.listening(*scene.topics()) as ear:
        heard, silent_since = NOTHING, loop.time()
        while True:
            messages = await scene.news(ear, heard)
            if not await may_go_on():
                return
            for message in messages:
                yield message
            if bells.are_closing:
                yield come_back()
                return
            is_silent = loop.time() - silent_since >= bells.heartbeat_seconds
            if not messages and (is_silent or not heard):
                yield scene.beat()
            if messages or is_silent:
                silent_since = loop.time()
            heard = await rest(bells, scene, ear) or await ear.rings(bells.heartbeat_seconds)


def come_back() -> ServerSentEventMessage:
    """Return the last event of a stream at shutdown, with a random reconnection delay.

    The browser sends the last id it received (`Last-Event-ID`), so another process continues from there.
    """
    return ServerSentEventMessage(data=None, retry=BACK_MS_MIN + secrets.randbelow(BACK_MS_SPREAD))


async def rest(bells: Bells, scene: Calm, ear: Ear) -> frozenset[Topic]:
    """Wait out the calm interval, or until an urgent topic; return the notified topics."""
    loop, heard = asyncio.get_running_loop(), NOTHING
    until = loop.time() + scene.calm_seconds
    while (left := until - loop.time()) > 0 and not bells.are_closing:
        rung = await ear.rings(left)
        heard |= rung
        if rung and await scene.is_urgent(rung, heard):
            break
    return heard


def live_stream(
    connection: ASGIConnection[Any, Caller, Any, Any], bells: Bells, scene: Scene, require: Require = require_nothing
) -> LiveAnswer:
    """Return the response of a stream for one reader. `require` runs in addition to the guards."""

    async def tell(outlet: Outlet) -> None:
        async with aclosing(live_events(bells, scene, partial(is_welcome, connection))) as events:
            async for event in events:
                await outlet.give(Chunk(event.encode()))

    return stay(connection, tell, require, is_packed=False)


def stay(
    connection: ASGIConnection[Any, Caller, Any, Any],
    tell: Telling,
    require: Require = require_nothing,
    *,
    is_packed: bool = True,
) -> LiveAnswer:
    """Return the response of a live stream, compressed if the reader accepts gzip.

    Every stream is created here and counts towards the limits. It ends with the event `closed` when the guards of its
    route or `require` reject the reader.
    """
    streams = STREAMS.of(connection)
    admission = Admission(connection, require)

    async def tell_until_refused(outlet: Outlet) -> None:
        try:
            await tell(outlet)
        except Exception:
            # A scene that queries data its reader may no longer see raises the error itself.
            if await admission.holds():
                raise
        if admission.refusal is not None:
            await outlet.give(Chunk(admission.closing()))

    is_packed = is_packed and takes_gzip(connection.headers.get("accept-encoding", ""))
    return LiveAnswer(tell_until_refused, streams.enter(connection), is_packed=is_packed)
