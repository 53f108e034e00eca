"""The order in which a worker checks its queues."""

from typing import Any

from rq import Queue
from rq.serializers import JSONSerializer

from workers.main import job_class
from workers.queues import QUICK_QUEUES, TURNS, UNATTENDED, patient_connection
from workers.stopping import StopFlag
from workers.turn_worker import PASSED_OVER_MAX, TurnWorker


def order_of(redis_url: str, jobs_by_queue: dict[str, int]) -> list[str]:
    """Return the queues of the jobs a worker takes, in order, with these numbers of jobs waiting."""
    order: list[str] = []
    kind = job_class(None, {"note": lambda _, queue: order.append(queue)})
    with patient_connection(redis_url) as connection:
        options: dict[str, Any] = {"connection": connection, "serializer": JSONSerializer, "job_class": kind}
        for name, count in jobs_by_queue.items():
            for _ in range(count):
                Queue(name, **options).enqueue_call("note", args=(name,), timeout=5)
        TurnWorker(QUICK_QUEUES, **options, stopping=StopFlag()).work(burst=True, logging_level="WARNING")
    return order


def test_matches_that_only_bots_play_come_after_peoples(redis_url: str) -> None:
    assert order_of(redis_url, {UNATTENDED: 2, TURNS: 3}) == [TURNS] * 3 + [UNATTENDED] * 2


def test_matches_that_only_bots_play_go_on_while_people_keep_the_worker_busy(redis_url: str) -> None:
    order = order_of(redis_url, {UNATTENDED: 2, TURNS: 2 * PASSED_OVER_MAX})

    assert order == ([TURNS] * PASSED_OVER_MAX + [UNATTENDED]) * 2
