"""The service under all the load that a number of matches can bring: each acts again as soon as it was answered."""

import asyncio
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit

from ops.bench.figures import Figure, Section, milliseconds, percentile
from ops.bench.service import (
    Client,
    Load,
    PlayedTable,
    open_match,
    paced,
    people,
    quiet_environment,
    run_load,
    start_server,
)

SECONDS: Final = 6.0
FEW: Final = 20
MANY: Final = 80
GETTERS: Final = 20
PREFER: Final = "Prefer: return=representation"
OLD_FLOOR: Final = 450
NEW_FLOOR: Final = 600
GET_FLOOR: Final = 3_000
FAST_MATCHES: Final = 100
FAST_RATE: Final = 300
FAST_SECONDS: Final = 10.0
FAST_BUDGET: Final = 0.040


async def old_loop(client: Client, tokens: Sequence[str], load: Load, until: float) -> None:
    """Three requests for an action: the match, what is legal, the action."""
    table = PlayedTable(client, tokens, load)
    await table.open()
    while time.perf_counter() < until:
        await table.act()


async def new_loop(client: Client, tokens: Sequence[str], load: Load, until: float) -> None:
    """One request for an action: its answer brings the match and what is legal next. Where it is another's turn, that
    player asks what is legal."""
    path, _ = await open_match(client, tokens)
    _, match = await client.ask("GET", path, token=tokens[0])
    number = 0
    while time.perf_counter() < until:
        if not match["toAct"] or match["status"] != "running":
            path, _ = await open_match(client, tokens)
            _, match = await client.ask("GET", path, token=tokens[0])
            continue
        seat = max(match["toAct"])
        if seat < 0:
            _, match = await client.ask("GET", f"{path}?atLeast={match['version'] + 1}", token=tokens[0])
            continue
        legal = match.get("legalActions") if match["seat"] == seat else None
        if legal is None:
            _, legal = await client.ask("GET", f"{path}/legal-actions", token=tokens[seat])
        number += 1
        action = legal["actions"][number % len(legal["actions"])]["action"]
        wanted = {"expectedVersion": legal["version"], "action": action}
        begun = time.perf_counter()
        status, match = await client.ask("POST", f"{path}/actions", wanted, tokens[seat], PREFER)
        load.add(time.perf_counter() - begun, status)


Loop = Callable[[Client, Sequence[str], Load, float], Coroutine[Any, Any, None]]


async def closed(url: str, matches: int, loop: Loop, seconds: float = SECONDS) -> tuple[float, Load]:
    """Actions a second of so many matches, each on a connection of its own."""
    load, clients = Load(), clients_of(url, matches)
    tokens = await people(clients[0])
    begun = time.perf_counter()
    until = begun + seconds
    await asyncio.gather(*(loop(client, tokens, load, until) for client in clients))
    taken = time.perf_counter() - begun
    for client in clients:
        client.close()
    return len(load.latencies) / taken, load


async def getting(url: str, end: str, seconds: float = SECONDS / 2) -> float:
    """Answers a second to the same question about matches that stand still, by their players."""
    clients = clients_of(url, GETTERS)
    tokens = await people(clients[0])
    paths = [(await open_match(client, tokens))[0] for client in clients]
    asked, until = 0, time.perf_counter() + seconds

    async def ask(client: Client, path: str) -> None:
        nonlocal asked
        while time.perf_counter() < until:
            status, _ = await client.ask("GET", path + end, token=tokens[0], decode=False)
            assert status == 200
            asked += 1

    begun = time.perf_counter()
    await asyncio.gather(*(ask(client, path) for client, path in zip(clients, paths, strict=True)))
    taken = time.perf_counter() - begun
    for client in clients:
        client.close()
    return asked / taken


def clients_of(url: str, count: int) -> list[Client]:
    parts = urlsplit(url)
    return [Client(parts.hostname or "", parts.port or 80) for _ in range(count)]


def rate(what: str, value: float, floor: int, load: Load | None = None) -> Figure:
    """A row; with the half of the answers that came sooner, where they were timed."""
    absolute = f"{value:,.0f}/s"
    if load is not None:
        absolute += f", half within {milliseconds(percentile(load.latencies, 0.5))}"
    return Figure(what, absolute, f"≥ {floor:,}/s", value >= floor, f"{value / floor:.2f}×")


def fast(url: str) -> Figure:
    """Three hundred actions a second over a hundred matches."""
    load = asyncio.run(run_load(url, lambda: None, FAST_MATCHES, FAST_RATE, FAST_SECONDS))
    assert not load.refused, f"{load.refused} actions were refused"
    slow = percentile(load.latencies, 0.99)
    what = f"POST action, {len(load.latencies)} at {FAST_RATE}/s over {FAST_MATCHES} matches, p99"
    return Figure(what, milliseconds(slow), "< 40 ms", slow < FAST_BUDGET, f"{slow / FAST_BUDGET:.2f}×")


def figures(url: str) -> tuple[Figure, ...]:
    """Every row, one after the other, at a service that runs."""
    rows = [fast(url)]
    for what, loop, floor in (("GET, GET, POST", old_loop, OLD_FLOOR), ("POST with its view", new_loop, NEW_FLOOR)):
        for matches in (FEW, MANY):
            found, load = asyncio.run(closed(url, matches, loop))
            assert not load.refused, f"{load.refused} actions were refused"
            rows.append(rate(f"{what}, {matches} matches: actions", found, floor, load))
    rows += [
        rate("GET match alone", asyncio.run(getting(url, "")), GET_FLOOR),
        rate("GET legal actions alone", asyncio.run(getting(url, "/legal-actions")), GET_FLOOR),
    ]
    return tuple(rows)


def section() -> Section:
    """`serve` with SQLite: actions at a pace, and as many as it can take."""
    with TemporaryDirectory() as folder:
        esporles = [sys.executable, "-m", "ops.cli", "serve", "--json", "--port", "0", "--data", folder]
        with start_server(esporles, quiet_environment()) as service:
            rows = (*paced(service["url"], Path(folder)), *figures(service["url"]))
    return Section("Service (SQLite, whole process set)", rows)
