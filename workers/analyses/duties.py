"""Which pieces of analyses are given out: a lease on each, given out again when it ends and there is no result."""

from datetime import datetime, timedelta
from typing import Final

from domain.matches.log import microseconds
from projections.analyses import Analyses
from projections.follow import MICROSECOND
from workers.analyses.pieces import job_id_of
from workers.queues import Queues

ISSUED_MAX: Final = 4
"""At most so many at a time: whoever asks next does not wait for all pieces of whoever asked before."""
LEASE: Final = timedelta(seconds=270)
"""Longer than the job may take."""
LOOK: Final = timedelta(seconds=1)
"""So often it is asked what is due: nobody waits for a second of an analysis."""


class AnalysisDuties:
    """Gives out what is due."""

    def __init__(self, analyses: Analyses, queues: Queues) -> None:
        self._analyses = analyses
        self._queues = queues
        self._looked = 0

    def issue(self, now: datetime) -> int:
        """Puts a job into the queue for pieces nobody is at work on; how many."""
        at = microseconds(now)
        if 0 <= at - self._looked < LOOK // MICROSECOND:
            return 0
        self._looked = at
        room = ISSUED_MAX - self._queues.analyses_waiting()
        if room <= 0:
            return 0
        lease, issued = LEASE // MICROSECOND, 0
        for piece in self._analyses.due(at, lease, room):
            if self._analyses.lease(piece, at + lease):
                self._queues.analyse(
                    job_id_of(piece.match_id, piece.first, piece.attempt + 1), piece.match_id, piece.first, piece.last
                )
                issued += 1
        return issued

    def close(self) -> None:
        self._analyses.close()
