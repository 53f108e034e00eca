"""In-process publish/subscribe: wake tasks that wait for match entries, stream records or read models."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final
from uuid import UUID

from projections.platform.messages import Advanced, Appended

Topic = UUID | tuple[str, str] | str
"""A topic: the id of a match or stream, a read model with the id of a match or stream, or a read model."""
HEARTBEAT_SECONDS: Final = 10.0
"""Seconds between heartbeats of an idle stream. It checks for changes then too, in case a notification was lost."""
MISSED: Final = "missed"
"""Topic received in addition to the subscribed ones: a notification may have been lost, so check for changes."""
PRESENTED_TOPIC: Final = "presented"
"""Kind of the topic, with the id of a stream, for a change of the presented position."""
ATTENDANCE_TOPIC: Final = "attended"
"""Kind of the topic, with the id of a match, for a change of who is at the table or typing."""
NO_TOPICS: Final = frozenset[Topic]()
StoredChange = Appended | Advanced
"""Notifications about stored changes: a reader who queries the store finds them."""


def topics_of(change: StoredChange) -> Iterator[Topic]:
    """Yield the topics of a notification from another process: appended matches, or consumers and their ids."""
    if isinstance(change, Appended):
        yield from change.versions
        return
    yield from change.positions
    for name in change.positions:
        for id_ in change.ids:
            yield name, id_


class Subscriber:
    """A subscriber. Notifications that arrive while it is busy are delivered at the next wait."""

    def __init__(self, notifier: Notifier) -> None:
        self._notifier = notifier
        self._is_notified = asyncio.Event()
        self._pending: set[Topic] = set()
        self.topics: frozenset[Topic] = NO_TOPICS

    def subscribe(self, *topics: Topic) -> None:
        """Replace the subscribed topics. A reader who queries the store afterwards misses nothing."""
        new_topics = frozenset(topics)
        self._notifier.change_subscriptions(self, self.topics - new_topics, new_topics - self.topics)
        self.topics = new_topics

    def deliver(self, topic: Topic) -> None:
        """Deliver a notification."""
        self._pending.add(topic)
        self._is_notified.set()

    async def wait(self, seconds: float) -> frozenset[Topic]:
        """Wait up to `seconds` for a notification.

        Return all topics notified since the last call, empty if none was.
        """
        if not self._pending and seconds > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._is_notified.wait()
        self._is_notified.clear()
        notified, self._pending = frozenset(self._pending), set()
        return notified


class Notifier:
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
        self._subscribers: defaultdict[Topic, set[Subscriber]] = defaultdict(set)
        self._queue = deque[Iterable[UUID]]()
        self.others_append: Final = others_append
        """Whether other processes append to the log too, so that notifications can be lost."""
        self._has_new_subscriber = asyncio.Event()
        self.is_closing = False

    def close(self) -> None:
        """Wake all subscribers, so that streams end and clients reconnect. Call on the event loop."""
        self.is_closing = True
        for subscribers in list(self._subscribers.values()):
            for subscriber in list(subscribers):
                subscriber.deliver(MISSED)

    @contextmanager
    def subscribe(self, *topics: Topic) -> Iterator[Subscriber]:
        """Subscribe to the topics for the duration of the block, and wake `wait_for_subscriber`."""
        subscriber = Subscriber(self)
        subscriber.subscribe(*topics)
        self._has_new_subscriber.set()
        try:
            yield subscriber
        finally:
            subscriber.subscribe()

    def change_subscriptions(self, subscriber: Subscriber, removed: Iterable[Topic], added: Iterable[Topic]) -> None:
        """Unsubscribe `subscriber` from the topics in `removed` and subscribe it to the topics in `added`."""
        for topic in removed:
            self._subscribers[topic].discard(subscriber)
            if not self._subscribers[topic]:
                del self._subscribers[topic]
        for topic in added:
            self._subscribers[topic].add(subscriber)

    def has_subscribers(self, topic: Topic) -> bool:
        """Return whether the topic has subscribers."""
        return topic in self._subscribers

    async def wait_for_subscriber(self, seconds: float) -> None:
        """Wait up to `seconds` for a new subscriber to any topic."""
        self._has_new_subscriber.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._has_new_subscriber.wait()

    def notify(self, *topics: Topic) -> None:
        """Notify the subscribers of the topics. Call on the event loop."""
        for topic in topics:
            for subscriber in self._subscribers.get(topic, ()):
                subscriber.deliver(topic)

    def queue_appended(self, versions: Mapping[UUID, int]) -> None:
        """Queue a notification about grown matches and streams until the command is answered. Thread-safe."""
        self._queue.append(tuple(versions))

    def notify_queued(self) -> None:
        """Send the queued notifications. Thread-safe."""
        self._loop.call_soon_threadsafe(self._notify_queued)

    def _notify_queued(self) -> None:
        while self._queue:
            self.notify(*self._queue.popleft())

    def receive(self, change: StoredChange | None) -> None:
        """Handle a notification from a consumer or another process; None if some may have been lost. Thread-safe.

        The event loop is woken only if a topic has subscribers, because new subscribers query the store after
        subscribing.
        """
        if change is None or change.is_cut or any(map(self.has_subscribers, topics_of(change))):
            self._loop.call_soon_threadsafe(self._forward, change)

    def _forward(self, change: StoredChange | None) -> None:
        """Notify the topics of the notification, or everyone if some may have been lost."""
        if change is None or change.is_cut:
            self._notify_missed()
        else:
            self.notify(*topics_of(change))

    def _notify_missed(self) -> None:
        """Notify subscribers whose notifications from other processes may have been lost, with the topic `MISSED`.

        Subscribers of matches are notified only if other processes append.
        """
        for topic, subscribers in self._subscribers.items():
            if self.others_append or not isinstance(topic, UUID):
                for subscriber in subscribers:
                    subscriber.deliver(MISSED)
