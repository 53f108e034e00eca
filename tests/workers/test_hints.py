"""Leases of hints: one job at a time, and waiting in the queue costs no attempt."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer

from projections.hints import Hints
from workers.hints import LEASE, HintDuties
from workers.queues import HINTS, Queues, patient_connection

MATCH = UUID(int=9)
AT = datetime(2026, 1, 1, tzinfo=UTC)


def test_a_queued_hint_is_not_issued_twice(tmp_path: Path, redis_url: str) -> None:
    queue = Queue(HINTS, connection=Redis.from_url(redis_url), serializer=JSONSerializer)
    with closing(Hints(tmp_path / "analyses.db")) as hints:
        hints.request_hint(MATCH, 7, "hint", 0)
        duties = HintDuties(hints, Queues(patient_connection(redis_url)))

        assert duties.issue(AT) == 1
        for lease_count in range(1, 9):
            assert duties.issue(AT + lease_count * LEASE) == 0, "no worker has come for it"
        assert queue.job_ids == [f"hint-{MATCH}-7-hint-1"]

        queue.connection.delete(queue.key)
        assert duties.issue(AT + 10 * LEASE) == 1
        assert queue.job_ids == [f"hint-{MATCH}-7-hint-2"], "a lost one is given out again"
