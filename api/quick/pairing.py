"""The pairing loop, which runs in every web process.

A table is made in three steps that survive a kill: people are paired in the store with a match id; the match is opened
with that id and everyone is seated; the store records the table as made.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Final
from uuid import UUID

import structlog

from api.http.app_state import AppKey
from api.http.ids import Ids
from api.http.notifier import Notifier, Topic
from api.matches.schemas import OpenMatch
from api.matches.service import MatchService
from api.quick.pools import QuickPool, pools_of
from api.quick.store import PoolPlace, PoolStore
from domain.matches.errors import MatchError
from domain.matches.facts import Actor
from domain.ratings.errors import RatedRefused
from projections.platform.backoff import Backoff
from projections.platform.clock import now
from projections.platform.messages import Advanced
from projections.platform.pubsub import PubSubClient

NAME: Final = "quick"
QUICK: Final[Topic] = NAME
"""Topic for changes of pools and new tables."""
LOOK_SECONDS: Final = 1.0
"""Interval of pairing attempts while people wait, because their range of opponents widens."""
IDLE_SECONDS: Final = 10.0
"""Interval of attempts in an empty pool, in case a notification was lost."""
RETRIES: Final = Backoff(1.0, 30.0)

log = structlog.get_logger("quick")


class Pairing:
    """The pools of the service, as seen by this process."""

    def __init__(
        self, store: PoolStore, matches: MatchService, notifier: Notifier, pubsub: PubSubClient, ids: Ids
    ) -> None:
        self.store: Final = store
        self.pools: Final[Mapping[str, QuickPool]] = pools_of(matches.titles)
        self._tables = matches
        self._notifier = notifier
        self._pubsub = pubsub
        self._ids = ids

    def notify(self) -> None:
        """Notify subscribers in all processes that pools changed. Call on the event loop."""
        self._notifier.notify(QUICK)
        self._pubsub.publish(Advanced({NAME: 0}, ()))

    async def run(self) -> None:
        """Pair until cancelled: when someone enters and at intervals; failures are logged and retried later."""
        failures = 0
        with self._notifier.subscribe(QUICK) as subscriber:
            while True:
                try:
                    is_busy = await self.pair_waiting(now())
                    failures = 0
                except Exception as fault:
                    # An unavailable store loses no places.
                    log.warning("cannot pair waiting players", kind=type(fault).__name__)
                    failures += 1
                    await asyncio.sleep(RETRIES.delay(failures))
                    continue
                await subscriber.wait(LOOK_SECONDS if is_busy else IDLE_SECONDS)

    async def pair_waiting(self, at: datetime) -> bool:
        """Delete lost places, pair suitable people and make their tables; return whether anyone is in a pool."""
        await asyncio.to_thread(self.store.delete_lapsed, at)
        if not await asyncio.to_thread(self.store.has_people):
            return False
        if await asyncio.to_thread(self.store.can_pair, self.pools, at):
            await asyncio.to_thread(self.store.pair, self.pools, at, self._ids.new)
        for match_id, places in (await asyncio.to_thread(self.store.find_unmade)).items():
            await self._open_table(match_id, places)
            self.notify()
        return True

    async def _open_table(self, match_id: UUID, places: Sequence[PoolPlace]) -> None:
        """Open the table of paired people; if one cannot sit there, the others keep waiting.

        If the match itself is refused, all of them lose their places.
        """
        pool = self.pools.get(places[0].pool)
        players = draw_seating(match_id, [place.person for place in places])
        if pool is None or len(players) != pool.seats:
            # A person was erased, or another version of the service had different pools.
            await asyncio.to_thread(self.store.cancel_table, match_id, players if pool is None else ())
            return
        new_match = OpenMatch(pool.title, pool.seats, {}, pool.table)
        own_luck = frozenset(place.person for place in places if place.own_luck)
        absent: tuple[Actor, ...] = ()
        try:
            if await self._tables.seating.seat_together(match_id, new_match, players, own_luck) is not None:
                await asyncio.to_thread(self.store.record_made, match_id, now())
                return
            absent = await self._tables.seating.find_unwelcome(match_id, pool.table, players)
        except (MatchError, RatedRefused) as refusal:
            log.warning("cannot create a table", match=str(match_id), kind=type(refusal).__name__)
            absent = tuple(players)
        await asyncio.to_thread(self.store.cancel_table, match_id, absent)


PAIRING: Final = AppKey[Pairing]("pairing")


def draw_seating(match_id: UUID, players: Sequence[Actor]) -> tuple[Actor, ...]:
    """Return the seating order, drawn by the match id, so that no one chooses it and all processes agree."""
    return tuple(sorted(players, key=lambda player: sha256(match_id.bytes + player.encode()).digest()))
