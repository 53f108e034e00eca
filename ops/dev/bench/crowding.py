"""Time until a bot answers a person while other accounts keep as many bots busy as they can."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

from domain.kernel.title import default_title
from domain.titles import TITLES
from ops.dev.bench.figures import Figure, Section, milliseconds, percentile
from ops.dev.load.client import Client
from ops.dev.load.tables import CREATED, OK, LoadEnded, Seating, create_accounts, fill_seats, open_match
from ops.temporary_service import service_in
from projections.platform.settings import Settings

BOT: Final = "greedy"
TRIES: Final = 150
"""The number of tables that one account tries to open, and that several accounts have running together."""
PER_ACCOUNT: Final = Settings().bot_tables_per_person
ACCOUNTS: Final = TRIES // PER_ACCOUNT
THINKER: Final = "search-steady"
THINKERS: Final = 3
"""The number of bots that think for a second at each table where the other attacker plays."""
ACTING_SECONDS: Final = 0.05
"""Pause between two requests of that attacker, who may send 1,200 a minute."""
ANSWERS: Final = 100
BUDGET: Final = 0.150
PREFER: Final = "Prefer: return=representation"
SILENT_SECONDS: Final = 60.0
BOT_SEAT: Final = 1
STEPS: Final = 2
"""A person sits down and is ready."""


def section() -> Section:
    """Run both attacks."""
    return Section("Bots under crowding", asyncio.run(measure()))


async def measure() -> tuple[Figure, ...]:
    """Time the answers of a greedy bot alone and under both attacks, each with a separate service."""
    return (*await beside_bots(), await beside_thinkers())


async def beside_bots() -> tuple[Figure, ...]:
    """Time the answers alone, then while one account, and while many, open as many tables of bots as they can."""
    with (
        TemporaryDirectory() as folder,
        service_in(Path(folder), bot_tables_per_person=PER_ACCOUNT, streams_per_person=0) as service,
    ):
        host = Client(service.url, patience=SILENT_SECONDS)
        victim, *attackers = await create_accounts(host, 1 + ACCOUNTS)
        baseline = await answers(service.url, victim, ANSWERS)
        opened_count = await open_tables(host, attackers[0], TRIES)
        with_one = await answers(service.url, victim, ANSWERS)
        for attacker in attackers[1:]:
            opened_count += await open_tables(host, attacker, PER_ACCOUNT)
        with_many = await answers(service.url, victim, ANSWERS)
        host.close()
    return (
        figure("without other load", baseline),
        figure(f"while one account tries to open {TRIES} bot tables", with_one),
        figure(f"while {ACCOUNTS} accounts open {PER_ACCOUNT} each, {opened_count} opened", with_many),
    )


async def beside_thinkers() -> Figure:
    """Time the answers while one account occupies as many tables of slow bots as it can.

    It plays at half of these tables and resigns from the others, where the bots continue.
    """
    with (
        TemporaryDirectory() as folder,
        service_in(
            Path(folder),
            bot_tables_per_person=PER_ACCOUNT,
            tables_with_bots_per_person=Settings().tables_with_bots_per_person,
            streams_per_person=0,
        ) as service,
    ):
        host = Client(service.url, patience=SILENT_SECONDS)
        victim, attacker = await create_accounts(host, 2)
        paths = await open_thinking(host, attacker, TRIES)
        for path in paths[::2]:
            await host.ask("POST", f"{path}/resignation", {}, attacker)
        async with playing(service.url, attacker, paths[1::2]):
            latencies = await answers(service.url, victim, ANSWERS)
        host.close()
    return figure(f"while one account plays at {len(paths)} tables with {THINKER} and leaves half of them", latencies)


async def open_thinking(client: Client, token: str, count: int) -> list[str]:
    """Try to begin `count` matches of a person against thinking bots; return the paths of the running matches.

    Raises `LoadEnded` if a match cannot be created.
    """
    seating, paths = Seating(default_title(TITLES).name, token, (token,), (THINKER,) * THINKERS), list[str]()
    for _ in range(count):
        content = {"title": seating.title, "seats": 1 + THINKERS}
        status, match = await client.ask("POST", "/api/matches", content, token)
        if status != CREATED:
            raise LoadEnded(f"POST /api/matches returned {status}")
        path = f"/api/matches/{match['matchId']}"
        for _ in range(STEPS):
            match = await fill_seats(client, seating, path, match)
        if match["status"] == "running":
            paths.append(path)
    return paths


@asynccontextmanager
async def playing(url: str, token: str, paths: Sequence[str]) -> AsyncIterator[None]:
    """Take a person's turns at all these tables for the length of the block."""
    client = Client(url, patience=SILENT_SECONDS)
    task = asyncio.create_task(act_everywhere(client, token, paths))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        client.close()


