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
        self._polled_us = 0

    def issue(self, now: datetime) -> int:
        """Enqueue jobs for pieces without a valid lease and return their number.

        The pieces are queried at most once per `POLL_INTERVAL`, and at most `ISSUED_MAX` jobs wait.
        """
        now_us = microseconds(now)
        if 0 <= now_us - self._polled_us < POLL_INTERVAL // MICROSECOND:
            return 0
        self._polled_us = now_us
        capacity = ISSUED_MAX - self._queues.analyses_waiting()
        if capacity <= 0:
            return 0
        due_pieces = self._analyses.due(now_us, LEASE_LONGEST // MICROSECOND, capacity)
        return sum(self._issue_piece(piece, now_us) for piece in due_pieces)

    def _issue_piece(self, piece: DuePiece, now_us: int) -> bool:
        """Lease and enqueue a piece and return True; False if another process has leased it.

        If its previous job still waits in the queue, extend the lease instead and return False.
        """
        attempt = piece.attempt + 1
        if piece.attempt and self._queues.is_waiting(job_id_of(piece.match_id, piece.first, piece.attempt)):
            self._analyses.extend(piece, now_us + lease_of(piece.attempt) // MICROSECOND)
            return False
        if not self._analyses.lease(piece, now_us + lease_of(attempt) // MICROSECOND):
            return False
        job_id = job_id_of(piece.match_id, piece.first, attempt)
        self._queues.analyse(job_id, piece.match_id, piece.first, piece.last, piece.tries, seconds_of(attempt))
        return True

    def close(self) -> None:
        """Close the store of analyses."""
        self._analyses.close()
