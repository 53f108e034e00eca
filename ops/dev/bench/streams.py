"""One table with many spectators: cost and latency of deliveries, and the effect on unrelated requests."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeVar
from urllib.parse import urlsplit

import msgspec

from domain.kernel.title import default_title
from domain.titles import TITLES
from ops.dev.bench.figures import Figure, Section, milliseconds, percentile
from ops.dev.bench.readers import ReadersResult, ReadersTask
from ops.dev.load.client import Client
from ops.dev.load.tables import Load, PlayedTable, Seating, create_accounts
from ops.temporary_service import service_in

T = TypeVar("T")
ENTRIES_PER_SECOND: Final = 5
SEATS: Final = 4
SECONDS: Final = 10.0
ALONE_SECONDS: Final = 5.0
"""Duration of the baseline: the same table without spectators."""
STRANGER_EVERY: Final = 0.05
PAGE_READERS: Final = (50, 200, 1_000, 2_000)
API_READERS: Final = (50, 1_000)
FLOOR_READERS: Final = 1_000
CORE_FLOOR: Final = 0.60
DELIVERY_FLOOR: Final = 0.400
STRANGER_FLOOR: Final = 0.030
API_FLOOR: Final = 0.000_15
BACK_FLOOR: Final = 60_000_000
"""Most bytes of memory that may remain after all readers have left; the interpreter's allocator keeps some."""
AGAIN_FLOOR: Final = 10_000_000
"""Most bytes that a second crowd of the same size may add. A leak of 5 kB per reader would exceed it."""
OLD_PAGES: Final = {50: "0.24 s", 200: "1.1 s", 1_000: "7.6 s"}
OLD_API: Final = "1 ms"
OLD_MEMORY: Final = "596 MB"


class Watch(msgspec.Struct, frozen=True):
    """Measurements with a number of readers."""

    heard: ReadersResult
    arriving: float
    """Seconds until all readers were connected."""
    share: float
    """The service process's share of a core."""
    alone: float
    """The same share without readers."""
    acted: int
    acting: float
    """99th percentile of the players' requests, in seconds."""
    stranger: float
    """99th percentile of requests for an unrelated page, in seconds."""
    usual: float
    """The same percentile without readers."""
    seconds: float

    @property
    def delivery_seconds(self) -> float:
        """Processor seconds per delivery, without the cost of the table itself."""
        return max(0.0, self.share - self.alone) * self.seconds / max(1, self.heard.deliveries)


def processor_seconds(pid: int) -> float:
    """Return the processor time a process has used since its start."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_bytes(pid: int) -> int:
    """Return the resident memory of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class TimedTable(PlayedTable):
    """A table that records when each of its versions was requested."""

    sent: dict[int, float]

    async def play_steadily(self, seconds: float) -> dict[int, float]:
        """Play at a steady pace for `seconds`; return the time of request by version that it created."""
        loop, self.sent = asyncio.get_running_loop(), {}
        started = loop.time()
        for number in range(int(seconds * ENTRIES_PER_SECOND)):
            due_at, previous = started + number / ENTRIES_PER_SECOND, self.version
            while not await self.act(due_at):
                pass
            if self.version > previous:
                self.sent[self.version] = self.asked_at
        return self.sent


async def poll_tables(url: str, stop: asyncio.Event) -> list[float]:
    """Request the list of tables repeatedly until the event is set; return the latencies in seconds."""
    client, latencies = Client(url), list[float]()
    while not stop.is_set():
        started = time.perf_counter()
        status, _ = await client.ask("GET", "/tables", decode=False)
        assert status == 200
        latencies.append(time.perf_counter() - started)
        await asyncio.sleep(STRANGER_EVERY)
    client.close()
    return latencies


@contextmanager
def readers(task: ReadersTask) -> Iterator["subprocess.Popen[bytes]"]:
    """Run readers in a separate process, provide that process, and terminate it at the end."""
    command = [sys.executable, "-m", "ops.dev.bench.readers", msgspec.json.encode(task).decode()]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.terminate()


def decode_line(process: "subprocess.Popen[bytes]", type: type[T]) -> T:
    """Decode the next line of a process's output."""
    assert process.stdout is not None
    return msgspec.json.decode(process.stdout.readline(), type=type)


async def watch(url: str, pid: int, page: str, stream: str, count: int) -> Watch:
    """Play a new table at a steady pace, first alone and then with `count` readers, and measure both.

    `page` and `stream` are paths with places for the match's id; `stream` may have one for the version too.
    """
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or 80
    client, load = Client(url), Load()
    tokens = tuple(await create_accounts(client, SEATS))
    table = TimedTable(client, Seating(default_title(TITLES).name, tokens[0], tokens), load)
    await table.open()
    cpu_before, started = processor_seconds(pid), time.monotonic()
    ended = asyncio.Event()
    polling = asyncio.create_task(poll_tables(url, ended))
    await table.play_steadily(ALONE_SECONDS)
    share_alone = (processor_seconds(pid) - cpu_before) / (time.monotonic() - started)
    ended.set()
    p99_alone = percentile(await polling, 0.99)
    match_id = table.path.rpartition("/")[2]
    task = ReadersTask(host, port, page.format(match_id), stream.format(match_id, table.version), count)
    with readers(task) as process:
        connect_seconds = await asyncio.to_thread(decode_line, process, float)
        await asyncio.sleep(1.0)
        load.latencies.clear()
        client.close()  # The keep-alive connection has timed out while the readers connected.
        ended = asyncio.Event()
        polling = asyncio.create_task(poll_tables(url, ended))
        cpu_used, started = processor_seconds(pid), time.monotonic()
        sent = await table.play_steadily(SECONDS)
        await asyncio.sleep(0.5)
        elapsed = time.monotonic() - started
        share = (processor_seconds(pid) - cpu_used) / elapsed
        ended.set()
        p99 = percentile(await polling, 0.99)
        assert process.stdin is not None
        process.stdin.write(msgspec.json.encode(sent) + b"\n")
        process.stdin.flush()
        result = await asyncio.to_thread(decode_line, process, ReadersResult)
    client.close()
    acting = percentile(load.latencies, 0.99)
    return Watch(result, connect_seconds, share, share_alone, len(sent), acting, p99, p99_alone, elapsed)


