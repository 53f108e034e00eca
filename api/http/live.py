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

from api.http.guards import Caller
from api.http.notifier import NO_TOPICS, Notifier, Subscriber, Topic
from api.http.stream_access import Require, StreamAccess, has_stream_access, require_nothing
from api.http.stream_responses import Chunk, StreamOutput, StreamResponse, StreamWriter, accepts_gzip
from api.http.streams import STREAMS

RECONNECT_MS_MIN: Final = 100
RECONNECT_MS_SPREAD: Final = 900
"""Range of the reconnection delay in milliseconds, spread so that a thousand readers do not reconnect at once."""


class Throttled(Protocol):
    """A view that is refreshed at most once per interval."""

    calm_seconds: float
    """Minimum seconds between two refreshes, unless a change is urgent."""

    async def is_urgent(self, new_topics: frozenset[Topic], topics: frozenset[Topic]) -> bool:
        """Return whether the reader should see `new_topics` at once; `topics` has all since the last refresh."""
        ...


class LiveView(Throttled, Protocol):
    """A view that a reader watches."""

    def topics(self) -> Sequence[Topic]:
        """Return the topics to subscribe to at the start."""
        ...

    async def next_events(self, subscriber: Subscriber, topics: frozenset[Topic]) -> Sequence[ServerSentEventMessage]:
        """Return the changes since the last call; `topics` has the notified topics.

        An empty `topics` means that everything is checked. A view that needs more topics subscribes before it queries.
        """
        ...

    def heartbeat(self) -> ServerSentEventMessage:
        """Return a heartbeat."""
        ...


async def live_events(
    notifier: Notifier, view: LiveView, may_continue: Callable[[], Awaitable[bool]]
) -> AsyncGenerator[ServerSentEventMessage, None]:
    """Yield the events of a view while `may_continue` holds, with heartbeats; a reconnect event ends it at shutdown.

    `may_continue` is checked after `next_events` and before the first of its events is sent, so nothing written after
    access ended reaches the reader.
    """
    loop = asyncio.get_running_loop()
    with notifier.subscribe(*view.topics()) as subscriber:
        topics, silent_since = NO_TOPICS, loop.time()
        while True:
            messages = await view.next_events(subscriber, topics)
            if not await may_continue():
                return
            for message in messages:
                yield message
            if notifier.is_closing:
                yield reconnect_event()
                return
            is_silent = loop.time() - silent_since >= notifier.heartbeat_seconds
            if not messages and (is_silent or not topics):
                yield view.heartbeat()
            if messages or is_silent:
                silent_since = loop.time()
            topics = await wait_for_refresh(notifier, view, subscriber) or await subscriber.wait(
                notifier.heartbeat_seconds
            )


def reconnect_event() -> ServerSentEventMessage:
    """Return the last event of a stream at shutdown, with a random reconnection delay.

    The browser sends the last id it received (`Last-Event-ID`), so another process continues from there.
    """
    return ServerSentEventMessage(data=None, retry=RECONNECT_MS_MIN + secrets.randbelow(RECONNECT_MS_SPREAD))


async def wait_for_refresh(notifier: Notifier, view: Throttled, subscriber: Subscriber) -> frozenset[Topic]:
    """Wait for the calm interval of the view, at most until the next heartbeat, an urgent topic or shutdown.

    Return the topics notified in this time.
    """
    loop, topics = asyncio.get_running_loop(), NO_TOPICS
    deadline = loop.time() + min(view.calm_seconds, notifier.heartbeat_seconds)
    while (seconds_left := deadline - loop.time()) > 0 and not notifier.is_closing:
        new_topics = await subscriber.wait(seconds_left)
        topics |= new_topics
        if new_topics and await view.is_urgent(new_topics, topics):
            break
    return topics


def live_stream(
    connection: ASGIConnection[Any, Caller, Any, Any],
    notifier: Notifier,
    view: LiveView,
    require: Require = require_nothing,
) -> StreamResponse:
    """Return the response of a stream for one reader, uncompressed; raise 429 at the limit of open streams.

    `require` runs in addition to the guards, and an error of it ends the stream.
    """

    async def write(output: StreamOutput) -> None:
        async with aclosing(live_events(notifier, view, partial(has_stream_access, connection))) as events:
            async for event in events:
                await output.send(Chunk(event.encode()))

    return open_stream(connection, write, require, is_packed=False)


def open_stream(
    connection: ASGIConnection[Any, Caller, Any, Any],
    write: StreamWriter,
    require: Require = require_nothing,
    *,
    is_packed: bool = True,
) -> StreamResponse:
    """Return the response of a live stream, compressed if `is_packed` and the reader accepts gzip.

    Raises 429 at the limit. Every stream is created here and counts towards the limits. It ends with the event `closed`
    when the guards of its route or `require` reject the reader.
    """
    streams = STREAMS.of(connection)
    access = StreamAccess(connection, require)

    async def write_until_refused(output: StreamOutput) -> None:
        try:
            await write(output)
        except Exception:
            # A view that queries data its reader may no longer see raises the error itself.
            if await access.is_granted():
                raise
        if access.refusal is not None:
            await output.send(Chunk(access.error_event()))

    is_packed = is_packed and accepts_gzip(connection.headers.get("accept-encoding", ""))
    return StreamResponse(write_until_refused, streams.acquire(connection), is_packed=is_packed)
