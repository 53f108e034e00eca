"""An HTTP client with persistent connections, failover between addresses, and retries.

It is written on asyncio streams because convenient clients use more processor time than the service they measure.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

TRY_SECONDS: Final = 8.0
"""Timeout of one attempt; the next goes to another address."""
PAUSE_SECONDS: Final = 0.25
"""Pause before a retry if the response has no Retry-After."""
PAUSE_SECONDS_MAX: Final = 5.0
RETRIED_STATUSES: Final = frozenset({429, 500, 502, 503, 504, 507})
"""Statuses after which a request is retried: its effect is unknown, or it had none."""
HEADERS_MAX: Final = 1 << 20


class NoResponse(Exception):
    """No address responded; whether the request had an effect is unknown."""


class Response(msgspec.Struct):
    """Status, headers by lower-case names, and the body."""

    status: int
    headers: dict[str, str]
    body: bytes


class ClientCounters:
    """Counters that all clients of a run share: statuses, retries, and unexpected responses."""

    def __init__(self) -> None:
        self.statuses: Counter[int] = Counter()
        self.tries_again = 0
        self.lost = 0
        self.slowest_away = 0.0
        """Longest time to a response that reports an outage (503, 507), in seconds."""
        self.faults: Counter[str] = Counter()

    def add(self, method: str, path: str, response: Response, seconds: float) -> None:
        """Count a response; a server error other than 503 and 507, or one of these without Retry-After, is a fault."""
        self.statuses[response.status] += 1
        if response.status < 500:
            return
        request_name = f"{method} {route_of(path)}"
        if response.status in {503, 507}:
            self.slowest_away = max(self.slowest_away, seconds)
            if "retry-after" not in response.headers:
                self.faults[f"{request_name} returned {response.status} without Retry-After"] += 1
        else:
            self.faults[f"{request_name} returned {response.status}"] += 1


def route_of(path: str) -> str:
    """Return the path with ids replaced and without its query."""
    parts = path.partition("?")[0].split("/")
    return "/".join("ID" if len(part) == 36 and part.count("-") == 4 else part for part in parts)


class Client:
    """A persistent HTTP/1.1 connection to one address at a time; failures move it to the next address.

    With `patience` (seconds), failed requests and ones that ask for a retry are repeated until then. Callers must make
    requests that change something idempotent.
    """

    def __init__(
        self,
        urls: Sequence[str] | str,
        first: int = 0,
        *,
        patience: float = 0.0,
        counters: ClientCounters | None = None,
    ) -> None:
        parts = [urlsplit(url) for url in ([urls] if isinstance(urls, str) else urls)]
        self._addresses = [(each.hostname or "", each.port or 80) for each in parts]
        self._address_index = first % len(self._addresses)
        self._patience = patience
        self.seen = counters or ClientCounters()
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, method: str, path: str, body: object = None, token: str = "", header: str = "", *, decode: bool = True
    ) -> tuple[int, Any]:
        """Send a request and return status and body; raise `NoResponse` if no address responds in time.

        It is sent again, for the client's patience, without a response or after one of `RETRIED_STATUSES`. Bodies that
        are JSON are decoded; `decode=False` returns bytes, to save time in measurements. `header` is an additional
        header line.
        """
        deadline = time.monotonic() + self._patience
        while True:
            pause = PAUSE_SECONDS * (0.5 + random.random())  # Jitter, so that clients do not retry at the same time.
            try:
                response = await self._once(method, path, body, token, header)
            except NoResponse:
                self.seen.lost += 1
                if time.monotonic() + pause > deadline:
                    raise
            else:
                if response.status not in RETRIED_STATUSES or time.monotonic() + pause > deadline:
                    return response.status, decode_content(response.body) if decode else response.body
                pause = max(pause, seconds_of(response.headers))
                if response.status != 429:  # Other addresses share the rate limit, so moving on would not help.
                    self._move()
            self.seen.tries_again += 1
            await asyncio.sleep(pause)

    async def _once(self, method: str, path: str, body: object, token: str, header: str) -> Response:
        """Send a request once and return the response.

        Raises `NoResponse`, and move to the next address, if it fails.
        """
        started = time.monotonic()
        try:
            reader, writer = self._streams or await self._connect()
            # An asyncio timeout would cost a tenth of a request. Aborting the transport also ends pending reads.
            alarm = asyncio.get_running_loop().call_later(TRY_SECONDS, writer.transport.abort)
            try:
                writer.write(request(method, path, body, token, header))
                status, headers = await read_head(reader)
                content = await reader.readexactly(int(headers.get("content-length", "0")))
            finally:
                alarm.cancel()
        except (OSError, EOFError, TimeoutError, ValueError, asyncio.LimitOverrunError) as fault:
            self._move()
            raise NoResponse(f"{method} {route_of(path)}: {type(fault).__name__}") from fault
        except BaseException:
            self.close()
            raise
        response = Response(status, headers, content)
        self.seen.add(method, path, response, time.monotonic() - started)
        if headers.get("connection", "").lower() == "close":
            self.close()
        return response

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        async with asyncio.timeout(TRY_SECONDS):
            self._streams = await asyncio.open_connection(*self._addresses[self._address_index], limit=HEADERS_MAX)
        return self._streams

    def _move(self) -> None:
        """Move to the next address; with only one, reconnect."""
        self.close()
        self._address_index = (self._address_index + 1) % len(self._addresses)

    async def events(self, path: str, token: str = "", header: str = "") -> AsyncIterator[Mapping[str, str]]:
        """Yield the fields of each event of a live stream until it ends, and an empty mapping for each heartbeat.

        Raises `NoResponse` if it does not start, breaks, or is silent for `SILENT_SECONDS`. Moves to the next address
        at the end.
        """
        try:
            async with asyncio.timeout(TRY_SECONDS):
                reader, writer = self._streams or await self._connect()
                writer.write(request("GET", path, None, token, header))
                status, headers = await read_head(reader)
                if status != 200:
                    content = await reader.readexactly(int(headers.get("content-length", "0")))
                    self.seen.add("GET", path, Response(status, headers, content), 0.0)
                    raise NoResponse(f"GET {route_of(path)}: {status}")
            remainder = ""
            while True:
                async with asyncio.timeout(SILENT_SECONDS):
                    chunk = await read_chunk(reader)
                if not chunk:
                    return
                *events, remainder = (remainder + chunk.decode()).replace("\r\n", "\n").split("\n\n")
                for event in events:
                    yield fields_of(event)
        except (OSError, EOFError, TimeoutError, ValueError, asyncio.LimitOverrunError) as fault:
            raise NoResponse(f"GET {route_of(path)}: {type(fault).__name__}") from fault
        finally:
            self._move()

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


SILENT_SECONDS: Final = 30.0
"""Several times the interval between a stream's heartbeats."""


