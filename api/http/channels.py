"""Shared streams: changes are computed once and sent to all readers with the same view.

A channel lives while it has readers. It keeps only the latest frames; a reader who lags behind more is disconnected and
resumes after reconnecting.
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
from api.http.live import Throttled, reconnect_event, wait_for_refresh
from api.http.notifier import NO_TOPICS, Notifier, Subscriber, Topic
from api.http.requests_in_progress import RequestsInProgress
from api.http.stream_responses import Chunk, StreamOutput

WAKE_BATCH_SIZE: Final = 8
"""Readers woken in one step of the event loop, which takes a third of a millisecond."""
YIELD_SECONDS_MAX: Final = 0.1
"""Seconds, in total, for which waking readers yields to requests in progress."""

log = structlog.get_logger("channels")


class Frame(Protocol):
    """A message that advances a reader by one number."""

    @property
    def number(self) -> int:
        """The number of the frame."""
        ...


F = TypeVar("F", bound=Frame)
F_co = TypeVar("F_co", bound=Frame, covariant=True)


class Source(Throttled, Protocol[F_co]):
    """Produces the frames of one view."""

    def topics(self) -> Sequence[Topic]:
        """Return the topics to subscribe to."""
        ...

    async def poll(self, subscriber: Subscriber, topics: frozenset[Topic]) -> Sequence[F_co]:
        """Return the new frames with consecutive numbers; the first call sets the start."""
        ...

    @property
    def number(self) -> int:
        """The number of the latest frame."""
        ...

    @property
    def buffer_max(self) -> int:
        """Number of frames kept for slow readers; 0 if late readers need other frames."""
        ...


class Channel(Generic[F]):
    """The frames of one source for all of its readers."""

    def __init__(self, source: Source[F], notifier: Notifier, in_progress: RequestsInProgress) -> None:
        self.source: Final = source
        self._notifier = notifier
        self._in_progress = in_progress
        self._frames = deque[F]()
        self.number = 0
        self._waiting = list[asyncio.Future[None]]()
        self._has_polled = asyncio.Event()
        self.heartbeat_count = 0
        self.has_ended = False
        self.reader_count = 0

    @property
    def is_closing(self) -> bool:
        """Whether the process is shutting down, so that readers reconnect to another."""
        return self._notifier.is_closing

    async def wait_until_started(self) -> None:
        """Wait until the source was read for the first time."""
        await self._has_polled.wait()

    def frames_after(self, number: int) -> list[F] | None:
        """Return the frames after `number`; None if some of them were discarded."""
        count = self.number - number
        if count <= 0:
            return []
        if count > len(self._frames):
            return None
        return list(islice(self._frames, len(self._frames) - count, None))

    async def wait(self) -> None:
        """Wait for new frames, a heartbeat, or the end of the channel; return at once if it has ended."""
        if self.has_ended:
            return
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        await waiter

    async def run(self) -> None:
        """Read the source until cancelled, or until the notifier closes.

        Then the channel has ended and its readers are woken. An error is logged and ends the channel, so that the
        readers reconnect.
        """
        try:
            await self._run()
        except Exception as fault:
            log.warning("cannot render a shared view", exc_info=fault)
        finally:
            self.has_ended = True
            self._has_polled.set()
            await self._wake()

    async def _run(self) -> None:
        """Poll the source at each notification or heartbeat, buffer at most `buffer_max` frames, wake the readers."""
        source, loop = self.source, asyncio.get_running_loop()
        with self._notifier.subscribe(*source.topics()) as subscriber:
            topics, silent_since = NO_TOPICS, loop.time()
            while True:
                frames = await source.poll(subscriber, topics)
                self._frames.extend(frames)
                self.number = source.number
                self._has_polled.set()
                is_silent = loop.time() - silent_since >= self._notifier.heartbeat_seconds
                if is_silent and not frames:
                    self.heartbeat_count += 1
                if frames or is_silent:
                    silent_since = loop.time()
                    await self._wake()
                while len(self._frames) > source.buffer_max:
                    self._frames.popleft()
                if self._notifier.is_closing:
                    return
                topics = await wait_for_refresh(self._notifier, source, subscriber) or await subscriber.wait(
                    self._notifier.heartbeat_seconds
                )

    async def _wake(self) -> None:
        """Wake all waiting readers in batches.

        Between them wait for requests in progress, within `YIELD_SECONDS_MAX`.
        """
        waiting, self._waiting = self._waiting, []
        seconds_left = YIELD_SECONDS_MAX
        for first in range(0, len(waiting), WAKE_BATCH_SIZE):
            for waiter in waiting[first : first + WAKE_BATCH_SIZE]:
                if not waiter.done():
                    waiter.set_result(None)
            seconds_left -= await self._in_progress.wait_until_idle(seconds_left)


async def send_frames(
    channel: Channel[F],
    number: int,
    output: StreamOutput,
    may_continue: Callable[[], Awaitable[bool]],
    chunk_of: Callable[[Sequence[F]], Chunk],
    heartbeat: Chunk,
) -> int | None:
    """Send frames after `number` to a reader, or heartbeats (`heartbeat`) without any, while `may_continue` holds.

    Return the last number sent once it does not. Return None if the stream ends, because the channel ended or the
    reader is too slow; at shutdown a reconnect event is sent first.
    """
    heartbeat_count = channel.heartbeat_count
    while not channel.has_ended:
        # Read the frames first: frames that arrive during the access check belong to the next round.
        frames = channel.frames_after(number)
        if not await may_continue():
            return number
        if frames is None:
            return None
        if frames:
            await output.send(chunk_of(frames))
            number, heartbeat_count = frames[-1].number, channel.heartbeat_count
        elif heartbeat_count != channel.heartbeat_count:
            await output.send(heartbeat)
            heartbeat_count = channel.heartbeat_count
        elif channel.number <= number:
            await channel.wait()
    if channel.is_closing:
        await output.send(Chunk(reconnect_event().encode()))
    return None


class Channels:
    """The open channels of this process."""

    def __init__(self, notifier: Notifier, in_progress: RequestsInProgress) -> None:
        self._notifier = notifier
        self._in_progress = in_progress
        self._open = dict[Hashable, tuple[Channel[Any], asyncio.Task[None]]]()
        self._hits = 0
        self._misses = 0

    def count_uses(self) -> tuple[int, int]:
        """Return how many readers joined an open channel and how many opened one."""
        return self._hits, self._misses

    @contextmanager
    def join(self, key: Hashable, create_source: Callable[[], Source[F]]) -> Iterator[Channel[F]]:
        """Join the channel for the key, created and started by `create_source` if there is none.

        The last reader to leave stops it.
        """
        opened = self._open.get(key)
        if opened is not None and not opened[0].has_ended:
            self._hits += 1
        else:
            self._misses += 1
            channel = Channel(create_source(), self._notifier, self._in_progress)
            opened = self._open[key] = (channel, asyncio.create_task(channel.run()))
        channel, task = opened
        channel.reader_count += 1
        try:
            yield channel
        finally:
            channel.reader_count -= 1
            if not channel.reader_count:
                task.cancel()
                if self._open.get(key) is opened:
                    del self._open[key]

    @property
    def readers_by_key(self) -> dict[Hashable, int]:
        """Number of readers by key."""
        return {key: channel.reader_count for key, (channel, _) in self._open.items()}

    @property
    def is_empty(self) -> bool:
        """Whether no channel is open."""
        return not self._open


CHANNELS: Final = AppKey[Channels]("channels")
