"""The whole service under load: fifty actions a second over twenty matches, beside the same load on a bare server."""

import asyncio
import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from domain.kernel.title import default_title
from domain.titles import TITLES
from ops.bench.figures import Figure, milliseconds, percentile
from ops.door import ask, find_address
from projections.settings import variables

MATCHES: Final = 20
RATE: Final = 50
SECONDS: Final = 30
PLAYERS: Final = 2
POST_BUDGET: Final = 0.010
LAG_BUDGET: Final = 0.020
PASSWORD: Final = "bench " + "x" * 12


class Client:
    """One kept HTTP/1.1 connection; sends a request and reads its whole answer."""

    def __init__(self, host: str, port: int) -> None:
        self._address = (host, port)
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, method: str, path: str, body: Any = None, token: str = "", header: str = "", *, decode: bool = True
    ) -> tuple[int, Any]:
        """Status and body, decoded unless that takes the time of what is measured; `header` is one more line."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(*self._address)
        reader, writer = self._streams
        content = b"" if body is None else msgspec.json.encode(body)
        lines = [f"{method} {path} HTTP/1.1", "Host: bench", "Content-Type: application/json"]
        lines += [f"Content-Length: {len(content)}", *([f"Authorization: Bearer {token}"] if token else [])]
        lines += [header] if header else []
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + content)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        answer = await reader.readexactly(int(headers.get("content-length", "0")))
        return int(head[0].split()[1]), msgspec.json.decode(answer) if decode and answer[:1] in b"{[" else answer

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()


@contextmanager
def start_server(command: Sequence[str], environment: dict[str, str] | None = None) -> Iterator[dict[str, Any]]:
    """A server that says where it listens as a line of JSON; stopped at the end."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())
        finally:
            process.send_signal(signal.SIGTERM)


async def people(client: Client) -> list[str]:
    """The tokens of new persons."""
    tokens = []
    for _ in range(PLAYERS):
        name = f"bench {secrets.token_hex(6)}"
        await client.ask("POST", "/api/accounts", {"name": name, "password": PASSWORD})
        _, token = await client.ask("POST", "/api/tokens", {"name": name, "password": PASSWORD})
        tokens.append(token["secret"])
    return tokens


async def open_match(client: Client, tokens: Sequence[str]) -> tuple[str, int]:
    """A started match of these people; its id and version."""
    wanted = {"title": default_title(TITLES).name, "seats": len(tokens)}
    _, match = await client.ask("POST", "/api/matches", wanted, tokens[0])
    path = f"/api/matches/{match['matchId']}"
    for seat, token in enumerate(tokens):
        await client.ask("POST", f"{path}/seats", {"seat": seat}, token)
    for token in tokens:
        _, match = await client.ask("POST", f"{path}/ready", {}, token)
    return path, match["version"]


class Load:
    """The latencies of actions, and what went wrong."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self.refused = 0

    def add(self, seconds: float, status: int) -> None:
        """One action."""
        self.latencies.append(seconds)
        self.refused += status != 201


class PlayedTable:
    """A table of people; a new one where the last has ended. For an action there are three requests: the match, what is
    legal, the action."""

    def __init__(self, client: Client, tokens: Sequence[str], load: Load) -> None:
        self._client, self._tokens, self._load = client, tokens, load
        self.path, self.version, self._number = "", 0, 0

    async def open(self) -> None:
        self.path, self.version = await open_match(self._client, self._tokens)

    async def act(self, not_before: float = 0.0) -> bool:
        """Whether there was anything to do; then an action, not before that moment of the loop's clock."""
        ask, path = self._client.ask, self.path
        _, match = await ask("GET", f"{path}?atLeast={self.version}", token=self._tokens[0])
        if not match["toAct"] or match["status"] != "running":
            await self.open()
            return False
        seat = max(match["toAct"])
        if seat < 0:
            self.version += 1
            return False
        token = self._tokens[seat]
        _, legal = await ask("GET", f"{path}/legal-actions", token=token)
        self._number += 1
        action = legal["actions"][self._number % len(legal["actions"])]["action"]
        await asyncio.sleep(max(0.0, not_before - asyncio.get_running_loop().time()))
        begun = time.perf_counter()
        wanted = {"expectedVersion": match["version"], "action": action}
        status, answer = await ask("POST", f"{path}/actions", wanted, token)
        self._load.add(time.perf_counter() - begun, status)
        self.version = answer.get("version", self.version)
        return True


