"""HTTP to one or several addresses of a service: kept connections, another address when one is away, patience.

Written on streams of asyncio, because a more convenient client takes more processor time than the service it measures.
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
"""An answer that takes longer is not waited for: another address is asked."""
PAUSE_SECONDS: Final = 0.25
"""Before the next try, where the service does not say how long."""
PAUSE_SECONDS_MAX: Final = 5.0
AGAIN: Final = frozenset({429, 500, 502, 503, 504, 507})
"""After these nothing is known, or nothing was done: the same request is sent once more."""
HEADERS_MAX: Final = 1 << 20


class NoAnswer(Exception):
    """Nobody knows what came of a request: no address answered it."""


class Answer(msgspec.Struct):
    """Status, headers by small names, and the body as bytes."""

    status: int
    headers: dict[str, str]
    body: bytes


class Seen:
    """What all clients of a run have seen: answers by status, tries beyond the first, what no answer should be."""

    def __init__(self) -> None:
        self.statuses: Counter[int] = Counter()
        self.tries_again = 0
        self.lost = 0
        self.slowest_away = 0.0
        """The longest time to an answer that says that something is away (503, 507), in seconds."""
        self.faults: Counter[str] = Counter()

    def add(self, method: str, path: str, answer: Answer, seconds: float) -> None:
        self.statuses[answer.status] += 1
        if answer.status < 500:
            return
        where = f"{method} {plain(path)}"
        if answer.status in {503, 507}:
            self.slowest_away = max(self.slowest_away, seconds)
            if "retry-after" not in answer.headers:
                self.faults[f"{where} answered {answer.status} without Retry-After"] += 1
        else:
            self.faults[f"{where} answered {answer.status}"] += 1


def plain(path: str) -> str:
    """The path without the ids in it and what follows a question mark."""
    parts = path.partition("?")[0].split("/")
    return "/".join("ID" if len(part) == 36 and part.count("-") == 4 else part for part in parts)


class Client:
    """One kept HTTP/1.1 connection, to one address at a time; the next one when that does not answer.

    With `patience` (seconds) a request that was not answered, or told to come again, is sent again until then. Whoever
    sends what changes something makes sure that the same request twice does it once.
    """

    def __init__(
        self, urls: Sequence[str] | str, first: int = 0, *, patience: float = 0.0, seen: Seen | None = None
    ) -> None:
        parts = [urlsplit(url) for url in ([urls] if isinstance(urls, str) else urls)]
        self._addresses = [(each.hostname or "", each.port or 80) for each in parts]
        self._at = first % len(self._addresses)
        self._patience = patience
        self.seen = seen or Seen()
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, method: str, path: str, body: object = None, token: str = "", header: str = "", *, decode: bool = True
    ) -> tuple[int, Any]:
        """Status and body, decoded unless that takes the time of what is measured; `header` is one more line.
        `NoAnswer` when nobody answers in time."""
        until = time.monotonic() + self._patience
        while True:
            wait = PAUSE_SECONDS * (0.5 + random.random())  # spreads those who come again
            try:
                answer = await self._once(method, path, body, token, header)
            except NoAnswer:
                self.seen.lost += 1
                if time.monotonic() + wait > until:
                    raise
            else:
                if answer.status not in AGAIN or time.monotonic() + wait > until:
                    return answer.status, decoded(answer.body) if decode else answer.body
                wait = max(wait, seconds_of(answer.headers))
                if answer.status != 429:  # the next address counts the same requests
                    self._move()
            self.seen.tries_again += 1
            await asyncio.sleep(wait)

    async def _once(self, method: str, path: str, body: object, token: str, header: str) -> Answer:
        begun = time.monotonic()
        try:
            reader, writer = self._streams or await self._connected()
            # A time-out of asyncio costs a tenth of a request: closing the connection ends whoever waits for it, too.
            alarm = asyncio.get_running_loop().call_later(TRY_SECONDS, writer.transport.abort)
            try:
                writer.write(request(method, path, body, token, header))
                status, headers = await read_head(reader)
                content = await reader.readexactly(int(headers.get("content-length", "0")))
            finally:
                alarm.cancel()
        except (OSError, EOFError, TimeoutError, ValueError, asyncio.LimitOverrunError) as fault:
            self._move()
            raise NoAnswer(f"{method} {plain(path)}: {type(fault).__name__}") from fault
        except BaseException:
            self.close()
            raise
        answer = Answer(status, headers, content)
        self.seen.add(method, path, answer, time.monotonic() - begun)
        if headers.get("connection", "").lower() == "close":
            self.close()
        return answer

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        async with asyncio.timeout(TRY_SECONDS):
            self._streams = await asyncio.open_connection(*self._addresses[self._at], limit=HEADERS_MAX)
        return self._streams

    def _move(self) -> None:
        """On to the next address; with one alone, to a new connection there."""
        self.close()
        self._at = (self._at + 1) % len(self._addresses)

    async def events(self, path: str, token: str = "", header: str = "") -> AsyncIterator[Mapping[str, str]]:
        """The events of a live stream, each with its fields, heartbeats as events without any; ends when the stream
        does. `NoAnswer` when it does not begin, or breaks off, or is silent for too long."""
        try:
            async with asyncio.timeout(TRY_SECONDS):
                reader, writer = self._streams or await self._connected()
                writer.write(request("GET", path, None, token, header))
                status, headers = await read_head(reader)
                if status != 200:
                    content = await reader.readexactly(int(headers.get("content-length", "0")))
                    self.seen.add("GET", path, Answer(status, headers, content), 0.0)
                    raise NoAnswer(f"GET {plain(path)}: {status}")
            rest = ""
            while True:
                async with asyncio.timeout(SILENT_SECONDS):
                    chunk = await read_chunk(reader)
                if not chunk:
                    return
                *events, rest = (rest + chunk.decode()).replace("\r\n", "\n").split("\n\n")
                for event in events:
                    yield fields_of(event)
        except (OSError, EOFError, TimeoutError, ValueError, asyncio.LimitOverrunError) as fault:
            raise NoAnswer(f"GET {plain(path)}: {type(fault).__name__}") from fault
        finally:
            self._move()

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


SILENT_SECONDS: Final = 30.0
"""A stream beats several times in it."""


def request(method: str, path: str, body: object, token: str, header: str) -> bytes:
    content = b"" if body is None else msgspec.json.encode(body)
    lines = [f"{method} {path} HTTP/1.1", "Host: load", "Content-Type: application/json"]
    lines += [f"Content-Length: {len(content)}", *([f"Authorization: Bearer {token}"] if token else [])]
    lines += [header] if header else []
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


async def read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """The status, and the headers by small names."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in head[1:])
    return int(head[0].split()[1]), {name.lower(): value.strip() for name, _, value in pairs}


async def read_chunk(reader: asyncio.StreamReader) -> bytes:
    """The next chunk of an answer whose length nobody knew; empty at its end."""
    size = int(await reader.readuntil(b"\r\n"), 16)
    return (await reader.readexactly(size + 2))[:-2]


def fields_of(event: str) -> dict[str, str]:
    """The fields of an event; a comment has none."""
    pairs = (line.partition(":") for line in event.split("\n") if line and not line.startswith(":"))
    return {name: value.removeprefix(" ") for name, _, value in pairs}


def decoded(content: bytes) -> Any:
    return msgspec.json.decode(content) if content[:1] in b"{[" and content else content


def seconds_of(headers: Mapping[str, str]) -> float:
    """How long an answer says to wait, within reason."""
    word = headers.get("retry-after", "")
    return min(float(word), PAUSE_SECONDS_MAX) if word.isdecimal() else 0.0
