"""Assign pieces of analyses to workers under leases; a piece whose lease expires is assigned again."""

from datetime import datetime, timedelta
from typing import Final

from domain.matches.log.entries import microseconds
from projections.analyses import Analyses, DuePiece
from projections.follow import MICROSECOND
from workers.analyses.pieces import job_id_of
from workers.queues import ANALYSIS_SECONDS, Queues

ISSUED_MAX: Final = 4
"""Jobs in the queue at a time, so that a later request need not wait for all pieces of an earlier one."""
SPARE: Final = timedelta(seconds=10)
"""Time by which a lease exceeds the timeout of its job."""
POLL_INTERVAL: Final = timedelta(seconds=1)
"""Interval between two queries for due pieces."""


def seconds_of(attempt: int) -> int:
    """Return the timeout of a job by attempt, in seconds.

    The first timeout is short, so that a piece whose worker was killed is retried soon. Later ones suffice for the
    slowest machine.
    """
    return ANALYSIS_SECONDS[min(attempt, len(ANALYSIS_SECONDS)) - 1]


def lease_of(attempt: int) -> timedelta:
    """Return the lease duration of an attempt: the job timeout plus `SPARE`."""
    return timedelta(seconds=seconds_of(attempt)) + SPARE


LEASE_LONGEST: Final = lease_of(len(ANALYSIS_SECONDS))


class AnalysisDuties:
    """Enqueue jobs for due pieces of analyses."""

    def __init__(self, analyses: Analyses, queues: Queues) -> None:
        self._analyses = analyses
        self._queues = queues
        self._looked = 0

    def issue(self, now: datetime) -> int:
        """Enqueue jobs for pieces without a valid lease and return their number.

        The pieces are queried at most once per `POLL_INTERVAL`, and at most `ISSUED_MAX` jobs wait.
        """
        at = microseconds(now)
        if 0 <= at - self._looked < POLL_INTERVAL // MICROSECOND:
            return 0
        self._looked = at
        room = ISSUED_MAX - self._queues.analyses_waiting()
        if room <= 0:
            return 0
        due = self._analyses.due(at, LEASE_LONGEST // MICROSECOND, room)
        return sum(self._issue_piece(piece, at) for piece in due)

    def _issue_piece(self, piece: DuePiece, at: int) -> bool:
        """Lease and enqueue a piece and return True; False if another process has leased it.

        If its previous job still waits in the queue, extend the lease instead and return False.
        """
        attempt = piece.attempt + 1
        if piece.attempt and self._queues.is_waiting(job_id_of(piece.match_id, piece.first, piece.attempt)):
            self._analyses.extend(piece, at + lease_of(piece.attempt) // MICROSECOND)
            return False
        if not self._analyses.lease(piece, at + lease_of(attempt) // MICROSECOND):
            return False
        job_id = job_id_of(piece.match_id, piece.first, attempt)
        self._queues.analyse(job_id, piece.match_id, piece.first, piece.last, piece.tries, seconds_of(attempt))
        return True

    def close(self) -> None:
        """Close the store of analyses."""
        self._analyses.close()
