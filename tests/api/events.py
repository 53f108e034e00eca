"""Reading a live stream behind sockets, event after event."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import msgspec

from tests.api.house import Sockets


class Event(msgspec.Struct, frozen=True):
    """An event, or a sign of life without data."""

    id: str
    kind: str
    data: str

    @property
    def content(self) -> Any:
        return msgspec.json.decode(self.data)


@contextmanager
def listening(sockets: Sockets, path: str, **headers: str) -> Iterator[Iterator[Event]]:
    """The events that come, until the end of the block."""
    with closing(sockets.connection()) as connection:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        is_packed = answer.headers.get("content-encoding") == "gzip"
        yield events_of(answer, zlib.decompressobj(zlib.MAX_WBITS + 16) if is_packed else None)


def events_of(answer: Any, unpacker: Any) -> Iterator[Event]:
    rest = b""
    while piece := answer.read1(65_536):
        rest += piece if unpacker is None else unpacker.decompress(piece)
        *whole, rest = rest.split(b"\r\n\r\n")
        for event in whole:
            fields = dict(line.split(": ", 1) for line in event.decode().split("\r\n"))
            yield Event(fields.get("id", ""), fields.get("event", ""), fields.get("data", ""))


def entries(events: Iterator[Event], count: int) -> list[Event]:
    """So many events with an entry."""
    found = list[Event]()
    while len(found) < count:
        event = next(events)
        if event.kind == "entry":
            found.append(event)
    return found
