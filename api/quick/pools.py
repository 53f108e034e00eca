"""The pools there are: one for every title, size and clock, rated and not."""

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
"""Few, so that people meet; a table with any other clock is opened by hand."""
SEATS_MIN: Final = 2


class QuickPool(msgspec.Struct, frozen=True, order=True):
    """People in one pool wait for the same table."""

    title: str
    seats: int
    clock: PoolClock
    rated: bool

    @property
    def key(self) -> str:
        return f"{self.title}.{self.seats}.{self.clock}.{'rated' if self.rated else 'casual'}"

    @property
    def table(self) -> Table:
        return Table(clock=CLOCKS[self.clock], rated=self.rated)


def pools_of(titles: Titles) -> dict[str, QuickPool]:
    """All pools by their keys, in the order in which they are shown."""
    found = (
        QuickPool(name, seats, clock, rated)
        for name, title in titles.items()
        for rated in (True, False)
        for clock in get_args(PoolClock)
        for seats in title.players
        if seats >= SEATS_MIN
    )
    return {pool.key: pool for pool in found}
