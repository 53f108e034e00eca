"""The policy that issues delivery jobs: at once after a new notice, and every second for timed ones.

A job names only its channel; the messages are in the outbox, where no failed job can lose them. At most one job per
channel waits in a queue.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import func, select

from domain.notifications.kinds import Channel
from projections.notifications import NOTICES
from projections.platform.store import ReadStore
from workers.queues import Queues

EVERY: Final = timedelta(seconds=1)
"""Interval between jobs without new notices."""
NEWEST: Final = select(func.coalesce(func.max(NOTICES.c.position), 0))


class OutgoingDuties:
    """Enqueues delivery jobs for the enabled channels."""

    def __init__(self, store: ReadStore, queues: Queues, channels: Sequence[Channel]) -> None:
        self._store = store
        self._queues = queues
        self._channels = tuple(channels)
        self._position = 0
        self._issued: datetime | None = None

    def issue(self, now: datetime) -> int:
        """Enqueue a delivery job for every channel that has none waiting, and return their number.

        Only after a new notice, or after the interval `EVERY`. Raise `RedisError` if Redis is unavailable.
        """
        if not self._channels:
            return 0
        position = int(self._store.rows(NEWEST)[0][0])
        # If the clock was set back, deliver at once instead of waiting for the old time.
        is_time = self._issued is None or not timedelta() <= now - self._issued < EVERY
        if position == self._position and not is_time:
            return 0
        count = sum(self._queues.hand_over(channel) for channel in self._channels)
        self._position, self._issued = position, now
        return count
