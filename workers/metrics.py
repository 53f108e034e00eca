"""Metrics of followers and workers: lag of consumers, due duties, duration of jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from time import perf_counter
from typing import Any, Final

import msgspec
from prometheus_client import Counter, Histogram
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from redis import Redis

from domain.eventstore.application import Matches
from domain.matches.log.entries import microseconds
from projections.loop import FollowerLoop
from projections.platform.clock import now
from projections.platform.store import ReadStore
from projections.platform.telemetry.metrics import SECONDS, ProcessMetrics
from workers import event_duties
from workers.bots.kinds import BotKind, Choose
from workers.jobs import Jobs
from workers.matches import statements as duties
from workers.matches.bot_turn import Players
from workers.queues import QUEUES, waiting_in

LATE: Final = timedelta(seconds=10)
"""Time after which a due duty is late: longer than its lease, so that a second job has failed as well."""


def now_us() -> int:
    """Return the current time in microseconds."""
    return microseconds(now())


class FollowerMetrics(ProcessMetrics):
    """Metrics of a follower, computed when they are scraped."""

    def __init__(self) -> None:
        super().__init__("follower")
        self.issued: Final = Counter("esporles_duties_issued", "Jobs issued", registry=self.registry)

    def open(self, loop: FollowerLoop, log: Matches, store: ReadStore, queues: Redis) -> None:
        """Register the metrics of these objects, computed when they are read."""
        self.register_at_scrape(lambda: consumer_lags(loop, log))
        self.register_at_scrape(lambda: count_duties(store))
        self.register_at_scrape(lambda: queue_lengths(queues))


def consumer_lags(loop: FollowerLoop, log: Matches) -> Iterable[Metric]:
    """Yield the position of the log, the leader of each leadership, and lag and failures of each consumer led here.

    Also the number of skipped streams.
    """
    last = log.last_position()
    yield GaugeMetricFamily(
        "esporles_log_position", "Position of the latest log entry known to the follower", value=last
    )
    lag = GaugeMetricFamily(
        "esporles_follower_lag_entries", "Log entries that the follower has not processed yet", labels=["follower"]
    )
    failures = GaugeMetricFamily(
        "esporles_follower_failures", "Consecutive failures of the follower", labels=["follower"]
    )
    led = GaugeMetricFamily(
        "esporles_lane_led",
        "1 in the process that leads the lane; if all processes report 0, the lane has no leader",
        labels=["lane"],
    )
    for leadership in loop.leaderships:
        led.add_metric([leadership], loop.leads(leadership))
    yield led
    skipped = set[Any]()
    for consumer in list(loop.consumers):
        if not consumer.is_led:
            # Its leader reports the offset; the one here is outdated.
            continue
        lag.add_metric([consumer.name], max(0, last - consumer.position))
        failures.add_metric([consumer.name], consumer.failures.count)
        skipped |= set(consumer.steps.skipped_streams if consumer.steps is not None else ())
    yield lag
    yield failures
    yield GaugeMetricFamily(
        "esporles_passed_over_streams",
        "Matches and records that the follower skipped because it cannot process them",
        len(skipped),
    )


def count_duties(store: ReadStore) -> Iterable[Metric]:
    """Return the numbers of due and late duties by job, steps of tournaments and leagues included.

    Late: due for `LATE`, or at the second attempt.
    """
    due = GaugeMetricFamily("esporles_duties_owed", "Jobs that are due and not done", labels=["job"])
    late = GaugeMetricFamily(
        "esporles_duties_late",
        "Jobs overdue by ten seconds or in their second attempt",
        labels=["job"],
    )
    at_us = now_us()
    rows = store.rows(duties.OWED, late=at_us - LATE // timedelta(microseconds=1), now=at_us)
    steps = store.rows(event_duties.OWED, now=at_us)
    for job, count, late_count in (
        *rows,
        *((f"{kind}_step", count, retried_count) for kind, count, retried_count in steps),
    ):
        due.add_metric([job], count)
        late.add_metric([job], late_count)
    return due, late


def queue_lengths(queues: Redis) -> Iterable[Metric]:
    """Yield the number of waiting jobs in each queue."""
    family = GaugeMetricFamily("esporles_queue_jobs", "Jobs waiting in the queue", labels=["queue"])
    for name in QUEUES:
        family.add_metric([name], waiting_in(queues, name))
    yield family


class WorkerMetrics(ProcessMetrics):
    """Metrics of a worker: durations of jobs and bot choices."""

    def __init__(self) -> None:
        super().__init__("worker")
        self._jobs = Histogram(
            "esporles_job_seconds",
            "Duration of jobs by outcome",
            ["job", "outcome"],
            registry=self.registry,
            buckets=SECONDS,
        )
        self._choices = Histogram(
            "esporles_bot_choice_seconds",
            "Time that a bot needed for a decision",
            ["title", "bot"],
            registry=self.registry,
            buckets=SECONDS,
        )

    def timed_jobs(self, jobs: Jobs) -> Jobs:
        """Wrap the jobs to measure their duration."""
        return {name: self._timed_job(name, job) for name, job in jobs.items()}

    def _timed_job(self, name: str, job: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a job to measure its duration as "done" or, after an exception, "failed"."""

        def run(*args: object, **kwargs: object) -> Any:
            started, outcome = perf_counter(), "failed"
            try:
                result = job(*args, **kwargs)
                outcome = "done"
                return result
            finally:
                self._jobs.labels(name, outcome).observe(perf_counter() - started)

        return run

    def timed_players(self, players: Players) -> Players:
        """Wrap the bots to measure the duration of their choices."""
        names = {id(title.rules): name for name, title in players.titles.items()}
        bots = {name: self._timed_bot(kind, names) for name, kind in players.bots.items()}
        return msgspec.structs.replace(players, bots=bots)

    def _timed_bot(self, kind: BotKind, names: Mapping[int, str]) -> BotKind:
        """Wrap a bot to measure the duration of its choices by title and name."""
        choose: Choose = kind.choose

        def choose_timed(rules: Any, *args: Any, **kwargs: Any) -> Any:
            with self._choices.labels(names[id(rules)], kind.name).time():
                return choose(rules, *args, **kwargs)

        return msgspec.structs.replace(kind, choose=choose_timed)
