"""One talk room with 100 readers: the time from sending a message until every reader has it."""

import asyncio
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

from domain.kernel.title import default_title
from domain.titles import TITLES
from ops.dev.bench.figures import Figure, Section, milliseconds, percentile
from ops.dev.load.client import Client
from ops.dev.load.tables import create_accounts
from ops.temporary_service import service_in

READERS: Final = 100
VOICES: Final = 4
MESSAGES: Final = 100
EVERY_SECONDS: Final = 0.1
FLOOR: Final = 0.200
LATE_SECONDS: Final = 10.0


async def read(client: Client, path: str, token: str, arrivals: dict[str, float], is_ready: asyncio.Event) -> None:
    """Record the first arrival time of each message by id in the given mapping; set `is_ready` at the first event."""
    async for event in client.events(path, token):
        is_ready.set()
        for line in msgspec.json.decode(event.get("data", "{}")).get("lines", ()):
            arrivals.setdefault(line["id"], time.monotonic())


async def measure(url: str) -> tuple[Figure, ...]:
    """Send messages at a steady rate and return the row of their 95th percentile and of messages that never arrived."""
    client = Client(url)
    tokens = await create_accounts(client, VOICES)
    content = {"title": default_title(TITLES).name, "seats": 2}
    _, match = await client.ask("POST", "/api/matches", content, tokens[0])
    channel = f"spectators/{match['matchId']}"
    arrivals = [dict[str, float]() for _ in range(READERS)]
    listening = [asyncio.Event() for _ in range(READERS)]
    readers = [
        asyncio.create_task(read(Client(url), f"/talk/{channel}/stream", tokens[number % VOICES], *each))
        for number, each in enumerate(zip(arrivals, listening, strict=True))
    ]
    await asyncio.gather(*(each.wait() for each in listening))
    sent = dict[str, float]()
    for number in range(MESSAGES):
        started = time.monotonic()
        status, message = await client.ask(
            "POST", f"/api/talk/{channel}", {"words": f"message {number}"}, tokens[number % VOICES]
        )
        assert status == 201, message
        sent[message["id"]] = started
        await asyncio.sleep(max(0.0, EVERY_SECONDS - (time.monotonic() - started)))
    deadline = time.monotonic() + LATE_SECONDS
    while not all(sent.keys() <= each.keys() for each in arrivals) and time.monotonic() < deadline:
        await asyncio.sleep(EVERY_SECONDS)
    for task in readers:
        task.cancel()
    delays = [each[id] - started for each in arrivals for id, started in sent.items() if id in each]
    missing = READERS * MESSAGES - len(delays)
    p95 = percentile(delays, 0.95)
    summary = f"{milliseconds(p95)}; p50 {milliseconds(percentile(delays, 0.5))}, slowest {milliseconds(max(delays))}"
    is_met = p95 < FLOOR and not missing
    return (Figure(f"a message to {READERS} readers, p95", f"{summary}, {missing} missing", "< 200 ms", is_met),)


def section() -> Section:
    """Measure `serve` with SQLite at ten messages per second."""
    with TemporaryDirectory() as folder, service_in(Path(folder)) as service:
        rows = asyncio.run(measure(service.url))
    return Section("Chat (SQLite, ten messages a second)", rows)
