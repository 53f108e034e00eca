"""In-process publish/subscribe: wake tasks that wait for match entries, stream records or read models."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final
from uuid import UUID

from projections.platform.rings import Advanced, Appended

Topic = UUID | tuple[str, str] | str
"""A topic: the id of a match or stream, a read model with the id of a match or stream, or a read model."""
HEARTBEAT_SECONDS: Final = 10.0
"""Seconds between heartbeats of an idle stream. It checks for changes then too, in case a notification was lost."""
MISSED: Final = "missed"
"""Topic received in addition to the subscribed ones: a notification may have been lost, so check for changes."""
PRESENTED: Final = "presented"
"""Kind of the topic, with the id of a stream, for a change of the presented position."""
ATTENDED: Final = "attended"
"""Kind of the topic, with the id of a match, for a change of who is at the table or typing."""
NOTHING: Final = frozenset[Topic]()
Kept = Appended | Advanced
"""Notifications about stored changes: a reader who queries the store finds them."""


def topics_of(ring: Kept) -> Iterator[Topic]:
    """Yield the topics that a notification from another process concerns."""
    if isinstance(ring, Appended):
        yield from ring.versions
        return
    yield from ring.positions
    for name in ring.positions:
        for id_ in ring.ids:
            yield name, id_


class Ear:
    """A subscriber. Notifications that arrive while it is busy are delivered at the next wait."""

    def __init__(self, bells: Bells) -> None:
        self._bells = bells
        self._rung = asyncio.Event()
        self._heard: set[Topic] = set()
        self.topics: frozenset[Topic] = NOTHING

    def listen(self, *topics: Topic) -> None:
        """Replace the subscribed topics. A reader who queries the store afterwards misses nothing."""
        wanted = frozenset(topics)
        self._bells.change(self, self.topics - wanted, wanted - self.topics)
        self.topics = wanted

    def hear(self, topic: Topic) -> None:
        """Deliver a notification."""
        self._heard.add(topic)
        self._rung.set()

    async def rings(self, seconds: float) -> frozenset[Topic]:
        """Wait up to `seconds` for a notification, and return all topics notified since the last call."""
        if not self._heard and seconds > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._rung.wait()
        self._rung.clear()
        heard, self._heard = frozenset(self._heard), set()
        return heard


class Bells:
    """Publish/subscribe by topic. A notification is only a hint to query the store or the read models."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        heartbeat_seconds: float = HEARTBEAT_SECONDS,
        *,
        others_append: bool = False,
    ) -> None:
        self._loop = loop
        self.heartbeat_seconds: Final = heartbeat_seconds
        self._ears: defaultdict[Topic, set[Ear]] = defaultdict(set)
        self._noted = deque[Iterable[UUID]]()
        self.others_append: Final = others_append
        """Whether other processes append to the log too, so that notifications can be lost."""
        self._arrived = asyncio.Event()
        self.are_closing = False

    def close(self) -> None:
        """Wake all subscribers, so that streams end and clients reconnect. Call on the event loop."""
        self.are_closing = True
        for ears in list(self._ears.values()):
            for ear in list(ears):
                ear.hear(MISSED)

    @contextmanager
    def listening(self, *topics: Topic) -> Iterator[Ear]:
        """Subscribe to the topics for the duration of the block."""
        ear = Ear(self)
        ear.listen(*topics)
        self._arrived.set()
        try:
            yield ear
        finally:
            ear.listen()

    def change(self, ear: Ear, gone: Iterable[Topic], new: Iterable[Topic]) -> None:
        """Unsubscribe `ear` from the topics in `gone` and subscribe it to the topics in `new`."""
        for topic in gone:
            self._ears[topic].discard(ear)
            if not self._ears[topic]:
                del self._ears[topic]
        for topic in new:
            self._ears[topic].add(ear)

    def is_watched(self, topic: Topic) -> bool:
        """Return whether the topic has subscribers."""
        return topic in self._ears

    async def arrival(self, seconds: float) -> None:
        """Wait up to `seconds` for a new subscriber to any topic."""
        self._arrived.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._arrived.wait()

    def ring(self, *topics: Topic) -> None:
        """Notify the subscribers of the topics. Call on the event loop."""
        for topic in topics:
            for ear in self._ears.get(topic, ()):
                ear.hear(topic)

    def note(self, versions: Mapping[UUID, int]) -> None:
        """Queue a notification about grown matches and streams until the command is answered. Thread-safe."""
        self._noted.append(tuple(versions))

    def ring_noted(self) -> None:
        """Send the queued notifications. Thread-safe."""
        self._loop.call_soon_threadsafe(self._ring_noted)

    def _ring_noted(self) -> None:
        while self._noted:
            self.ring(*self._noted.popleft())

    def hear(self, ring: Kept | None) -> None:
        """Handle a notification from a consumer or another process; None if some may have been lost. Thread-safe.

        The event loop is woken only if a topic has subscribers, because new subscribers query the store after
        subscribing.
        """
        if ring is None or ring.is_cut or any(map(self.is_watched, topics_of(ring))):
            self._loop.call_soon_threadsafe(self._pass_on, ring)

    def _pass_on(self, ring: Kept | None) -> None:
        if ring is None or ring.is_cut:
            self._ring_missed()
        else:
            self.ring(*topics_of(ring))

    def _ring_missed(self) -> None:
        """Notify subscribers whose notifications from other processes may have been lost."""
        for topic, ears in self._ears.items():
            if self.others_append or not isinstance(topic, UUID):
                for ear in ears:
                    ear.hear(MISSED)
