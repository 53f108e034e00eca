"""Run many lightweight readers of one stream in a separate process: `python -m ops.dev.bench.readers`.

The process prints a line once all readers are connected, reads the creation time of each version from standard input,
and prints the delays until versions reached the readers. Times are monotonic, a clock shared by all processes of a
machine.
"""

import asyncio
import re
import resource
import sys
import time
import zlib
from collections.abc import Iterator
from typing import Final

import msgspec

from ops.dev.bench.figures import percentile

AT_ONCE: Final = 40
"""Limit of simultaneous connection attempts."""
HEAD_END: Final = b"\r\n\r\n"
VERSION: Final = re.compile(rb"(?:^|\n)id: (\d+)")
COOKIE: Final = re.compile(rb"set-cookie: ([^;\r]+)", re.IGNORECASE)
LENGTH: Final = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
HAVE: Final = re.compile(rb'data-have="([^"]*)"')
GZIP: Final = b"content-encoding: gzip"
RAW_DEFLATE: Final = -15
GZIP_HEAD_BYTES: Final = 10
CHUNKS_KNOWN: Final = 500


class ReadersTask(msgspec.Struct, frozen=True):
    """The task: an optional page, its stream, and the number of readers."""

    host: str
    port: int
    page: str
    stream: str
    count: int


class ReadersResult(msgspec.Struct, frozen=True):
    """Results: counts, and seconds from the request for a version until a reader received it."""

    deliveries: int
    bytes_sent: int
    missing: int
    median: float
    p99: float
    slowest: float


class Versions:
    """Versions by chunk. All readers of a table receive the same chunks, so each is parsed once."""

    def __init__(self) -> None:
        self._version_by_chunk = dict[bytes, int]()

    def find(self, chunk: bytes, *, is_packed: bool) -> int:
        """Return the latest version in a chunk, unpacked if it is compressed; 0 if it has none."""
        version = self._version_by_chunk.get(chunk)
        if version is None:
            if len(self._version_by_chunk) > CHUNKS_KNOWN:
                self._version_by_chunk.clear()
            plain = zlib.decompressobj(RAW_DEFLATE).decompress(chunk) if is_packed else chunk
            version = self._version_by_chunk[chunk] = max(map(int, VERSION.findall(plain)), default=0)
        return version


