"""Pieces of analyses are given out a few at a time, and again when a worker was killed; the same comes out."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from uuid import UUID

import pytest
from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer

from domain.analyses.report import Piece
from domain.matches.file import log_bytes
from domain.matches.file import log_of as file_of
from projections.analyses import Analyses
from tests.workers.analyses.played import log_of
from workers.analyses.duties import ISSUED_MAX, LEASE, AnalysisDuties
from workers.analyses.pieces import analyse
from workers.queues import ANALYSES, ANALYSIS_SECONDS_MAX, Queues, patient_connection

MATCH: Final = UUID(int=9)
SPANS: Final = tuple((first, first + 7) for first in range(1, 57, 8))
AT: Final = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def analyses(tmp_path: Path) -> Iterator[Analyses]:
    found = Analyses(tmp_path / "analyses.db")
    found.ask(MATCH, "aa", 1, SPANS)
    yield found
    found.close()


@pytest.fixture
def queue(redis_url: str) -> Queue:
    return Queue(ANALYSES, connection=Redis.from_url(redis_url), serializer=JSONSerializer)


def test_pieces_are_given_out_a_few_at_a_time_and_again_after_their_lease(
    analyses: Analyses, redis_url: str, queue: Queue
) -> None:
    duties = AnalysisDuties(analyses, Queues(patient_connection(redis_url)))

    assert duties.issue(AT) == ISSUED_MAX
    assert duties.issue(AT) == 0, "it has just looked"
    assert duties.issue(AT + timedelta(seconds=2)) == 0, "the queue is full"
    queue.connection.delete(queue.key)
    assert duties.issue(AT + timedelta(seconds=4)) == len(SPANS) - ISSUED_MAX
    assert duties.issue(AT + LEASE + timedelta(seconds=5)) == 1, "the queue has room for one"
    queue.connection.delete(queue.key)
    assert duties.issue(AT + LEASE + timedelta(seconds=7)) == ISSUED_MAX
    assert all(job_id.endswith("-2") for job_id in queue.job_ids)
    assert timedelta(seconds=ANALYSIS_SECONDS_MAX) < LEASE


class Service:
    """A service that keeps what is handed in."""

    def __init__(self, log: bytes | None) -> None:
        self.log = log
        self.pieces = list[Piece]()

    def read_log(self, _match_id: str) -> bytes | None:
        return self.log

    def hand_in(self, _match_id: str, _head: str, _first: int, piece: Piece) -> bool:
        self.pieces.append(piece)
        return True


def test_a_job_that_was_killed_and_is_done_again_finds_the_same() -> None:
    service = Service(log_bytes(file_of(log_of().entries)))

    assert all(analyse(service, str(MATCH), 30, 33) for _ in range(2))

    assert service.pieces[0] == service.pieces[1]
    assert service.pieces[0].decisions
    assert not analyse(Service(None), str(MATCH), 30, 33), "the match is gone"
