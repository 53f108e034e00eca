"""Leases of pieces of analyses: a few at a time, retried after a crash with equal results."""

import signal
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest
from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer

from domain.analyses.report import Piece
from domain.matches.log.log_files import log_bytes
from domain.matches.log.log_files import log_of as file_of
from ops.processes import SPAWNING
from projections.analyses import Analyses
from tests.workers.held import work_slowly
from tests.workers.matches.backend import log_of
from workers.analyses.duties import ISSUED_MAX, AnalysisDuties, lease_of, seconds_of
from workers.analyses.pieces import analyse
from workers.queues import ANALYSES, Queues, patient_connection

MATCH: Final = UUID(int=9)
OTHER: Final = UUID(int=8)
TRIES: Final = 400
SPANS: Final = tuple((first, first + 7) for first in range(1, 57, 8))
AT: Final = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def analyses(tmp_path: Path) -> Iterator[Analyses]:
    store = Analyses(tmp_path / "analyses.db")
    store.ask(MATCH, "aa", 1, SPANS)
    yield store
    store.close()


@pytest.fixture
def queue(redis_url: str) -> Queue:
    return Queue(ANALYSES, connection=Redis.from_url(redis_url), serializer=JSONSerializer)


def test_few_pieces_are_leased_at_a_time_and_again_after_their_lease(
    analyses: Analyses, redis_url: str, queue: Queue
) -> None:
    duties, lease = AnalysisDuties(analyses, Queues(patient_connection(redis_url))), lease_of(1)

    assert duties.issue(AT) == ISSUED_MAX
    assert duties.issue(AT) == 0, "it has just looked"
    assert duties.issue(AT + timedelta(seconds=2)) == 0, "the queue is full"
    queue.connection.delete(queue.key)
    assert duties.issue(AT + timedelta(seconds=4)) == len(SPANS) - ISSUED_MAX
    assert duties.issue(AT + lease + timedelta(seconds=5)) == 1, "the queue has room for one"
    queue.connection.delete(queue.key)
    assert duties.issue(AT + lease + timedelta(seconds=7)) == ISSUED_MAX
    assert all(job_id.endswith("-2") for job_id in queue.job_ids)


def test_a_queued_piece_is_not_issued_twice(analyses: Analyses, redis_url: str, queue: Queue) -> None:
    analyses.ask(OTHER, "aa", 1, SPANS[:1], 250)
    analyses.ask(MATCH, "bb", 2, SPANS[:1], 250)
    duties = AnalysisDuties(analyses, Queues(patient_connection(redis_url)))
    duties.issue(AT)
    queued = queue.job_ids

    assert duties.issue(AT + lease_of(1)) == 0

    assert queue.job_ids == queued
    assert [job_arguments(queue, job_id)[-1] for job_id in queued] == [250, 250], "with the budget it was asked for"


def test_timeouts_grow_with_each_attempt() -> None:
    assert [lease_of(attempt) > timedelta(seconds=seconds_of(attempt)) for attempt in (1, 2, 3, 9)] == [True] * 4
    assert seconds_of(1) < seconds_of(2) < seconds_of(3) == seconds_of(9)


class Service:
    """A service that keeps submitted pieces."""

    def __init__(self, log: bytes | None) -> None:
        self.log = log
        self.pieces = list[Piece]()

    def read_log(self, _match_id: str) -> bytes | None:
        return self.log

    def hand_in(self, _match_id: str, _head: str, _first: int, piece: Piece) -> bool:
        self.pieces.append(piece)
        return True


def test_a_piece_of_a_killed_worker_is_retried_with_the_same_result(
    analyses: Analyses, redis_url: str, queue: Queue
) -> None:
    log = log_bytes(file_of(log_of().entries))
    analyses.ask(MATCH, "aa", 2, ((30, 33),), TRIES)
    duties, undisturbed = AnalysisDuties(analyses, Queues(patient_connection(redis_url))), Service(log)
    assert analyse(undisturbed, str(MATCH), 30, 33, TRIES)
    assert duties.issue(AT) == 1
    parent_end, child_end = SPAWNING.Pipe()
    worker = SPAWNING.Process(target=work_slowly, args=(child_end, log, *take(queue)))

    worker.start()
    assert parent_end.recv() == "at work"
    worker.kill()
    worker.join()

    assert worker.exitcode == -signal.SIGKILL
    assert analyses.results(MATCH) == []
    assert duties.issue(AT + lease_of(1)) == 1
    retried = Service(log)
    assert analyse(retried, *take(queue))
    assert msgspec.json.encode(retried.pieces) == msgspec.json.encode(undisturbed.pieces)
    assert retried.pieces[0].decisions


def take(queue: Queue) -> tuple[Any, ...]:
    """Take the next job from the queue as a worker does; return its arguments."""
    (job_id,) = queue.job_ids
    queue.connection.delete(queue.key)
    return job_arguments(queue, job_id)


def job_arguments(queue: Queue, job_id: str) -> tuple[Any, ...]:
    job = queue.fetch_job(job_id)
    assert job is not None
    return tuple(job.args)


def test_a_job_for_a_match_that_is_gone_does_nothing() -> None:
    assert not analyse(Service(None), str(MATCH), 30, 33)
