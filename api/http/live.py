"""The one loop behind every live stream: look, send what is new, wait until something rings."""

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
"""Milliseconds until a reader whose stream was ended comes back: spread, so that a thousand do not knock at once."""


class Calm(Protocol):
    """What is looked at again after a calm moment."""

    calm_seconds: float
    """After a look, what is not urgent waits so long: much may happen at once."""

    async def is_urgent(self, rung: frozenset[Topic], heard: frozenset[Topic]) -> bool:
        """Whether the reader should see at once what has just rung; `heard` is all that has since the last look."""
        ...


class Scene(Calm, Protocol):
    """What a reader looks at while it changes."""

    def topics(self) -> Sequence[Topic]:
        """What the scene listens to from the beginning."""
        ...

    async def news(self, ear: Ear, heard: frozenset[Topic]) -> Sequence[ServerSentEventMessage]:
        """What is new to the reader since the last look. `heard` is what has rung since then; where nothing has, the
        whole scene is looked at. A scene that finds more to listen to tells the ear before it looks at that."""
        ...

    def beat(self) -> ServerSentEventMessage:
        """What says that the stream lives, where there is nothing new."""
        ...


async def live_events(
    bells: Bells, scene: Scene, may_go_on: Callable[[], Awaitable[bool]]
) -> AsyncGenerator[ServerSentEventMessage, None]:
    """Yield the events of a scene until its reader may no longer see it.

    The guards run after `news` and before the first of its events is sent: nothing that was written after a right
    ended reaches the reader who lost it.
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
    """The end of a stream whose process stops: the reader comes back soon, and not all at the same moment. What it has
    seen last it says itself (`Last-Event-ID`), so that the next process goes on from there."""
    return ServerSentEventMessage(data=None, retry=BACK_MS_MIN + secrets.randbelow(BACK_MS_SPREAD))


async def rest(bells: Bells, scene: Calm, ear: Ear) -> frozenset[Topic]:
    """A calm moment, shorter where something urgent rings; what has rung meanwhile."""
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
    """Return the response of a stream with one reader. `require` is checked in addition to the guards."""

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
    """Return the response of a live stream, compressed where the reader accepts gzip.

    Every stream is made here and counts towards the limits. It ends with the event `closed` when the guards of its
    address or `require` refuse the reader.
    """
    streams = STREAMS.of(connection)
    admission = Admission(connection, require)

    async def tell_until_refused(outlet: Outlet) -> None:
        try:
            await tell(outlet)
        except Exception:
            # A scene that reads what its reader may no longer see raises the refusal itself.
            if await admission.holds():
                raise
        if admission.refusal is not None:
            await outlet.give(Chunk(admission.closing()))

    is_packed = is_packed and takes_gzip(connection.headers.get("accept-encoding", ""))
    return LiveAnswer(tell_until_refused, streams.enter(connection), is_packed=is_packed)
