"""The report of two scrapes: current state, rates in between, and problems that need attention."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from itertools import pairwise
from math import inf
from typing import Final

import msgspec

from ops.status.scraping import LE, Process, Sample, Scrape
from projections.platform.settings import names_of

ROUTES_SHOWN: Final = 8
LAG_MAX: Final = 500
"""The lag above which a consumer needs attention, as in the alerts."""
UNSIGNED_SECONDS_MAX: Final = 60


class ProcessState(msgspec.Struct, frozen=True, rename="camel"):
    """A process with its CPU and memory usage."""

    name: str
    role: str
    is_up: bool
    cores: float = 0.0
    memory_bytes: int = 0
    open_files: int = 0


class RouteState(msgspec.Struct, frozen=True, rename="camel"):
    """The request rate of a route, and the 99th percentile of its response time."""

    method: str
    route: str
    per_second: float
    p99_seconds: float | None


class Report(msgspec.Struct, frozen=True, rename="camel"):
    """The state of a service; rates are averages over `seconds` between two scrapes."""

    at: datetime
    seconds: float
    processes: tuple[ProcessState, ...]
    requests_per_second: float
    statuses: dict[str, float]
    routes: tuple[RouteState, ...]
    p50_seconds: float | None
    p99_seconds: float | None
    loop_lag_p99_seconds: float | None
    appends_per_second: float
    append_p99_seconds: float | None
    commit_p99_seconds: float | None
    commands_per_group: float | None
    streams: int
    stream_pieces_per_second: float
    caches: dict[str, float | None]
    log_position: int
    followers: dict[str, int]
    duties_owed: dict[str, int]
    duties_late: dict[str, int]
    queues: dict[str, int]
    jobs_per_second: dict[str, float]
    jobs_failed: int
    choices_per_second: dict[str, float]
    choice_p99_seconds: float | None
    tree_leaves: int | None
    tree_unsigned: int | None
    tree_confirmed: datetime | None
    """The latest cosignature or, without witnesses, the latest checkpoint."""
    tree_is_stale: bool
    refused_streams: int
    attention: tuple[str, ...]
    """Problems that need attention, in sentences."""
    risks: tuple[str, ...] = ()
    """Risks of the configuration, in sentences; they need no attention now."""


class ScrapeInterval:
    """Two scrapes and the changes of metrics between them; restarted processes count from 0."""

    def __init__(self, first: Scrape, second: Scrape) -> None:
        self.after = second
        self.seconds = max(second.at - first.at, 1e-9)
        self._before = {process.name: samples_by_name(process) for process in first.processes}
        self._after = {process.name: samples_by_name(process) for process in second.processes}

    def rises(self, name: str, key_of: Callable[[Sample], str] = lambda _: "") -> dict[str, float]:
        """Return the increases of a counter over all processes, grouped by a function of the sample.

        A process that was not scraped before, or whose counter fell, counts from 0.
        """
        increases: dict[str, float] = defaultdict(float)
        for process, samples in self._after.items():
            earlier = {key(sample): sample.value for sample in self._before.get(process, {}).get(name, ())}
            for sample in samples.get(name, ()):
                old_value = earlier.get(key(sample), 0.0)
                increases[key_of(sample)] += sample.value - (old_value if old_value <= sample.value else 0.0)
        return dict(increases)

    def rise(self, name: str) -> float:
        """Return the increase of a counter over all processes and labels."""
        return sum(self.rises(name).values())

    def rise_of(self, process: str, name: str) -> float:
        """Return the increase of a counter in one process over all labels, from 0 if it fell."""
        new_value = sum(sample.value for sample in self._after.get(process, {}).get(name, ()))
        old_value = sum(sample.value for sample in self._before.get(process, {}).get(name, ()))
        return new_value - old_value if old_value <= new_value else new_value

    def rates(self, name: str, key_of: Callable[[Sample], str]) -> dict[str, float]:
        """Return the increases per second, without zeros."""
        return {group: rise / self.seconds for group, rise in sorted(self.rises(name, key_of).items()) if rise}

    def quantile(self, share: float, name: str, is_selected: Callable[[Sample], bool] = lambda _: True) -> float | None:
        """Return a quantile of a histogram's observations between the scrapes, or None without any.

        `is_selected` selects samples by their labels.
        """
        rises = self.rises(f"{name}_bucket", lambda sample: sample.labels[LE] if is_selected(sample) else "")
        bounds = sorted((float(bound), rise) for bound, rise in rises.items() if bound)
        return quantile_of(share, bounds)

    def newest(self, name: str, key_of: Callable[[Sample], str] = lambda _: "") -> dict[str, int]:
        """Return the current values of a gauge, grouped by a function of the sample.

        The largest of several is taken.
        """
        newest_values: dict[str, int] = {}
        for samples in self._after.values():
            for sample in samples.get(name, ()):
                newest_values[key_of(sample)] = max(int(sample.value), newest_values.get(key_of(sample), 0))
        return newest_values

    def sum_of(self, name: str) -> int:
        """Return the sum of a gauge over all processes."""
        return int(sum(process.total(name) for process in self.after.processes))


def key(sample: Sample) -> tuple[tuple[str, str], ...]:
    """Return the identity of a sample."""
    return tuple(sorted(sample.labels.items()))


def samples_by_name(process: Process) -> dict[str, list[Sample]]:
    """Return the samples of a process by name."""
    by_name: dict[str, list[Sample]] = defaultdict(list)
    for sample in process.samples:
        by_name[sample.name].append(sample)
    return by_name


def quantile_of(share: float, bounds: list[tuple[float, float]]) -> float | None:
    """Return a quantile by linear interpolation within its bucket, as Prometheus computes it.

    None without observations. `bounds` are (upper bound, cumulative count) in rising order; in the infinite bucket its
    lower bound is the result.
    """
    if not bounds or not bounds[-1][1]:
        return None
    rank = share * bounds[-1][1]
    for (low, count_below), (high, count_up_to) in pairwise([(0.0, 0.0), *bounds]):
        if count_up_to >= rank:
            return (
                low
                if high == inf
                else low + (high - low) * (rank - count_below) / max(count_up_to - count_below, 1e-12)
            )
    return bounds[-1][0]


def joined_labels(*names: str) -> Callable[[Sample], str]:
    """Return a function that joins these labels of a sample."""
    return lambda sample: " ".join(sample.labels[name] for name in names)


def processes_of(interval: ScrapeInterval) -> tuple[ProcessState, ...]:
    """Return the states of all processes."""
    return tuple(
        ProcessState(
            process.name,
            process.role(),
            process.is_up,
            cores=interval.rise_of(process.name, "process_cpu_seconds_total") / interval.seconds,
            memory_bytes=int(process.total("process_resident_memory_bytes")),
            open_files=int(process.total("process_open_fds")),
        )
        for process in interval.after.processes
    )


def routes_of(interval: ScrapeInterval) -> tuple[RouteState, ...]:
    """Return the routes with the most requests, at most `ROUTES_SHOWN`, most frequent first."""
    rates = interval.rates("esporles_request_seconds_count", joined_labels("method", "route"))
    routes = []
    for name in sorted(rates, key=lambda name: -rates[name])[:ROUTES_SHOWN]:
        method, _, route = name.partition(" ")

        def is_it(sample: Sample, route_key: str = name) -> bool:
            return joined_labels("method", "route")(sample) == route_key

        p99 = interval.quantile(0.99, "esporles_request_seconds", is_it)
        routes.append(RouteState(method, route, rates[name], p99))
    return tuple(routes)


def caches_of(interval: ScrapeInterval) -> dict[str, float | None]:
    """Return the hit ratio of each cache, or None without lookups."""
    rises = interval.rises("esporles_cache_total", joined_labels("cache", "outcome"))
    names = sorted({name.partition(" ")[0] for name in rises})
    request_counts = {name: rises.get(f"{name} hit", 0.0) + rises.get(f"{name} miss", 0.0) for name in names}
    return {
        name: rises.get(f"{name} hit", 0.0) / request_counts[name] if request_counts[name] else None for name in names
    }


def mean(total: float, count: float) -> float | None:
    """Return the mean, or None without observations."""
    return total / count if count else None


def attention_of(interval: ScrapeInterval, now: datetime) -> Iterable[str]:
    """Yield a sentence for every problem that needs attention; remedies are in `docs/operate/runbook.md`.

    Problems are processes or a tree that is away, faults of requests and jobs, late followers and duties, streams
    refused or skipped, lanes without a leader, and a checkpoint that is too old.
    """
    for process in interval.after.processes:
        if not process.is_up:
            yield f"{process.name} does not respond"
    if faults := sum(rate for status, rate in statuses_of(interval).items() if status >= "500"):
        yield f"{faults:.1f} requests a second fail with a server error"
    for follower, lag in interval.newest("esporles_follower_lag_entries", joined_labels("follower")).items():
        if lag > LAG_MAX:
            yield f"{follower} is {lag:,} entries behind the log"
    for follower, failures in interval.newest("esporles_follower_failures", joined_labels("follower")).items():
        if failures:
            yield f"{follower} has failed {failures} times in a row"
    for lane, leader_count in interval.newest("esporles_lane_led", joined_labels("lane")).items():
        if not leader_count:
            yield f"no leader for {lane}"
    for job, late_count in interval.newest("esporles_duties_late", joined_labels("job")).items():
        if late_count:
            yield f"{late_count} overdue jobs ({job})"
    if refused_count := max(interval.newest("esporles_refused_streams").values(), default=0):
        yield f"{refused_count} matches or records differ from the signed tree and are blocked"
    if skipped_count := max(interval.newest("esporles_passed_over_streams").values(), default=0):
        yield f"{skipped_count} matches or records were skipped by projections"
    if not max(interval.newest("esporles_tree_served").values(), default=1):
        yield "the transparency tree is not served"
    if claimed := max(interval.newest("esporles_tree_contradicted_leaves").values(), default=0):
        leaves = max(interval.newest("esporles_tree_leaves").values(), default=0)
        yield (
            f"a witness shows a tree of {claimed:,} leaves, signed with the key of this service, but the tree has"
            f" {leaves:,}: no checkpoint is issued"
        )
    signed_at = max(interval.newest("esporles_tree_signed_timestamp_seconds").values(), default=0)
    if unsigned_count(interval) and signed_at and now.timestamp() - signed_at > UNSIGNED_SECONDS_MAX:
        yield f"the latest checkpoint is {now.timestamp() - signed_at:,.0f} s old, and newer leaves are unsigned"
    if failed := interval.rises("esporles_job_seconds_count", joined_labels("outcome")).get("failed"):
        yield f"{failed:.0f} jobs failed"


def risks_of(interval: ScrapeInterval) -> Iterable[str]:
    """Yield a sentence for every risk of the configuration; remedies are in `docs/operate/keys.md`."""
    if not min(interval.newest("esporles_log_key_encrypted").values(), default=1):
        yield f"the key of the transparency log is stored in clear text ({names_of('key_passphrase')})"


def statuses_of(interval: ScrapeInterval) -> dict[str, float]:
    """Return the rates of responses by status."""
    return interval.rates("esporles_requests_total", joined_labels("status"))


def unsigned_count(interval: ScrapeInterval) -> int | None:
    """Return the number of leaves without a checkpoint, or None if no tree is served."""
    leaves = interval.newest("esporles_tree_leaves")
    return max(leaves.values()) - max(interval.newest("esporles_tree_signed_leaves").values()) if leaves else None


def confirmation_time(interval: ScrapeInterval) -> datetime | None:
    """Return the time of the latest confirmation of the tree, or None."""
    seconds = max(interval.newest("esporles_tree_confirmed_timestamp_seconds").values(), default=0)
    return datetime.fromtimestamp(seconds, UTC) if seconds else None


def report(first: Scrape, second: Scrape, now: datetime | None = None) -> Report:
    """Build the report of two scrapes: rates and quantiles of the time between them, and states of the second.

    `now` is the current time by default.
    """
    interval, now = ScrapeInterval(first, second), now or datetime.now(UTC)
    statuses, leaves = statuses_of(interval), interval.newest("esporles_tree_leaves")
    return Report(
        at=now,
        seconds=interval.seconds,
        processes=processes_of(interval),
        requests_per_second=sum(statuses.values()),
        statuses=statuses,
        routes=routes_of(interval),
        p50_seconds=interval.quantile(0.5, "esporles_request_seconds"),
        p99_seconds=interval.quantile(0.99, "esporles_request_seconds"),
        loop_lag_p99_seconds=interval.quantile(0.99, "esporles_loop_lag_seconds"),
        appends_per_second=interval.rise("esporles_append_seconds_count") / interval.seconds,
        append_p99_seconds=interval.quantile(0.99, "esporles_append_seconds"),
        commit_p99_seconds=interval.quantile(0.99, "esporles_commit_seconds"),
        commands_per_group=mean(
            interval.rise("esporles_group_commands_sum"), interval.rise("esporles_group_commands_count")
        ),
        streams=interval.sum_of("esporles_streams"),
        stream_pieces_per_second=interval.rise("esporles_stream_pieces_total") / interval.seconds,
        caches=caches_of(interval),
        log_position=max(interval.newest("esporles_log_position").values(), default=0),
        followers=interval.newest("esporles_follower_lag_entries", joined_labels("follower")),
        duties_owed=interval.newest("esporles_duties_owed", joined_labels("job")),
        duties_late=interval.newest("esporles_duties_late", joined_labels("job")),
        queues=interval.newest("esporles_queue_jobs", joined_labels("queue")),
        jobs_per_second=interval.rates("esporles_job_seconds_count", joined_labels("job")),
        jobs_failed=int(interval.rises("esporles_job_seconds_count", joined_labels("outcome")).get("failed", 0)),
        choices_per_second=interval.rates("esporles_bot_choice_seconds_count", joined_labels("title", "bot")),
        choice_p99_seconds=interval.quantile(0.99, "esporles_bot_choice_seconds"),
        tree_leaves=max(leaves.values()) if leaves else None,
        tree_unsigned=unsigned_count(interval),
        tree_confirmed=confirmation_time(interval),
        tree_is_stale=any(interval.newest("esporles_tree_stale").values()),
        refused_streams=max(interval.newest("esporles_refused_streams").values(), default=0),
        attention=tuple(attention_of(interval, now)),
        risks=tuple(risks_of(interval)),
    )
