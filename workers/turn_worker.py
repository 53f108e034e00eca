"""An RQ worker that runs jobs in its process and lets no queue starve."""

import sys
from typing import Any, Final

from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.job import Job

from workers.queues import UNATTENDED_QUEUES
from workers.stopping import StopFlag

PASSED_OVER_MAX: Final = 50
"""The number of jobs a worker takes in a row from other queues before it checks the unattended queues first."""


class TurnWorker(SimpleWorker):
    """RQ's worker without a fork for each job, which would cost more than most jobs."""

    max_connection_wait_time = 1.0
    log_job_description = False

    def __init__(self, *args: Any, stopping: StopFlag, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._stopping = stopping
        self._passed_over = 0

    def reorder_queues(self, reference_queue: Queue) -> None:
        """Order the queues for the next job.

        Matches of bots only come after people's, but every `PASSED_OVER_MAX` jobs they come first: otherwise people's
        matches that occupy all workers would stop them.
        """
        self._passed_over = 0 if reference_queue.name in UNATTENDED_QUEUES else self._passed_over + 1
        is_due = self._passed_over >= PASSED_OVER_MAX
        self._ordered_queues = sorted(self.queues, key=lambda queue: is_due and queue.name not in UNATTENDED_QUEUES)

    def handle_job_failure(
        self,
        job: Job,
        queue: Queue,
        started_job_registry: object = None,
        exc_string: str = "",  # noqa: ARG002  # the whole text of the exception
    ) -> None:
        """Store only the kind of the error in Redis: the text may contain a card in hand."""
        kind = sys.exc_info()[0]
        outcome = "failed" if kind is None else kind.__name__
        super().handle_job_failure(job, queue, started_job_registry, f"{job.id}: {outcome}")

    def _install_signal_handlers(self) -> None:
        """Install RQ's handlers; raise `StopRequested` if a signal arrived before."""
        super()._install_signal_handlers()  # type: ignore[no-untyped-call]  # untyped in RQ
        if self._stopping.is_set():
            raise StopRequested

    @property
    def was_told_to_stop(self) -> bool:
        """Return whether the worker received a stop signal."""
        return self._shutdown_requested_date is not None
