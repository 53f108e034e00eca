"""One look for all who see the same: what is new is made once, and every reader takes it from memory.

A channel lives as long as somebody listens. It keeps the newest frames, and no more: a reader that is slower than that
is let go, and comes back to where it was.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, Final, Generic, Protocol, TypeVar

import structlog

from api.http.app_state import AppKey
from api.http.bells import NOTHING, Bells, Ear, Topic
from api.http.live import Calm, come_back, rest
from api.http.outlets import Chunk, Outlet
from api.http.under_way import UnderWay

WOKEN_AT_ONCE: Final = 8
"""Between so many readers the event loop looks after everybody else: they hold it for a third of a millisecond."""
LETS_PASS_SECONDS: Final = 0.1
"""So long in all, readers who are to get something new wait for requests that are under way."""

log = structlog.get_logger("channels")


class Frame(Protocol):
    """What brings a reader from one number to the next."""

    @property
    def number(self) -> int: ...


F = TypeVar("F", bound=Frame)
F_co = TypeVar("F_co", bound=Frame, covariant=True)


class Source(Calm, Protocol[F_co]):
    """What is looked at for everybody who sees the same of it."""

    def topics(self) -> Sequence[Topic]:
        """What it listens to."""
        ...

    async def look(self, ear: Ear, heard: frozenset[Topic]) -> Sequence[F_co]:
        """What is new since the last look, each frame numbered by one more than that before; the first look finds
        where everybody begins."""
        ...

    @property
    def number(self) -> int:
        """Where a reader is who has everything."""
        ...

    @property
    def kept_max(self) -> int:
        """So many frames are kept for readers who lag behind; none where who comes later would get others."""
        ...


class Channel(Generic[F]):
    """What one source brings, for all its readers."""

    def __init__(self, source: Source[F], bells: Bells, under_way: UnderWay) -> None:
        self.source: Final = source
        self._bells = bells
        self._under_way = under_way
        self._frames = deque[F]()
        self.number = 0
        self._waiting = list[asyncio.Future[None]]()
        self._has_looked = asyncio.Event()
        self.beats = 0
        self.has_ended = False
        self.reader_count = 0

    @property
    def is_closing(self) -> bool:
        """The process stops: whoever reads here comes back to another one."""
        return self._bells.are_closing

    async def begun(self) -> None:
        """Until the first look was taken."""
        await self._has_looked.wait()

    def after(self, number: int) -> list[F] | None:
        """The frames a reader has to get yet; `None` where the first of them is not kept any more."""
        wanted = self.number - number
        if wanted <= 0:
            return []
        if wanted > len(self._frames):
            return None
        return list(islice(self._frames, len(self._frames) - wanted, None))

    async def rings(self) -> None:
        """Until there is something new, or a sign of life is due, or the channel has ended."""
        if self.has_ended:
            return
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        await waiter

    async def run(self) -> None:
        """Looks until it is cancelled. Where it cannot, its readers are let go, and come back."""
        try:
            await self._run()
        except Exception as fault:
            log.warning("what many look at could not be shown", exc_info=fault)
        finally:
            self.has_ended = True
            self._has_looked.set()
            await self._wake()

    async def _run(self) -> None:
        source, loop = self.source, asyncio.get_running_loop()
        with self._bells.listening(*source.topics()) as ear:
            heard, silent_since = NOTHING, loop.time()
            while True:
                frames = await source.look(ear, heard)
                self._frames.extend(frames)
                self.number = source.number
                self._has_looked.set()
                is_silent = loop.time() - silent_since >= self._bells.heartbeat_seconds
                if is_silent and not frames:
                    self.beats += 1
                if frames or is_silent:
                    silent_since = loop.time()
                    await self._wake()
                while len(self._frames) > source.kept_max:
                    self._frames.popleft()
                if self._bells.are_closing:
                    return
                heard = await rest(self._bells, source, ear) or await ear.rings(self._bells.heartbeat_seconds)

    async def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        left = LETS_PASS_SECONDS
        for first in range(0, len(waiting), WOKEN_AT_ONCE):
            for waiter in waiting[first : first + WOKEN_AT_ONCE]:
                if not waiter.done():
                    waiter.set_result(None)
            left -= await self._under_way.passed(left)


async def tell(
    channel: Channel[F],
    number: int,
    outlet: Outlet,
    may_go_on: Callable[[], Awaitable[bool]],
    chunk_of: Callable[[Sequence[F]], Chunk],
    beat: Chunk,
) -> int | None:
    """Gives a reader who has come to a number what follows, for as long as they may go on; the number they have come to
    then, or nothing where the stream ends here: the channel has ended, or the reader is too slow for it."""
    beats = channel.beats
    while not channel.has_ended:
        # What there is now, and not what comes while it is asked who the reader is.
        frames = channel.after(number)
        if not await may_go_on():
            return number
        if frames is None:
            return None
        if frames:
            await outlet.give(chunk_of(frames))
            number, beats = frames[-1].number, channel.beats
        elif beats != channel.beats:
            await outlet.give(beat)
            beats = channel.beats
        elif channel.number <= number:
            await channel.rings()
    if channel.is_closing:
        await outlet.give(Chunk(come_back().encode()))
    return None


class Channels:
    """The channels of this process that somebody listens to."""

    def __init__(self, bells: Bells, under_way: UnderWay) -> None:
        self._bells = bells
        self._under_way = under_way
        self._open = dict[Hashable, tuple[Channel[Any], asyncio.Task[None]]]()
        self._hits = 0
        self._misses = 0

    def used(self) -> tuple[int, int]:
        """How many readers found a channel of what they look at, and how many opened it."""
        return self._hits, self._misses

    @contextmanager
    def joined(self, key: Hashable, make: Callable[[], Source[F]]) -> Iterator[Channel[F]]:
        """The channel of what the key stands for, as long as the reader stays; the last one closes it."""
        known = self._open.get(key)
        if known is not None and not known[0].has_ended:
            self._hits += 1
        else:
            self._misses += 1
            channel = Channel(make(), self._bells, self._under_way)
            known = self._open[key] = (channel, asyncio.create_task(channel.run()))
        channel, task = known
        channel.reader_count += 1
        try:
            yield channel
        finally:
            channel.reader_count -= 1
            if not channel.reader_count:
                task.cancel()
                if self._open.get(key) is known:
                    del self._open[key]

    @property
    def readers_by_key(self) -> dict[Hashable, int]:
        """How many listen to each."""
        return {key: channel.reader_count for key, (channel, _) in self._open.items()}

    @property
    def is_empty(self) -> bool:
        return not self._open


CHANNELS: Final = AppKey[Channels]("channels")