class Reader(asyncio.Protocol):
    """A connection that reads the page and then the stream, and records when each version arrived."""

    def __init__(self, task: ReadersTask, versions: Versions) -> None:
        self._task, self._versions = task, versions
        self._rest, self._is_listening, self._is_packed, self._skip = b"", False, False, 0
        self._transport: asyncio.Transport | None = None
        self.is_ready: Final = asyncio.get_running_loop().create_future()
        self.came = dict[int, float]()
        self.received = 0
        self.events = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Request the page, or the stream if there is no page."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        if self._task.page:
            self._send_request(self._task.page, "")
        else:
            self._send_request(self._task.stream, "")

    def connection_lost(self, _: Exception | None) -> None:
        """Fail `is_ready` with `ConnectionError` if the stream had not begun."""
        if not self.is_ready.done():
            self.is_ready.set_exception(ConnectionError("the service hung up before the stream began"))

    def data_received(self, data: bytes) -> None:
        """Read the page and request its stream from the page's version on, then record the chunks of the stream."""
        self._rest += data
        if not self._is_listening and HEAD_END in self._rest:
            head, _, body = self._rest.partition(HEAD_END)
            length = LENGTH.search(head)
            if length is None:
                self._is_listening, self._is_packed = True, GZIP in head.lower()
                self._skip = GZIP_HEAD_BYTES if self._is_packed else 0
                self._rest = body
            elif len(body) >= int(length[1]):
                self._rest = b""
                version, cookie = HAVE.search(body), COOKIE.search(head)
                assert version is not None, head
                separator = "&" if "?" in self._task.stream else "?"
                path = f"{self._task.stream}{separator}have={version[1].decode()}"
                self._send_request(path, "" if cookie is None else cookie[1].decode())
        if self._is_listening:
            self._record()

    def _record(self) -> None:
        """Count bytes and chunks, and record the first arrival of each chunk's latest version.

        The first chunk with content sets `is_ready`.
        """
        now = time.monotonic()
        for chunk in self._chunks():
            self.received += len(chunk)
            content, self._skip = chunk[self._skip :], 0
            if content:
                self.events += 1
                if version := self._versions.find(content, is_packed=self._is_packed):
                    self.came.setdefault(version, now)
                if not self.is_ready.done():
                    self.is_ready.set_result(None)

    def _chunks(self) -> Iterator[bytes]:
        """Yield the complete chunks received so far, and remove them from the rest."""
        while (end := self._rest.find(b"\r\n")) >= 0:
            length = int(self._rest[:end], 16)
            if len(self._rest) < end + 4 + length:
                return
            yield self._rest[end + 2 : end + 2 + length]
            self._rest = self._rest[end + 4 + length :]

    def _send_request(self, path: str, cookie: str) -> None:
        """Send a GET request that accepts compression, with the cookie if there is one."""
        assert self._transport is not None
        lines = [
            f"GET {path} HTTP/1.1",
            "Host: bench",
            "Accept-Encoding: gzip",
            *([f"Cookie: {cookie}"] if cookie else []),
        ]
        self._transport.write("\r\n".join(lines).encode() + HEAD_END)

    def close(self) -> None:
        """Close the connection."""
        assert self._transport is not None
        self._transport.close()


async def listen(task: ReadersTask) -> list[Reader]:
    """Connect all readers, `AT_ONCE` at a time, and return them once each has received a chunk."""
    loop, versions, slots = asyncio.get_running_loop(), Versions(), asyncio.Semaphore(AT_ONCE)

    async def connect() -> Reader:
        async with slots:
            _, reader = await loop.create_connection(lambda: Reader(task, versions), task.host, task.port)
            await reader.is_ready
            return reader

    return list(await asyncio.gather(*(connect() for _ in range(task.count))))


def compute_delays(readers: list[Reader], sent: dict[int, float]) -> ReadersResult:
    """Compute the delays from `sent`, by version, to each reader.

    A skipped version counts as delivered with a later one.
    """
    delays, missing = list[float](), 0
    for reader in readers:
        for version, moment in sent.items():
            first_arrival = min(
                (arrived_at for version_received, arrived_at in reader.came.items() if version_received >= version),
                default=None,
            )
            if first_arrival is None:
                missing += 1
            else:
                delays.append(first_arrival - moment)
    events, size = sum(reader.events for reader in readers), sum(reader.received for reader in readers)
    delays = delays or [0.0]
    return ReadersResult(events, size, missing, percentile(delays, 0.5), percentile(delays, 0.99), max(delays))


async def run(task: ReadersTask) -> None:
    """Connect the readers, and print the seconds of that and then the results, each as a line of JSON.

    Between them it reads the times of sending, by version, from standard input; the counts begin after connecting.
    """
    loop, started = asyncio.get_running_loop(), time.monotonic()
    readers = await listen(task)
    print_json(time.monotonic() - started)
    for reader in readers:
        reader.events = reader.received = 0
    line = await loop.run_in_executor(None, sys.stdin.buffer.readline)
    print_json(compute_delays(readers, msgspec.json.decode(line, type=dict[int, float])))
    for reader in readers:
        reader.close()


def print_json(value: object) -> None:
    """Print a JSON line."""
    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")
    sys.stdout.buffer.flush()


def main() -> None:
    """Run the readers that the first argument describes as JSON, with as many open files as allowed."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    asyncio.run(run(msgspec.json.decode(sys.argv[1], type=ReadersTask)))


if __name__ == "__main__":
    main()
