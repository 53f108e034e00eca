"""Throughput of the service with a number of matches that act again as soon as each response arrives."""

import asyncio
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from domain.kernel.title import default_title
from domain.titles import TITLES
from ops.dev.bench import webs
from ops.dev.bench.figures import Figure, Section, milliseconds, percentile
from ops.dev.bench.service import PLAYERS, load_of, measure_paced, paced_plan
from ops.dev.load.client import Client
from ops.dev.load.running import Measured
from ops.dev.load.tables import Seating, create_accounts, open_match
from ops.temporary_service import service_in

SECONDS: Final = 6.0
FEW: Final = 20
MANY: Final = 80
GETTERS: Final = 20
OLD_FLOOR: Final = 450
NEW_FLOOR: Final = 600
OLD_RATES: Final = {FEW: "196/s, p50 46 ms", MANY: "221/s, p50 177 ms"}
"""Rates with three requests per action, the only way at that time, before any optimisation."""
OLD_MATCH: Final = "1,106/s"
OLD_LEGAL: Final = "763 to 952/s"
GET_FLOOR: Final = 3_000
FAST_MATCHES: Final = 100
FAST_RATE: Final = 300
FAST_SECONDS: Final = 10.0
FAST_BUDGET: Final = 0.040
PAGE_CONNECTIONS: Final = 6
PAGE_RATE: Final = 16
"""Requests per second on each connection."""
PAGE_BUDGET: Final = 0.040


def measure_closed_loop(url: str, matches: int, *, is_whole: bool) -> tuple[float, Measured]:
    """Return actions per second of concurrent matches, each on a separate connection, and the whole measurement.

    With `is_whole` an action and the view after it are one request, else three.
    """
    load = load_of([url], paced_plan(matches, 0, SECONDS, is_whole=is_whole))
    return load.actions / load.seconds, load


async def measure_gets(url: str, end: str, seconds: float = SECONDS / 2) -> float:
    """Return responses per second to GET requests by `GETTERS` connections about matches in which nothing changes."""
    clients = [Client(url) for _ in range(GETTERS)]
    tokens = await create_accounts(clients[0], PLAYERS)
    seating = Seating(default_title(TITLES).name, tokens[0], tuple(tokens))
    paths = [f"/api/matches/{(await open_match(client, seating))['matchId']}" for client in clients]
    request_count, deadline = 0, time.perf_counter() + seconds

    async def ask(client: Client, path: str) -> None:
        nonlocal request_count
        while time.perf_counter() < deadline:
            status, _ = await client.ask("GET", path + end, token=tokens[0], decode=False)
            assert status == 200
            request_count += 1

    started = time.perf_counter()
    await asyncio.gather(*(ask(client, path) for client, path in zip(clients, paths, strict=True)))
    elapsed = time.perf_counter() - started
    for client in clients:
        client.close()
    return request_count / elapsed


def rate(label: str, value: float, floor: int, old_rate: str, load: Measured | None = None) -> Figure:
    """Return a row with its floor and an earlier measurement, and with the median latency where `load` is given."""
    absolute = f"{value:,.0f}/s"
    if load is not None:
        absolute += f", p50 {milliseconds(percentile(load.latencies, 0.5))}"
    return Figure(label, absolute, f"≥ {floor:,}/s", value >= floor, f"{value / floor:.2f}×, was {old_rate}")


def measure_fast_rate(url: str) -> Figure:
    """Measure the 99th percentile of latencies at 300 actions per second over 100 matches."""
    load = load_of([url], paced_plan(FAST_MATCHES, FAST_RATE, FAST_SECONDS))
    p99 = percentile(load.latencies, 0.99)
    label = f"POST action, {len(load.latencies)} at {FAST_RATE}/s over {FAST_MATCHES} matches, p99"
    return Figure(label, milliseconds(p99), "< 40 ms", p99 < FAST_BUDGET, f"{p99 / FAST_BUDGET:.2f}×")


async def read_pages(url: str, path: str, is_over: threading.Event) -> None:
    """Request a page on several connections at a steady rate until the event is set; no answer is cached."""
    loop = asyncio.get_running_loop()

    async def read(client: Client) -> None:
        due_at = loop.time()
        while not is_over.is_set():
            status, _ = await client.ask("GET", path, decode=False)
            assert status == 200
            due_at += 1 / PAGE_RATE
            await asyncio.sleep(max(0.0, due_at - loop.time()))
        client.close()

    await asyncio.gather(*(read(Client(url)) for _ in range(PAGE_CONNECTIONS)))


def beside_pages(url: str) -> Figure:
    """Measure actions at the usual pace while `PAGE_CONNECTIONS` others read a large page."""
    is_over = threading.Event()
    path = f"/cards/{default_title(TITLES).name}"
    readers = threading.Thread(target=lambda: asyncio.run(read_pages(url, path, is_over)))

    def end() -> None:
        is_over.set()
        readers.join()

    load = load_of([url], paced_plan(seconds=FAST_SECONDS), readers.start, end)
    p99 = percentile(load.latencies, 0.99)
    label = f"POST action while {PAGE_CONNECTIONS} connections read {path} {PAGE_RATE} times a second each, p99"
    return Figure(label, milliseconds(p99), "< 40 ms", p99 < PAGE_BUDGET, f"{p99 / PAGE_BUDGET:.2f}×, was 800 ms")


def figures(url: str) -> tuple[Figure, ...]:
    """Measure all rows against a running service."""
    rows = [measure_fast_rate(url), beside_pages(url)]
    for label, is_whole, floor in (("GET, GET, POST", False, OLD_FLOOR), ("POST with its view", True, NEW_FLOOR)):
        for matches in (FEW, MANY):
            measured_rate, load = measure_closed_loop(url, matches, is_whole=is_whole)
            rows.append(rate(f"{label}, {matches} matches: actions", measured_rate, floor, OLD_RATES[matches], load))
    rows += [
        rate("GET match alone", asyncio.run(measure_gets(url, "")), GET_FLOOR, OLD_MATCH),
        rate("GET legal actions alone", asyncio.run(measure_gets(url, "/legal-actions")), GET_FLOOR, OLD_LEGAL),
    ]
    return tuple(rows)


def section(postgres: str = "") -> Section:
    """Measure `serve` with SQLite at a steady pace and at full load.

    With an address of a PostgreSQL server, measure web processes too.
    """
    with TemporaryDirectory() as folder, service_in(Path(folder)) as service:
        rows = (*measure_paced(service.url, Path(folder)), *figures(service.url))
    return Section("Service (SQLite, whole process set)", (*rows, *(webs.figures(postgres) if postgres else ())))
