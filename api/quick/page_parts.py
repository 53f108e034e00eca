"""Pools as parts of a page: buttons, and the reader's place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from api.http.languages import _
from api.http.page_responses import PageRequest, person_of, render
from api.matches.pages.terms import describe_clock
from api.quick.pools import CLOCKS, PoolClock, QuickPool
from api.quick.schemas import PlaceShown, PoolShown, QuickShown
from api.quick.service import QuickService
from domain.matches.facts import is_live
from domain.matches.log.entries import microseconds

PLACE_PART: Final = "quick-place"
POOLS_PART: Final = "quick-pools"
NAMES: Final[Mapping[PoolClock, Callable[[], str]]] = {
    "match-600-20": lambda: _("10 min + 20 s"),
    "match-1500-30": lambda: _("25 min + 30 s"),
    "turn-86400": lambda: _("1 day per turn"),
}
"""Short names of clocks: initial time and increment."""


class PoolButton(msgspec.Struct, frozen=True):
    """The button of a pool."""

    key: str
    seats: int
    waiting: int
    is_own: bool


class PoolRow(msgspec.Struct, frozen=True):
    """The pools of a title with one clock."""

    name: str
    words: str
    """The clock in more words."""
    buttons: tuple[PoolButton, ...]


def key_of(shown: PoolShown | PlaceShown) -> str:
    """Return the key of a pool."""
    return QuickPool(shown.title, shown.seats, shown.clock, shown.rated).key


def rows_of(pools: QuickShown, title: str, *, rated: bool) -> tuple[PoolRow, ...]:
    """Return the pools of a title, rated or casual, one row per clock; clocks without pools are left out."""
    own_key = key_of(pools.place) if pools.place is not None and pools.place.match_id is None else ""

    def button(pool: PoolShown) -> PoolButton:
        return PoolButton(key_of(pool), pool.seats, pool.waiting, key_of(pool) == own_key)

    rows = []
    for clock, name in NAMES.items():
        found = [pool for pool in pools.pools if (pool.title, pool.clock, pool.rated) == (title, clock, rated)]
        if found:
            rows.append(PoolRow(name(), describe_clock(CLOCKS[clock]), tuple(map(button, found))))
    return tuple(rows)


async def draw_pools(request: PageRequest, quick: QuickService, *, rated: bool) -> dict[str, str]:
    """Render the reader's place and all pools, rated or casual, by element id; the reader keeps the place."""
    pools = await quick.show()
    place, person = pools.place, person_of(request)
    titles = tuple(dict.fromkeys(pool.title for pool in pools.pools))

    def context() -> dict[str, Any]:
        return {
            "place": place,
            "since_ms": None if place is None else microseconds(place.since) // 1000,
            "is_live": place is not None and is_live(CLOCKS[place.clock]),
            "clock_name": None if place is None else NAMES[place.clock],
            "waiting": next((pool.waiting for pool in pools.pools if place and key_of(pool) == key_of(place)), 0),
            "titles": titles,
            "rows_of": lambda title: rows_of(pools, title, rated=rated),
            "rated": rated,
            "may_be_rated": person is not None and not person.is_guest,
        }

    parts = {PLACE_PART: "quick/place.html", POOLS_PART: "quick/pools.html"}
    return {name: render(request, template, context()) for name, template in parts.items()}
