"""Web processes with PostgreSQL: throughput of one process, and the processor cost of an action with one and with two.

Latencies on dedicated cores are estimated with a queueing model.
"""

import math
import os
import secrets
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
import psycopg
from psycopg.sql import SQL, Identifier

from ops.console import Finding
from ops.dev.bench.figures import Figure, milliseconds, percentile
from ops.dev.bench.service import load_of, paced_plan
from ops.dev.bench.streams import processor_seconds
from ops.roles import FOLLOWER, WEB
from ops.temporary_service import LIMITS, isolated_environment, start_server, valkey_server
from projections.platform.settings import variables

SECONDS: Final = 6.0
WARM_SECONDS: Final = 1.0
"""Warm-up time, which is not measured: a new process is slower."""
MATCHES: Final = (20, 80)
RATE_FLOOR: Final = 450
OLD_RATE: Final = "144/s by three requests"
"""Rate of an earlier version with 20 matches."""
COST_FLOOR: Final = 1.2
ESTIMATED_RATE: Final = 300
LATE: Final = 0.040
"""Floor of a POST's p99 at that rate, in seconds."""
PART: Final = 0.99


class Web(msgspec.Struct, frozen=True):
    """A web process: its URL and process id."""

    url: str
    pid: int


class LoadResult(msgspec.Struct, frozen=True):
    """The result of a load: actions per second, processor seconds per action in the web processes, and latencies."""

    rate: float
    each: float
    latencies: list[float]


class Deployment:
    """A deployment with PostgreSQL and Valkey: a follower, and web processes added on demand.

    There is no worker, because only the load plays.
    """

    def __init__(self, stack: ExitStack, environment: Mapping[str, str]) -> None:
        self._stack, self._environment = stack, environment
        self._start(FOLLOWER)

    def web(self) -> Web:
        """Start another web process and warm it up."""
        web = msgspec.convert(self._start(WEB), Web)
        measure_rate((web,), WARM_SECONDS)
        return web

    def _start(self, role: str) -> dict[str, Any]:
        command = [sys.executable, "-m", "ops.cli", "run", role, "--json"]
        return self._stack.enter_context(start_server(command, self._environment))


@contextmanager
def database_at(address: str) -> Iterator[str]:
    """Create a temporary database at that server, provide its address, and drop it at the end.

    Raises `Finding` if it cannot be created.
    """
    name = f"esporles_bench_{secrets.token_hex(4)}"
    try:
        with psycopg.connect(address, autocommit=True) as server:
            server.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
    except psycopg.Error as fault:
        raise Finding(f"cannot create a database on that server: {str(fault).strip()}") from fault
    try:
        yield urlsplit(address)._replace(path=f"/{name}").geturl()
    finally:
        with psycopg.connect(address, autocommit=True) as server:
            server.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))


@contextmanager
def deployment_at(address: str) -> Iterator[Deployment]:
    """Start a deployment in a temporary database at that server."""
    with ExitStack() as stack:
        database = stack.enter_context(database_at(address))
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="esporles-bench-")))
        redis = stack.enter_context(valkey_server())
        database_options = dict.fromkeys(("store", "reads", "people"), database)
        options = variables(
            data=folder, redis=redis, port=0, drain_seconds=0, **database_options, **dict.fromkeys(LIMITS, 0)
        )
        yield Deployment(stack, isolated_environment(os.environ) | options)


def measure_rate(webs: Sequence[Web], seconds: float, matches: int = MATCHES[0]) -> LoadResult:
    """Measure the greatest rate of actions, one request each, with tables distributed evenly over the web processes."""
    cpu_times: list[float] = []

    def note() -> None:
        cpu_times.append(sum(processor_seconds(web.pid) for web in webs))

    load = load_of([web.url for web in webs], paced_plan(matches, 0, seconds, is_whole=True), note, note)
    return LoadResult(load.actions / load.seconds, (cpu_times[1] - cpu_times[0]) / load.actions, load.latencies)


