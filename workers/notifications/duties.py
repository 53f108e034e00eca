"""When messages are handed over: at once where something was noted, and every moment because much is due by the clock.

A job carries nothing but the name of a way: what there is to say stands in the outbox, where no message is lost
whatever becomes of a job. So there is never more than one that waits.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import func, select

from domain.notifications.kinds import Way
from projections.notifications import NOTICES
from projections.platform.store import ReadStore
from workers.queues import Queues

EVERY: Final = timedelta(seconds=1)
"""How often it is looked where nothing was noted."""
NEWEST: Final = select(func.coalesce(func.max(NOTICES.c.position), 0))


class OutgoingDuties:
    """Fills the queues of the ways that the service has."""

    def __init__(self, store: ReadStore, queues: Queues, ways: Sequence[Way]) -> None:
        self._store = store
        self._queues = queues
        self._ways = tuple(ways)
        self._position = 0
        self._issued: datetime | None = None

    def issue(self, now: datetime) -> int:
        """How many jobs were put into their queues. Fails when Redis does."""
        if not self._ways:
            return 0
        position = int(self._store.rows(NEWEST)[0][0])
        # A clock that was set back has nobody wait until it comes there again.
        is_time = self._issued is None or not timedelta() <= now - self._issued < EVERY
        if position == self._position and not is_time:
            return 0
        count = sum(self._queues.hand_over(way) for way in self._ways)
        self._position, self._issued = position, now
        return count
