"""What makes tables of those who wait: it runs in every web process, and whichever looks first does it.

A table is made in three steps, each of which is found again after a kill: the people are paired in the store, under the
id of a match; the match is opened with that id and everybody sits down; the store notes that it is made.
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
from api.http.bells import Bells, Topic
from api.http.clock import now
from api.http.ids import Ids
from api.matches.service import MatchService
from api.matches.wire import OpenMatch
from api.quick.pools import QuickPool, pools_of
from api.quick.store import Place, PoolStore
from domain.matches.errors import MatchError
from domain.matches.facts import Actor
from domain.ratings.errors import RatedRefused
from projections.platform.backoff import Backoff
from projections.platform.doorbell import Doorbell
from projections.platform.rings import Advanced

NAME: Final = "quick"
QUICK: Final[Topic] = NAME
"""Rings when somebody has come into a pool or gone, or a table was made."""
LOOK_SECONDS: Final = 1.0
"""While somebody waits: what they can reach widens by itself."""
IDLE_SECONDS: Final = 10.0
"""In case a ring was missed."""
RETRIES: Final = Backoff(1.0, 30.0)

log = structlog.get_logger("quick")


class Pairing:
    """The pools of this house, as this process sees them."""

    def __init__(self, store: PoolStore, matches: MatchService, bells: Bells, doorbell: Doorbell, ids: Ids) -> None:
        self.store: Final = store
        self.pools: Final[Mapping[str, QuickPool]] = pools_of(matches.titles)
        self._tables = matches
        self._bells = bells
        self._doorbell = doorbell
        self._ids = ids

    def ring(self) -> None:
        """Everybody who shows pools looks, in this process and in others. On the event loop."""
        self._bells.ring(QUICK)
        self._doorbell.ring(Advanced({NAME: 0}, ()))

    async def run(self) -> None:
        """For as long as the service runs."""
        failures = 0
        with self._bells.listening(QUICK) as ear:
            while True:
                try:
                    is_busy = await self.look(now())
                    failures = 0
                except Exception as fault:
                    # A store that is away comes back; nobody has lost their place meanwhile.
                    log.warning("those who wait cannot be paired", kind=type(fault).__name__)
                    failures += 1
                    await asyncio.sleep(RETRIES.delay(failures))
                    continue
                await ear.rings(LOOK_SECONDS if is_busy else IDLE_SECONDS)

    async def look(self, at: datetime) -> bool:
        """Pairs those who fit now and makes their tables; whether anybody is in a pool."""
        await asyncio.to_thread(self.store.forget_lapsed, at)
        if not await asyncio.to_thread(self.store.is_anybody_there):
            return False
        if await asyncio.to_thread(self.store.can_pair, self.pools, at):
            await asyncio.to_thread(self.store.pair, self.pools, at, self._ids.new)
        for match_id, places in (await asyncio.to_thread(self.store.unmade)).items():
            await self._make(match_id, places)
            self.ring()
        return True

    async def _make(self, match_id: UUID, places: Sequence[Place]) -> None:
        """The table of those who are paired; if one of them cannot sit there any more, the others wait on."""
        pool = self.pools.get(places[0].pool)
        players = in_order(match_id, [place.person for place in places])
        if pool is None or len(players) != pool.seats:
            # Somebody was erased, or a version of the service had a pool that this one has not.
            await asyncio.to_thread(self.store.put_back, match_id, players if pool is None else ())
            return
        wanted = OpenMatch(pool.title, pool.seats, {}, pool.table)
        own_luck = frozenset(place.person for place in places if place.own_luck)
        gone: tuple[Actor, ...] = ()
        try:
            if await self._tables.seating.seat_together(match_id, wanted, players, own_luck) is not None:
                await asyncio.to_thread(self.store.note_made, match_id, now())
                return
            gone = await self._tables.seating.unwelcome(match_id, pool.table, players)
        except (MatchError, RatedRefused) as refusal:
            log.warning("a table could not be made", match=str(match_id), kind=type(refusal).__name__)
            gone = tuple(players)
        await asyncio.to_thread(self.store.put_back, match_id, gone)


PAIRING: Final = AppKey[Pairing]("pairing")


def in_order(match_id: UUID, players: Sequence[Actor]) -> tuple[Actor, ...]:
    """Who sits where: drawn by the id of the match, which nobody has chosen, and the same for every process."""
    return tuple(sorted(players, key=lambda player: sha256(match_id.bytes + player.encode()).digest()))
