"""The pools: one for every title, table size and clock, rated and casual."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

import msgspec

from domain.kernel.title import Titles
from domain.matches.facts import Clock, Table

PoolClock = Literal["match-600-20", "match-1500-30", "turn-86400"]
CLOCKS: Final[Mapping[PoolClock, Clock]] = {
    "match-600-20": Clock("increment", 600, 20),
    "match-1500-30": Clock("increment", 1500, 30),
    "turn-86400": Clock("correspondence", 86_400),
}
"""Few clocks, so that people meet; tables with other clocks are opened individually."""
SEATS_MIN: Final = 2


class QuickPool(msgspec.Struct, frozen=True, order=True):
    """A pool of people who wait for the same kind of table."""

    title: str
    seats: int
    clock: PoolClock
    rated: bool

    @property
    def key(self) -> str:
        """The key of the pool, as in URLs and the store."""
        return f"{self.title}.{self.seats}.{self.clock}.{'rated' if self.rated else 'casual'}"

    @property
    def table(self) -> Table:
        """The table options of the pool."""
        return Table(clock=CLOCKS[self.clock], rated=self.rated)


def pools_of(titles: Titles) -> dict[str, QuickPool]:
    """Return all pools by key, in display order: by title, rated first, then by clock and seats, from `SEATS_MIN`."""
    found = (
        QuickPool(name, seats, clock, rated)
        for name, title in titles.items()
        for rated in (True, False)
        for clock in get_args(PoolClock)
        for seats in title.players
        if seats >= SEATS_MIN
    )
    return {pool.key: pool for pool in found}
