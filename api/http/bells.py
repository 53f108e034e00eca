"""Waking those who wait in this process: for entries of a match, for records of a stream, for read models."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final
from uuid import UUID

from projections.platform.rings import Advanced, Appended

Topic = UUID | tuple[str, str] | str
"""What rings: a match or stream that has grown; a read model that has advanced, for one match or stream, or at all."""
HEARTBEAT_SECONDS: Final = 10.0
"""A stream says this often that it lives where nothing happens, and looks again in case a ring was missed."""
MISSED: Final = "missed"
"""Heard beside what one listens to: a ring may have been missed, so that one looks."""
PRESENTED: Final = "presented"
"""With the id of a stream: somebody presents another place of it."""
ATTENDED: Final = "attended"
"""With the id of a match: others are at its table, or somebody there is typing."""
NOTHING: Final = frozenset[Topic]()
Kept = Appended | Advanced
"""Rings for what stands in a store by now: whoever looks finds it."""


def topics_of(ring: Kept) -> Iterator[Topic]:
    """What a ring of another process rings here."""
    if isinstance(ring, Appended):
        yield from ring.versions
        return
    yield from ring.positions
    for name in ring.positions:
        for id_ in ring.ids:
            yield name, id_


class Ear:
    """Somebody who listens. What rings while they are busy is heard when they listen again."""

    def __init__(self, bells: Bells) -> None:
        self._bells = bells
        self._rung = asyncio.Event()
        self._heard: set[Topic] = set()
        self.topics: frozenset[Topic] = NOTHING

    def listen(self, *topics: Topic) -> None:
        """From now on to these, and to nothing else. Who looks after that misses nothing."""
        wanted = frozenset(topics)
        self._bells.change(self, self.topics - wanted, wanted - self.topics)
        self.topics = wanted

    def hear(self, topic: Topic) -> None:
        self._heard.add(topic)
        self._rung.set()

    async def rings(self, seconds: float) -> frozenset[Topic]:
        """Wait for a ring, so long at most; what has rung since the last time."""
        if not self._heard and seconds > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._rung.wait()
        self._rung.clear()
        heard, self._heard = frozenset(self._heard), set()
        return heard


class Bells:
    """One bell per topic. A ring is a hint: whoever hears it looks into the store or the read models."""

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
        """Whether other processes write to the log too: their rings can be missed."""
        self._arrived = asyncio.Event()
        self.are_closing = False

    def close(self) -> None:
        """Wakes everybody: streams end, and tell their readers to come back. On the event loop."""
        self.are_closing = True
        for ears in list(self._ears.values()):
            for ear in list(ears):
                ear.hear(MISSED)

    @contextmanager
    def listening(self, *topics: Topic) -> Iterator[Ear]:
        """An ear that hears these topics."""
        ear = Ear(self)
        ear.listen(*topics)
        self._arrived.set()
        try:
            yield ear
        finally:
            ear.listen()

    def change(self, ear: Ear, gone: Iterable[Topic], new: Iterable[Topic]) -> None:
        for topic in gone:
            self._ears[topic].discard(ear)
            if not self._ears[topic]:
                del self._ears[topic]
        for topic in new:
            self._ears[topic].add(ear)

    def is_watched(self, topic: Topic) -> bool:
        return topic in self._ears

    async def arrival(self, seconds: float) -> None:
        """Wait until somebody begins to listen anywhere, so long at most."""
        self._arrived.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._arrived.wait()

    def ring(self, *topics: Topic) -> None:
        for topic in topics:
            for ear in self._ears.get(topic, ()):
                ear.hear(topic)

    def note(self, versions: Mapping[UUID, int]) -> None:
        """These have grown; they ring when the command that did it has been answered. From any thread."""
        self._noted.append(tuple(versions))

    def ring_noted(self) -> None:
        """From any thread."""
        self._loop.call_soon_threadsafe(self._ring_noted)

    def _ring_noted(self) -> None:
        while self._noted:
            self.ring(*self._noted.popleft())

    def hear(self, ring: Kept | None) -> None:
        """What followers and other processes ring; nothing: a ring may have been missed. From any thread. The loop is
        woken where somebody listens to it: whoever begins to listen now looks afterwards."""
        if ring is None or ring.is_cut or any(map(self.is_watched, topics_of(ring))):
            self._loop.call_soon_threadsafe(self._pass_on, ring)

    def _pass_on(self, ring: Kept | None) -> None:
        if ring is None or ring.is_cut:
            self._ring_missed()
        else:
            self.ring(*topics_of(ring))

    def _ring_missed(self) -> None:
        """Wakes those who wait for what other processes do."""
        for topic, ears in self._ears.items():
            if self.others_append or not isinstance(topic, UUID):
                for ear in ears:
                    ear.hear(MISSED)
