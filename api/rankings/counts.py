"""Counts of live lists, each made once for all readers and again after results have changed."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Generic, TypeVar

from api.http.app_state import AppKey
from api.http.writer import OneWriter
from domain.eventstore.application import Matches
from projections.platform.clock import now

T = TypeVar("T")

COUNTS_MAX: Final = 16
"""The number of counts in memory; one of 100,000 people takes about 60 MB."""
QUICK_SECONDS: Final = 0.05
"""A count that takes no longer is always made again after a change."""
SHARE: Final = 20
"""A slower count is made again only after this many times its own duration, so that it takes at most 5 % of a core."""


@dataclass(frozen=True)
class Counted(Generic[T]):
    """A value with the time of its count, and the stamp of the results from which it was counted."""

    value: T
    at: datetime
    stamp: object
    seconds: float
    done: float

    def serves(self, stamp: object) -> bool:
        """Return whether the value is current, or too expensive to be counted again so soon."""
        if self.stamp == stamp:
            return True
        return self.seconds > QUICK_SECONDS and time.monotonic() < self.done + SHARE * self.seconds


class CountCache:
    """The latest counts, by name."""

    def __init__(self, writer: OneWriter) -> None:
        self._writer = writer
        self._counts: OrderedDict[object, Counted[Any]] = OrderedDict()
        self._locks: defaultdict[object, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def get(self, name: object, stamp: object, count: Callable[[Matches], T]) -> Counted[T]:
        """Return the value of a name, counted on a thread for long computations unless the latest one serves."""
        async with self._locks[name]:
            found = self._counts.get(name)
            if found is None or not found.serves(stamp):
                at, begun_at = now(), time.monotonic()
                value = await self._writer.compute(count)
                done = time.monotonic()
                found = self._counts[name] = Counted(value, at, stamp, done - begun_at, done)
            self._counts.move_to_end(name)
            while len(self._counts) > COUNTS_MAX:
                former, _ = self._counts.popitem(last=False)
                self._locks.pop(former, None)
        return found


COUNTS: Final = AppKey[CountCache]("ranking_counts")