def page_rows(count: int, outcome: Watch) -> list[Figure]:
    """Return the rows for readers of a page; budgets hold from `FLOOR_READERS` readers on."""
    result, label = outcome.heard, f"{count:,} spectators of a page"
    is_bound = count >= FLOOR_READERS
    delays = f"p50 {milliseconds(result.median)}, slowest {milliseconds(result.slowest)}, {result.missing} missing"
    old_figure = f"was {OLD_PAGES[count]}" if count in OLD_PAGES else ""
    core = f"{outcome.share:.0%} of a core, {outcome.alone:.0%} without them"
    bytes_each = result.bytes_sent / max(1, result.deliveries)
    each = f"{outcome.delivery_seconds * 1e6:.0f} µs a delivery, {bytes_each:,.0f} bytes"
    is_light = outcome.share < CORE_FLOOR if is_bound else None
    is_on_time = result.p99 < DELIVERY_FLOOR and not result.missing if is_bound else None
    visitor_figure = f"{milliseconds(outcome.stranger)}, {milliseconds(outcome.usual)} without them"
    is_visitor_fast = outcome.stranger < STRANGER_FLOOR if is_bound else None
    return [
        Figure(f"{label}: service", f"{core}; {each}", "< 60 %" if is_bound else "", is_light),
        Figure(
            f"{label}: delivery p99",
            f"{milliseconds(result.p99)}; {delays}",
            "< 400 ms" if is_bound else "",
            is_on_time,
            old_figure,
        ),
        Figure(
            f"{label}: list request of a visitor, p99", visitor_figure, "< 30 ms" if is_bound else "", is_visitor_fast
        ),
        Figure(
            f"{label}: POST of a player, p99; all stored", f"{milliseconds(outcome.acting)}; {outcome.arriving:.1f} s"
        ),
    ]


def api_rows(count: int, outcome: Watch) -> list[Figure]:
    """Return the rows for readers of the API's stream; the budget holds from `FLOOR_READERS` readers on."""
    result, label, cost = outcome.heard, f"{count:,} readers of the API's stream", outcome.delivery_seconds
    delays = f"p50 {milliseconds(result.median)}, {result.missing} missing"
    is_bound = count >= FLOOR_READERS
    return [
        Figure(
            f"{label}: CPU time per delivery",
            f"{cost * 1e6:.0f} µs, {result.deliveries:,} of them",
            "< 150 µs, aim 50" if is_bound else "",
            cost < API_FLOOR if is_bound else None,
            f"was {OLD_API}",
        ),
        Figure(f"{label}: delivery p99", f"{milliseconds(result.p99)}; {delays}"),
    ]


def measure(url: str, pid: int, pages: Sequence[int], programs: Sequence[int]) -> tuple[Figure, ...]:
    """Return the rows for all numbers of readers, and for the memory after they have left."""
    rows, bytes_before = list[Figure](), 0
    api, table = "/api/matches/{}/stream?after={}", ("/tables/{}", "/tables/{}/stream")
    asyncio.run(watch(url, pid, *table, 1))
    bytes_before = resident_bytes(pid)
    bytes_max = bytes_before
    for count in programs:
        rows += api_rows(count, asyncio.run(watch(url, pid, "", api, count)))
    for count in pages:
        rows += page_rows(count, asyncio.run(watch(url, pid, *table, count)))
        bytes_max = max(bytes_max, resident_bytes(pid))
    time.sleep(2.0)
    bytes_left = resident_bytes(pid) - bytes_before
    label = f"memory after all disconnected, of {(bytes_max - bytes_before) / 1e6:.0f} MB at the peak"
    rows.append(
        Figure(label, f"{bytes_left / 1e6:.0f} MB more", "< 60 MB", bytes_left < BACK_FLOOR, f"was {OLD_MEMORY}")
    )
    if max(pages, default=0) >= FLOOR_READERS:
        rows.append(second_crowd_row(url, pid, max(pages), bytes_before + bytes_left))
    return tuple(rows)


def second_crowd_row(url: str, pid: int, count: int, bytes_before: int) -> Figure:
    """Measure memory after a second crowd of the largest size.

    Memory that remains after the first crowd can be fragmentation of the allocator, which the second crowd reuses. A
    leak would grow again.
    """
    asyncio.run(watch(url, pid, "/tables/{}", "/tables/{}/stream", count))
    time.sleep(2.0)
    growth = resident_bytes(pid) - bytes_before
    return Figure(
        f"memory after {count:,} connected and disconnected again",
        f"{growth / 1e6:.0f} MB more",
        "< 10 MB",
        growth < AGAIN_FLOOR,
    )


def section(pages: Sequence[int] = PAGE_READERS, programs: Sequence[int] = API_READERS) -> Section:
    """Measure `serve` with SQLite and a table of four at five entries per second."""
    with TemporaryDirectory() as folder, service_in(Path(folder)) as service:
        rows = measure(service.url, service.processes["service"], pages, programs)
    return Section("Streams (SQLite, one table of four, five entries a second)", rows)
