"""Chat state shared by all requests of a process: store, notifications and rate limits."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Final

from api.http.app_state import AppKey
from api.http.limits import Limits, rate_limit_error
from api.http.notifier import Notifier, Topic
from api.talk.store import TalkStore
from domain.talk import Room
from projections.platform.messages import Advanced
from projections.platform.pubsub import PubSubClient

NAME: Final = "talk"
"""Topic prefix, with the key of a room, for new and removed messages."""
REPORTS: Final = "reports"
"""Topic for new and closed reports."""
CACHE_SECONDS: Final = 5.0
"""Cache lifetime of mutes; a mute by another process takes effect after at most this time."""
CACHED_MAX: Final = 10_000


def topic_of(room: Room) -> Topic:
    """Return the topic of a room."""
    return NAME, room.key


class Talk:
    """The store with notifications."""

    def __init__(self, store: TalkStore, notifier: Notifier, pubsub: PubSubClient, limits: Limits) -> None:
        self.store: Final = store
        self._notifier = notifier
        self._pubsub = pubsub
        self._limits = limits
        self._muted = dict[str, tuple[float, frozenset[str]]]()

    def notify_room(self, room: Room) -> None:
        """Notify readers of a room in all processes. Call on the event loop."""
        self._notifier.notify(topic_of(room))
        self._pubsub.publish(Advanced({NAME: 0}, (room.key,)))

    def notify_moderators(self) -> None:
        """Notify moderators in all processes about reports. Call on the event loop."""
        self._notifier.notify(REPORTS)
        self._pubsub.publish(Advanced({REPORTS: 0}, ()))

    async def count_message(self, person: str) -> None:
        """Count a message of a person; raise 429 if there were too many."""
        if (wait_seconds := await self._limits.spend("talk", person)) is not None:
            raise rate_limit_error(f"too many messages in a minute; retry in {wait_seconds} s", wait_seconds)

    async def muted_people(self, person: str) -> frozenset[str]:
        """Return the people whom a person mutes or blocks, cached briefly."""
        cached = self._muted.get(person)
        if cached is not None and monotonic() - cached[0] < CACHE_SECONDS:
            return cached[1]
        found = await asyncio.to_thread(self.store.muted_people, person) if person else frozenset()
        if len(self._muted) >= CACHED_MAX:
            self._muted.clear()
        self._muted[person] = (monotonic(), found)
        return found

    def evict_muted(self, person: str) -> None:
        """Evict a person's mutes from the cache after a change."""
        self._muted.pop(person, None)


TALK: Final = AppKey[Talk]("talk")
