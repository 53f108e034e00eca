"""What all requests of a process share of talk: the store, what wakes those who read, how often one may write."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Final

from api.http.app_state import AppKey
from api.http.bells import Bells, Topic
from api.http.limits import Limits, too_many
from api.talk.store import TalkStore
from domain.talk import Room
from projections.platform.doorbell import Doorbell
from projections.platform.rings import Advanced

NAME: Final = "talk"
"""Rings with the key of a room when something was said or removed there."""
REPORTS: Final = "reports"
"""Rings when a message was reported, or a report answered."""
REMEMBERED_SECONDS: Final = 5.0
"""So long another process may go by who was muted before."""
REMEMBERED_MAX: Final = 10_000


def topic_of(room: Room) -> Topic:
    return NAME, room.key


class Talk:
    """The store with its bell."""

    def __init__(self, store: TalkStore, bells: Bells, doorbell: Doorbell, limits: Limits) -> None:
        self.store: Final = store
        self._bells = bells
        self._doorbell = doorbell
        self._limits = limits
        self._unheard = dict[str, tuple[float, frozenset[str]]]()

    def ring(self, room: Room) -> None:
        """Those who read there look, in this process and in others. On the event loop."""
        self._bells.ring(topic_of(room))
        self._doorbell.ring(Advanced({NAME: 0}, (room.key,)))

    def ring_reports(self) -> None:
        self._bells.ring(REPORTS)
        self._doorbell.ring(Advanced({REPORTS: 0}, ()))

    async def count(self, person: str) -> None:
        """One more message of a person; refused where there were too many."""
        if (wait := await self._limits.spend("talk", person)) is not None:
            raise too_many(f"too many messages within a minute: try again in {wait} s", wait)

    async def unheard(self, person: str) -> frozenset[str]:
        """Whose messages a person does not see."""
        known = self._unheard.get(person)
        if known is not None and monotonic() - known[0] < REMEMBERED_SECONDS:
            return known[1]
        found = await asyncio.to_thread(self.store.unheard, person) if person else frozenset()
        if len(self._unheard) >= REMEMBERED_MAX:
            self._unheard.clear()
        self._unheard[person] = (monotonic(), found)
        return found

    def forget_unheard(self, person: str) -> None:
        """The person has changed whom they want to hear."""
        self._unheard.pop(person, None)


TALK: Final = AppKey[Talk]("talk")