async def play(
    client: Client, tokens: Sequence[str], load: Load, start: float, until: float, every: float = MATCHES / RATE
) -> None:
    """An action every so many seconds, at times fixed beforehand: a slow answer does not lower the load."""
    table, due = PlayedTable(client, tokens, load), start
    await table.open()
    while due < until:
        if await table.act(due):
            due += every


async def run_load(
    url: str, on_start: Callable[[], None], matches: int = MATCHES, rate: int = RATE, seconds: float = SECONDS
) -> Load:
    """So many matches at once, their actions spread evenly; `on_start` is called when the people have signed in."""
    parts = urlsplit(url)
    load, clients = Load(), [Client(parts.hostname or "", parts.port or 80) for _ in range(matches)]
    tokens = await people(clients[0])
    on_start()
    start = asyncio.get_running_loop().time() + 1.0
    await asyncio.gather(
        *(
            play(client, tokens, load, start + index / rate, start + index / rate + seconds, matches / rate)
            for index, client in enumerate(clients)
        )
    )
    for client in clients:
        client.close()
    return load


async def bare_load(url: str, size: int) -> list[float]:
    """The same pace on a server that answers as many bytes and does nothing."""
    parts = urlsplit(url)
    clients = [Client(parts.hostname or "", parts.port or 80) for _ in range(MATCHES)]
    latencies: list[float] = []
    loop = asyncio.get_running_loop()
    start = loop.time() + 0.5

    async def pace(client: Client, first: float) -> None:
        for number in range(10 * RATE // MATCHES):
            await asyncio.sleep(max(0.0, first + number * MATCHES / RATE - loop.time()))
            begun = time.perf_counter()
            await client.ask("POST", "/", {"size": size})
            latencies.append(time.perf_counter() - begun)

    await asyncio.gather(*(pace(client, start + index / RATE) for index, client in enumerate(clients)))
    for client in clients:
        client.close()
    return latencies


def lag_buckets(folder: Path) -> dict[str, float]:
    """How many wake-ups of the service's loop were at most so late, by its own figures."""
    door = find_address(folder)
    assert door is not None
    buckets: dict[str, float] = {}
    for line in ask(door, "GET", "/api/metrics").decode().splitlines():
        if line.startswith("esporles_loop_lag_seconds_bucket"):
            name, _, value = line.rpartition(" ")
            buckets[name.split('"')[1]] = float(value)
    return buckets


def late_share(before: dict[str, float], after: dict[str, float], bound: float) -> tuple[float, int]:
    """The share of wake-ups later than a bound between two looks, and their number."""
    total = after["+Inf"] - before["+Inf"]
    return 1 - (after[str(bound)] - before[str(bound)]) / total, int(total)


def paced(url: str, folder: Path) -> tuple[Figure, ...]:
    """Actions and loop lag on `serve` with SQLite; the bare server of the same run."""
    before = dict[str, float]()
    load = asyncio.run(run_load(url, lambda: before.update(lag_buckets(folder))))
    late, wakes = late_share(before, lag_buckets(folder), LAG_BUDGET)
    with start_server([sys.executable, "-m", "ops.bench.bare"]) as bare:
        bare_latencies = asyncio.run(bare_load(bare["url"], 20_000))
    slow, bare_slow = percentile(load.latencies, 0.99), percentile(bare_latencies, 0.99)
    middle, bare_middle = percentile(load.latencies, 0.5), percentile(bare_latencies, 0.5)
    assert not load.refused, f"{load.refused} actions were refused"
    what = f"POST action, {len(load.latencies)} at {RATE}/s over {MATCHES} matches"
    return (
        Figure(f"{what}, p99", milliseconds(slow), "< 10 ms", slow < POST_BUDGET, f"{slow / bare_slow:.1f}× bare"),
        Figure(f"{what}, median", milliseconds(middle), ratio=f"{middle / bare_middle:.1f}× bare"),
        Figure("bare server, p99", milliseconds(bare_slow)),
        Figure(f"loop lag over 20 ms, of {wakes:,} wake-ups", f"{late:.3%}", "≤ 0.1%", late <= 0.001),
    )


def quiet_environment() -> dict[str, str]:
    """This environment without the demonstration table: the load is to be the only one."""
    return os.environ | variables(demo=0, changes_per_minute=0)