def estimate_latency(each: float, rate: float, webs: int) -> float:
    """Estimate the 99th percentile of an action's latency in seconds at a rate; infinity if the load exceeds capacity.

    Each process is modelled as an M/M/1 queue on a dedicated core: independent arrivals (Poisson), distributed at
    random, with exponential service times whose mean `each` is the processor time of one action. Time in the system is
    then exponential with the mean each / (1 - load). The model leaves out waiting for commits, which does not occupy
    the processor, and a slow PostgreSQL.
    """
    load = rate * each / webs
    return each * -math.log(1 - PART) / (1 - load) if load < 1 else math.inf


def estimate_rate_max(each: float, webs: int, latency_max: float = LATE) -> float:
    """Estimate with the same model the greatest rate at which 99 % of actions stay below `latency_max` seconds."""
    return max(0.0, webs * (1 / each + math.log(1 - PART) / latency_max))


def rate_row(matches: int, load_result: LoadResult) -> Figure:
    """Return the row for the throughput of one web process."""
    p50 = milliseconds(percentile(load_result.latencies, 0.5))
    old_rate = f", was {OLD_RATE}" if matches == MATCHES[0] else ""
    return Figure(
        f"PostgreSQL: POST with its view, {matches} matches: actions",
        f"{load_result.rate:,.0f}/s, p50 {p50}",
        f"≥ {RATE_FLOOR}/s, aim 1,000",
        load_result.rate >= RATE_FLOOR,
        f"{load_result.rate / RATE_FLOOR:.2f}×{old_rate}",
    )


def cost_row(matches: int, single: LoadResult, double: LoadResult) -> Figure:
    """Return the row that compares an action's processor cost at two web processes with one, under the same load."""
    ratio = double.each / single.each
    costs = (
        f"{milliseconds(double.each)}, {milliseconds(single.each)} at one; {double.rate:,.0f}/s, {single.rate:,.0f}/s"
    )
    label = f"PostgreSQL: two web processes, {matches} matches: CPU time of a POST"
    return Figure(label, costs, f"≤ {COST_FLOOR}× one", ratio <= COST_FLOOR, f"{ratio:.2f}×")


def estimate_rows(single: float, double: float) -> tuple[Figure, ...]:
    """Return estimated rows for one and two processes, from the processor times measured there."""
    label = "estimated, not measured (M/M/1, each web process on its own core):"
    times = [milliseconds(estimate_latency(each, ESTIMATED_RATE, webs)) for each, webs in ((single, 1), (double, 2))]
    rates = [estimate_rate_max(single, 1), estimate_rate_max(double, 2)]
    return (
        Figure(f"{label} POST p99 at {ESTIMATED_RATE}/s", f"one {times[0]}, two {times[1]}"),
        Figure(
            f"{label} POST/s with a p99 below {LATE * 1000:.0f} ms",
            f"one {rates[0]:,.0f}/s, two {rates[1]:,.0f}/s",
            ratio=f"{rates[1] / rates[0]:.2f}×" if rates[0] else "",
        ),
    )


def figures(address: str, seconds: float = SECONDS) -> tuple[Figure, ...]:
    """Return every row, measured in a temporary database at that server: rates and processor costs, then estimates.

    All processes share the machine with the load generator: rates suffer from that, processor times hardly.
    """
    with deployment_at(address) as deployment:
        first = deployment.web()
        single = [measure_rate((first,), seconds, matches) for matches in MATCHES]
        second = deployment.web()
        double = [measure_rate((first, second), seconds, matches) for matches in MATCHES]
    rows = [rate_row(matches, load_result) for matches, load_result in zip(MATCHES, single, strict=True)]
    rows += [cost_row(*each) for each in zip(MATCHES, single, double, strict=True)]
    return (*rows, *estimate_rows(single[0].each, double[0].each))
