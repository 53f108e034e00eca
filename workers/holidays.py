"""The policy and the job that bring announced holidays to the tables that do not have them yet.

A job names nothing: the service knows which tables lack a holiday, so repeated, late and lost jobs are harmless.
"""

from datetime import datetime, timedelta
from typing import Final, Protocol

from projections.matches import lobby
from projections.platform.store import ReadStore

EVERY: Final = timedelta(minutes=1)
"""Interval between jobs while nothing happens: a table may allow the holiday once its last day is over."""
AFTER_CHANGES: Final = timedelta(seconds=10)
"""Minimum interval between two jobs while matches continue, which is short compared with days of holiday."""


class HolidayQueue(Protocol):
    """The queue for holidays."""

    def apply_holidays(self) -> bool:
        """Enqueue the job unless one is waiting; return whether it was enqueued."""
        ...


class HolidayService(Protocol):
    """The part of the service's interface that the job uses."""

    def apply_holidays(self) -> int:
        """Bring holidays to the tables that do not have them yet; return the number of changed tables."""
        ...


class HolidayDuties:
    """Enqueues the job soon after matches have changed, and regularly."""

    def __init__(self, store: ReadStore, queues: HolidayQueue) -> None:
        self._store = store
        self._queues = queues
        self._position = -1
        self._issued: datetime | None = None

    def issue(self, now: datetime) -> int:
        """Enqueue the job if it is time, and return the number of jobs; raise `RedisError` without a queue."""
        position = self._store.least_offset(lobby.NAME)
        # If the clock was set back, issue at once instead of waiting for the old time.
        elapsed = EVERY if self._issued is None or now < self._issued else now - self._issued
        if elapsed < (AFTER_CHANGES if position != self._position else EVERY):
            return 0
        self._position, self._issued = position, now
        return int(self._queues.apply_holidays())


def apply_holidays(service: HolidayService) -> int:
    """Bring holidays to the tables that do not have them yet; return the number of changed tables."""
    return service.apply_holidays()
