"""The service of quick pairing, for one caller."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from litestar import Request
from litestar.di import NamedDependency

from api.http.guards import Caller
from api.matches.admission import require_known
from api.matches.service import MatchService
from api.quick.pairing import PAIRING, Pairing
from api.quick.pools import CLOCKS, QuickPool
from api.quick.schemas import PlaceShown, PoolShown, QuickShown
from api.quick.store import PoolPlace
from domain.keys.commands import register_key
from domain.matches.errors import NotAllowed
from domain.matches.facts import Actor
from domain.quick import reach, strength_of
from domain.ratings.ladder import Pool
from domain.ratings.models import BASE, model_of
from domain.signatures.keys import NamedKey
from projections.platform.clock import now
from projections.platform.store import ReadStore
from projections.ratings import rankings

NO_TABLE: Final = UUID(int=0)
"""Placeholder of a match id before a table exists."""


@dataclass(frozen=True)
class QuickService:
    """Quick pairing, for one caller."""

    tables: MatchService
    pairing: Pairing
    caller: Caller

    async def show(self) -> QuickShown:
        """Return all pools with the number of waiting people, and the caller's place, which this call keeps."""
        counts = await asyncio.to_thread(self.pairing.store.counts, now())
        pools = []
        for key, pool in self.pairing.pools.items():
            pool_count = counts.get(key)
            waiting, since = (0, None) if pool_count is None else (pool_count.waiting, pool_count.since)
            pools.append(PoolShown(pool.title, pool.seats, pool.clock, pool.rated, waiting, since))
        return QuickShown(tuple(pools), await self.find_place())

    async def find_place(self) -> PlaceShown | None:
        """Return the caller's place or table, which this call keeps; None if there is none."""
        person = self.caller.person
        if person is None:
            return None
        found = await asyncio.to_thread(self.pairing.store.renew_place, person.id, now())
        pool = self.pairing.pools.get(found.pool) if found is not None else None
        return None if found is None or pool is None else encode_place(found, pool)

    def find_pool(self, key: str) -> QuickPool:
        """Return the pool with the key; raise `NotAllowed` if unknown, `GuestUnrated` for a visitor at rated tables."""
        pool = self.pairing.pools.get(key)
        if pool is None:
            raise NotAllowed(f"no pool {key!r}")
        require_known(pool.table, self.caller)
        return pool

    async def enter(self, person: Actor, pool: QuickPool, *, own_luck: bool, key: str = "") -> None:
        """Add a person to a pool, and register the key of their browser, if given; they leave any other pool.

        Raise if they may not sit at such a table (`require_welcome`), `NotAllowed` while their table is being made,
        `BadSignature` for a key that cannot be registered.
        """
        await self.tables.seating.require_welcome(NO_TABLE, pool.table, person)
        if key:
            await self.tables.writer.execute(register_key, person, NamedKey(key), at=now())
        strength = await self.tables.writer.read_model(strength_in, person, Pool(pool.title, pool.seats))
        enter = self.pairing.store.enter
        await asyncio.to_thread(enter, person, pool, strength, now(), own_luck=own_luck)
        self.pairing.notify()

    async def leave(self) -> None:
        """Leave the pool."""
        await asyncio.to_thread(self.pairing.store.leave, self.caller.actor)
        self.pairing.notify()


def encode_place(place: PoolPlace, pool: QuickPool) -> PlaceShown:
    """Convert a place; its match is left out until everyone sits at it. It has the reach of the search by now."""
    return PlaceShown(
        pool.title,
        pool.seats,
        pool.clock,
        pool.rated,
        place.since,
        reach(now() - place.since, CLOCKS[pool.clock]),
        place.kept_until,
        place.match_id if place.is_made else None,
    )


def strength_in(store: ReadStore, person: Actor, pool: Pool) -> int:
    """Return a person's strength in a pool, from their rated matches."""
    rated = rankings.ratings_of(store, person).get(pool)
    return strength_of(model_of(BASE).start() if rated is None else rated.skill)


def provide_quick(
    request: Request[Caller, Any, Any], caller: NamedDependency[Caller], matches: NamedDependency[MatchService]
) -> QuickService:
    """Provide the service for the caller."""
    return QuickService(matches, PAIRING.of(request), caller)