async def act_everywhere(client: Client, token: str, paths: Sequence[str]) -> None:
    """Take the first legal action at each table in turn, as fast as one person may, until cancelled."""
    while True:
        for path in paths:
            await asyncio.sleep(ACTING_SECONDS)
            status, legal = await client.ask("GET", f"{path}/legal-actions", token=token)
            if status == OK and legal["actions"]:
                content = {"expectedVersion": legal["version"], "action": legal["actions"][0]["action"]}
                await client.ask("POST", f"{path}/actions", content, token)
        await asyncio.sleep(ACTING_SECONDS)


def figure(situation: str, latencies: Sequence[float]) -> Figure:
    """Return the row for the 95th percentile."""
    p95 = percentile(list(latencies), 0.95)
    label = f"response of a {BOT} bot {situation}, {len(latencies)} responses, p95"
    return Figure(label, milliseconds(p95), f"< {1_000 * BUDGET:.0f} ms", p95 < BUDGET)


async def open_tables(client: Client, token: str, count: int) -> int:
    """Try to open `count` tables of two bots; return the number of matches that began.

    Raises `LoadEnded` if a match cannot be created.
    """
    seating, opened_count = Seating(default_title(TITLES).name, token, (), (BOT, BOT)), 0
    for _ in range(count):
        status, match = await client.ask("POST", "/api/matches", {"title": seating.title, "seats": 2}, token)
        if status != CREATED:
            raise LoadEnded(f"POST /api/matches returned {status}")
        match_view = await fill_seats(client, seating, f"/api/matches/{match['matchId']}", match)
        opened_count += match_view["status"] not in {"open", "waiting"}
    return opened_count


async def answers(url: str, token: str, count: int) -> list[float]:
    """Play matches against a bot.

    Returns `count` times from an acknowledged action to the bot's next entry, in seconds. Raises as `Table.play`.
    """
    latencies: list[float] = []
    while len(latencies) < count:
        table = Table(url, token)
        try:
            latencies += await table.play(count - len(latencies))
        finally:
            table.close()
    return latencies


class Table:
    """A person against a bot, and the stream by which the bot's entries arrive."""

    def __init__(self, url: str, token: str) -> None:
        self._client = Client(url, patience=SILENT_SECONDS)
        self._stream = Client(url)
        self._token = token
        self._arrived: dict[int, float] = {}
        self._news = asyncio.Event()

    def close(self) -> None:
        """Close both connections."""
        self._client.close()
        self._stream.close()

    async def play(self, count: int) -> list[float]:
        """Play one match until it ends or the bot has answered `count` times; return the seconds of its answers.

        Raises `LoadEnded` if the match or an action is refused, `TimeoutError` if an entry does not arrive.
        """
        seating = Seating(default_title(TITLES).name, self._token, (self._token,), (BOT,))
        match = await open_match(self._client, seating)
        path, latencies = f"/api/matches/{match['matchId']}", list[float]()
        listening = asyncio.create_task(self._listen(path))
        try:
            while match["status"] == "running" and len(latencies) < count:
                if 0 not in match["toAct"]:
                    await self._arrival(match["version"] + 1)
                    _, match = await self._client.ask(
                        "GET", f"{path}?atLeast={match['version'] + 1}", token=self._token
                    )
                    continue
                match = await self._act(path, len(latencies))
                acknowledged_at = time.monotonic()
                if match["status"] == "running" and match["toAct"] == [BOT_SEAT]:
                    latencies.append(await self._arrival(match["version"] + 1) - acknowledged_at)
        finally:
            listening.cancel()
        return latencies

    async def _act(self, path: str, number: int) -> Any:
        """Take one of the legal actions, varied by `number`, and return the match.

        Raises `LoadEnded` if it is refused.
        """
        _, legal = await self._client.ask("GET", f"{path}/legal-actions", token=self._token)
        action = legal["actions"][number % len(legal["actions"])]["action"]
        content = {"expectedVersion": legal["version"], "action": action}
        status, match = await self._client.ask("POST", f"{path}/actions", content, self._token, PREFER)
        if status != CREATED:
            raise LoadEnded(f"POST {path}/actions returned {status}")
        return match

    async def _arrival(self, version: int) -> float:
        """Wait for an entry and return the time of its arrival; raise `TimeoutError` after `SILENT_SECONDS`."""
        async with asyncio.timeout(SILENT_SECONDS):
            while version not in self._arrived:
                self._news.clear()
                await self._news.wait()
        return self._arrived[version]

    async def _listen(self, path: str) -> None:
        """Record the arrival time of every entry from the match's stream."""
        async for event in self._stream.events(f"{path}/stream", self._token):
            if "data" in event:
                self._arrived[msgspec.json.decode(event["data"])["version"]] = time.monotonic()
                self._news.set()
