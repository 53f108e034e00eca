"""Load on the whole service: 50 actions per second over 20 matches, compared with the same load on a bare server."""

import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from domain.kernel.title import default_title
from domain.titles import TITLES
from ops.dev.bench.figures import Figure, milliseconds, percentile
from ops.dev.load.checking import check
from ops.dev.load.client import Client
from ops.dev.load.journal import Journal
from ops.dev.load.running import Measured, Plan, run_plan
from ops.service_client import fetch, find_address
from ops.temporary_service import start_server

MATCHES: Final = 20
RATE: Final = 50
SECONDS: Final = 30
PLAYERS: Final = 2
POST_BUDGET: Final = 0.010
LAG_BUDGET: Final = 0.020


def do_nothing() -> None:
    """Do nothing."""


def load_of(
    urls: Sequence[str], plan: Plan, on_start: Callable[[], None] = do_nothing, on_end: Callable[[], None] = do_nothing
) -> Measured:
    """Run a load; raise `AssertionError` unless every action was accepted and is in the logs afterwards.

    `on_end` is called before the logs are read.
    """
    with TemporaryDirectory(prefix="esporles-bench-") as folder:
        path = Path(folder) / "journal"
        with Journal(path) as journal:
            measured = asyncio.run(run_plan(urls, plan, journal, on_start=on_start))
        on_end()
        checked = asyncio.run(check(urls, path))
    assert not measured.refused, f"{measured.refused} actions were refused"
    assert not checked.faults, checked.faults
    return measured


def paced_plan(matches: int = MATCHES, rate: float = RATE, seconds: float = SECONDS, *, is_whole: bool = False) -> Plan:
    """Return a plan for concurrent matches of the same people; a `rate` of 0 means as fast as possible."""
    return Plan(
        title=default_title(TITLES).name,
        people=PLAYERS,
        tables=matches,
        seats=PLAYERS,
        rate=rate,
        seconds=seconds,
        is_whole=is_whole,
    )


async def bare_load(url: str, size: int) -> list[float]:
    """Measure the same pace on a server that does no work; return the latencies in seconds."""
    clients = [Client(url) for _ in range(MATCHES)]
    latencies: list[float] = []
    loop = asyncio.get_running_loop()
    start = loop.time() + 0.5

    async def pace(client: Client, first: float) -> None:
        for number in range(10 * RATE // MATCHES):
            await asyncio.sleep(max(0.0, first + number * MATCHES / RATE - loop.time()))
            started = time.perf_counter()
            await client.ask("POST", "/", {"size": size})
            latencies.append(time.perf_counter() - started)

    await asyncio.gather(*(pace(client, start + index / RATE) for index, client in enumerate(clients)))
    for client in clients:
        client.close()
    return latencies


def lag_buckets(folder: Path) -> dict[str, float]:
    """Return the service's cumulative counts of loop wake-ups, by upper bound of their delay."""
    service = find_address(folder)
    assert service is not None
    buckets: dict[str, float] = {}
    for line in fetch(service, "GET", "/api/metrics").decode().splitlines():
        if line.startswith("esporles_loop_lag_seconds_bucket"):
            name, _, value = line.rpartition(" ")
            buckets[name.split('"')[1]] = float(value)
    return buckets


def late_share(before: dict[str, float], after: dict[str, float], bound: float) -> tuple[float, int]:
    """Return the share of wake-ups later than `bound` between two readings, and the number of wake-ups."""
    total = after["+Inf"] - before["+Inf"]
    return 1 - (after[str(bound)] - before[str(bound)]) / total, int(total)


def measure_paced(url: str, folder: Path) -> tuple[Figure, ...]:
    """Measure actions and loop lag at the usual pace, and afterwards the bare server at the same pace."""
    before = dict[str, float]()
    load = load_of([url], paced_plan(), lambda: before.update(lag_buckets(folder)))
    late_part, wakes = late_share(before, lag_buckets(folder), LAG_BUDGET)
    with start_server([sys.executable, "-m", "ops.dev.bench.bare"]) as bare_server:
        bare_latencies = asyncio.run(bare_load(bare_server["url"], 20_000))
    p99, bare_p99 = percentile(load.latencies, 0.99), percentile(bare_latencies, 0.99)
    p50, bare_p50 = percentile(load.latencies, 0.5), percentile(bare_latencies, 0.5)
    label = f"POST action, {len(load.latencies)} at {RATE}/s over {MATCHES} matches"
    return (
        Figure(f"{label}, p99", milliseconds(p99), "< 10 ms", p99 < POST_BUDGET, f"{p99 / bare_p99:.1f}× bare"),
        Figure(f"{label}, median", milliseconds(p50), ratio=f"{p50 / bare_p50:.1f}× bare"),
        Figure("bare server, p99", milliseconds(bare_p99)),
        Figure(f"loop lag over 20 ms, of {wakes:,} wake-ups", f"{late_part:.3%}", "≤ 0.1%", late_part <= 0.001),
    )
