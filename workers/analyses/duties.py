"""Which pieces of analyses are given out: a lease on each, given out again when it ends and there is no result."""

from datetime import datetime, timedelta
from typing import Final

from domain.matches.log.entries import microseconds
from projections.analyses import Analyses, DuePiece
from projections.follow import MICROSECOND
from workers.analyses.pieces import job_id_of
from workers.queues import ANALYSIS_SECONDS, Queues

ISSUED_MAX: Final = 4
"""At most so many at a time: whoever asks next does not wait for all pieces of whoever asked before."""
SPARE: Final = timedelta(seconds=10)
"""A lease is longer than its job may take by so much."""
LOOK: Final = timedelta(seconds=1)
"""So often it is asked what is due: nobody waits for a second of an analysis."""


def seconds_of(attempt: int) -> int:
    """How long the job of an attempt may take: the first is short, so that a piece whose worker was killed is soon done
    again; those after it have time enough on the slowest machine."""
    return ANALYSIS_SECONDS[min(attempt, len(ANALYSIS_SECONDS)) - 1]


def lease_of(attempt: int) -> timedelta:
    return timedelta(seconds=seconds_of(attempt)) + SPARE


LEASE_LONGEST: Final = lease_of(len(ANALYSIS_SECONDS))


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
        due = self._analyses.due(at, LEASE_LONGEST // MICROSECOND, room)
        return sum(self._issue_piece(piece, at) for piece in due)

    def _issue_piece(self, piece: DuePiece, at: int) -> bool:
        """Whether there is a job more: one that still waits in the queue has not had its time yet."""
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
        self._analyses.close()