def request(method: str, path: str, body: object, token: str, header: str) -> bytes:
    """Encode a request with a JSON body."""
    content = b"" if body is None else msgspec.json.encode(body)
    lines = [f"{method} {path} HTTP/1.1", "Host: load", "Content-Type: application/json"]
    lines += [f"Content-Length: {len(content)}", *([f"Authorization: Bearer {token}"] if token else [])]
    lines += [header] if header else []
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


async def read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """Read the status line and headers of a response; return status and headers by lower-case names."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in head[1:])
    return int(head[0].split()[1]), {name.lower(): value.strip() for name, _, value in pairs}


async def read_chunk(reader: asyncio.StreamReader) -> bytes:
    """Read the next chunk of a chunked response; empty at its end."""
    size = int(await reader.readuntil(b"\r\n"), 16)
    return (await reader.readexactly(size + 2))[:-2]


def fields_of(event: str) -> dict[str, str]:
    """Return the fields of an event; a comment has none."""
    pairs = (line.partition(":") for line in event.split("\n") if line and not line.startswith(":"))
    return {name: value.removeprefix(" ") for name, _, value in pairs}


def decode_content(content: bytes) -> Any:
    """Decode JSON objects and lists; return other content unchanged."""
    return msgspec.json.decode(content) if content[:1] in b"{[" and content else content


def seconds_of(headers: Mapping[str, str]) -> float:
    """Return the seconds of Retry-After, limited to `PAUSE_SECONDS_MAX`; 0 without one."""
    value = headers.get("retry-after", "")
    return min(float(value), PAUSE_SECONDS_MAX) if value.isdecimal() else 0.0
