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
        begun = loop.time()
        for number in range(int(seconds * ENTRIES_PER_SECOND)):
            due, before = begun + number / ENTRIES_PER_SECOND, self.version
            while not await self.act(due):
                pass
            if self.version > before:
                self.sent[self.version] = self.asked_at
        return self.sent


async def poll_tables(url: str, until: asyncio.Event) -> list[float]:
    """Request the list of tables repeatedly until the event is set; return the latencies in seconds."""
    client, found = Client(url), list[float]()
    while not until.is_set():
        begun = time.perf_counter()
        status, _ = await client.ask("GET", "/tables", decode=False)
        assert status == 200
        found.append(time.perf_counter() - begun)
        await asyncio.sleep(STRANGER_EVERY)
    client.close()
    return found


@contextmanager
def readers(wanted: ReadersTask) -> Iterator["subprocess.Popen[bytes]"]:
    """Run readers in a separate process, provide that process, and terminate it at the end."""
    command = [sys.executable, "-m", "ops.dev.bench.readers", msgspec.json.encode(wanted).decode()]
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
    alone, begun = processor_seconds(pid), time.monotonic()
    ended = asyncio.Event()
    stranger = asyncio.create_task(poll_tables(url, ended))
    await table.play_steadily(ALONE_SECONDS)
    alone_share = (processor_seconds(pid) - alone) / (time.monotonic() - begun)
    ended.set()
    usual = percentile(await stranger, 0.99)
    match_id = table.path.rpartition("/")[2]
    wanted = ReadersTask(host, port, page.format(match_id), stream.format(match_id, table.version), count)
    with readers(wanted) as process:
        arriving = await asyncio.to_thread(decode_line, process, float)
        await asyncio.sleep(1.0)
        load.latencies.clear()
        client.close()  # The keep-alive connection has timed out while the readers connected.
        ended = asyncio.Event()
        stranger = asyncio.create_task(poll_tables(url, ended))
        used, begun = processor_seconds(pid), time.monotonic()
        sent = await table.play_steadily(SECONDS)
        await asyncio.sleep(0.5)
        taken = time.monotonic() - begun
        share = (processor_seconds(pid) - used) / taken
        ended.set()
        slow = percentile(await stranger, 0.99)
        assert process.stdin is not None
        process.stdin.write(msgspec.json.encode(sent) + b"\n")
        process.stdin.flush()
        heard = await asyncio.to_thread(decode_line, process, ReadersResult)
    client.close()
    acting = percentile(load.latencies, 0.99)
    return Watch(heard, arriving, share, alone_share, len(sent), acting, slow, usual, taken)


def page_rows(count: int, found: Watch) -> list[Figure]:
    """Return the rows for readers of a page; budgets hold from `FLOOR_READERS` readers on."""
    heard, what = found.heard, f"{count:,} spectators of a page"
    is_bound = count >= FLOOR_READERS
    late = f"p50 {milliseconds(heard.median)}, slowest {milliseconds(heard.slowest)}, {heard.missing} missing"
    old = f"was {OLD_PAGES[count]}" if count in OLD_PAGES else ""
    core = f"{found.share:.0%} of a core, {found.alone:.0%} without them"
    each = f"{found.delivery_seconds * 1e6:.0f} µs a delivery, {heard.bytes_sent / max(1, heard.deliveries):,.0f} bytes"
    met = found.share < CORE_FLOOR if is_bound else None
    in_time = heard.p99 < DELIVERY_FLOOR and not heard.missing if is_bound else None
    strange = f"{milliseconds(found.stranger)}, {milliseconds(found.usual)} without them"
    calm = found.stranger < STRANGER_FLOOR if is_bound else None
    return [
        Figure(f"{what}: service", f"{core}; {each}", "< 60 %" if is_bound else "", met),
        Figure(
            f"{what}: delivery p99", f"{milliseconds(heard.p99)}; {late}", "< 400 ms" if is_bound else "", in_time, old
        ),
        Figure(f"{what}: list request of a visitor, p99", strange, "< 30 ms" if is_bound else "", calm),
        Figure(f"{what}: POST of a player, p99; all stored", f"{milliseconds(found.acting)}; {found.arriving:.1f} s"),
    ]


def api_rows(count: int, found: Watch) -> list[Figure]:
    """Return the rows for readers of the API's stream; the budget holds from `FLOOR_READERS` readers on."""
    heard, what, cost = found.heard, f"{count:,} readers of the API's stream", found.delivery_seconds
    late = f"p50 {milliseconds(heard.median)}, {heard.missing} missing"
    is_bound = count >= FLOOR_READERS
    return [
        Figure(
            f"{what}: CPU time per delivery",
            f"{cost * 1e6:.0f} µs, {heard.deliveries:,} of them",
            "< 150 µs, aim 50" if is_bound else "",
            cost < API_FLOOR if is_bound else None,
            f"was {OLD_API}",
        ),
        Figure(f"{what}: delivery p99", f"{milliseconds(heard.p99)}; {late}"),
    ]


def measure(url: str, pid: int, pages: Sequence[int], programs: Sequence[int]) -> tuple[Figure, ...]:
    """Return the rows for all numbers of readers, and for the memory after they have left."""
    rows, before = list[Figure](), 0
    api, table = "/api/matches/{}/stream?after={}", ("/tables/{}", "/tables/{}/stream")
    asyncio.run(watch(url, pid, *table, 1))
    before = resident_bytes(pid)
    most = before
    for count in programs:
        rows += api_rows(count, asyncio.run(watch(url, pid, "", api, count)))
    for count in pages:
        rows += page_rows(count, asyncio.run(watch(url, pid, *table, count)))
        most = max(most, resident_bytes(pid))
    time.sleep(2.0)
    stayed = resident_bytes(pid) - before
    what = f"memory after all disconnected, of {(most - before) / 1e6:.0f} MB at the peak"
    rows.append(Figure(what, f"{stayed / 1e6:.0f} MB more", "< 60 MB", stayed < BACK_FLOOR, f"was {OLD_MEMORY}"))
    if max(pages, default=0) >= FLOOR_READERS:
        rows.append(second_crowd_row(url, pid, max(pages), before + stayed))
    return tuple(rows)


def second_crowd_row(url: str, pid: int, count: int, before: int) -> Figure:
    """Measure memory after a second crowd of the largest size.

    Memory that remains after the first crowd can be fragmentation of the allocator, which the second crowd reuses. A
    leak would grow again.
    """
    asyncio.run(watch(url, pid, "/tables/{}", "/tables/{}/stream", count))
    time.sleep(2.0)
    more = resident_bytes(pid) - before
    return Figure(
        f"memory after {count:,} connected and disconnected again",
        f"{more / 1e6:.0f} MB more",
        "< 10 MB",
        more < AGAIN_FLOOR,
    )


def section(pages: Sequence[int] = PAGE_READERS, programs: Sequence[int] = API_READERS) -> Section:
    """Measure `serve` with SQLite and a table of four at five entries per second."""
    with TemporaryDirectory() as folder, service_in(Path(folder)) as service:
        rows = measure(service.url, service.processes["service"], pages, programs)
    return Section("Streams (SQLite, one table of four, five entries a second)", rows)
