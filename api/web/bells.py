"""Waking whoever waits for entries of a match: in this process, and by the Redis doorbell across processes."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final
from uuid import UUID

from redis.asyncio import Redis
from redis.exceptions import RedisError

DOORBELL: Final = "esporles:doorbell"
LOOK_SECONDS: Final = 1.0
"""Without the doorbell, who waits looks into the store this often."""
RING_SECONDS: Final = 0.02
"""Rings are at least so far apart: what is appended shortly after one is told by the next, all of it together."""


class Bells:
    """One bell per match, rung after an append. A ring is a hint: whoever hears it looks into the store."""

    def __init__(self) -> None:
        self._listeners: defaultdict[UUID, set[asyncio.Event]] = defaultdict(set)
        self._arrived = asyncio.Event()

    @contextmanager
    def listening(self, *match_ids: UUID) -> Iterator[asyncio.Event]:
        """An event that is set whenever one of the matches may have a new entry."""
        rung = asyncio.Event()
        for match_id in match_ids:
            self._listeners[match_id].add(rung)
        self._arrived.set()
        try:
            yield rung
        finally:
            for match_id in match_ids:
                self._listeners[match_id].discard(rung)
                if not self._listeners[match_id]:
                    del self._listeners[match_id]

    def is_watched(self, match_id: UUID) -> bool:
        return match_id in self._listeners

    async def arrival(self, seconds: float) -> None:
        """Wait until somebody begins to listen anywhere, so long at most."""
        self._arrived.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._arrived.wait(), seconds)

    def ring(self, match_id: UUID) -> None:
        for rung in self._listeners.get(match_id, ()):
            rung.set()

    def ring_all(self) -> None:
        for rungs in self._listeners.values():
            for rung in rungs:
                rung.set()


class Doorbell:
    """The bell of all processes: published after an append, listened to for what others append."""

    def __init__(self, url: str, bells: Bells) -> None:
        self._redis: Redis | None = Redis.from_url(url, socket_timeout=None) if url else None
        self._bells = bells
        self._position = self._told = 0
        self._ringing: asyncio.Task[None] | None = None

    def ring(self, position: int) -> None:
        """Publish, without making the answer wait for it."""
        self._position = max(self._position, position)
        if self._redis is not None and (self._ringing is None or self._ringing.done()):
            self._ringing = asyncio.get_running_loop().create_task(self._publish(self._redis))

    async def _publish(self, redis: Redis) -> None:
        """The first ring at once; more, as long as more is appended meanwhile."""
        while self._told < self._position:
            self._told = self._position
            with suppress(RedisError, OSError):
                await redis.publish(DOORBELL, str(self._told))
            await asyncio.sleep(RING_SECONDS)

    async def listen(self) -> None:
        """Ring every bell of this process when another process may have appended; for ever."""
        while True:
            if self._redis is not None:
                with suppress(RedisError, OSError):
                    async with self._redis.pubsub() as subscription:
                        await subscription.subscribe(DOORBELL)
                        async for _ in subscription.listen():
                            self._bells.ring_all()
            await asyncio.sleep(LOOK_SECONDS)
            self._bells.ring_all()

    async def close(self) -> None:
        if self._ringing is not None:
            self._ringing.cancel()
        if self._redis is not None:
            with suppress(RedisError, OSError):
                await self._redis.aclose()
