"""Responses of live streams, with optional compression.

A gzip stream is a sequence of deflate blocks. Chunks for many readers are compressed once, without references to
earlier data, so that they fit into any stream. Chunks for one reader are stored uncompressed: secrets are never
compressed together with data that an attacker can choose (BREACH).
"""

from __future__ import annotations

import asyncio
import weakref
import zlib
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from litestar.response import ServerSentEvent
from litestar.types import Receive, Scope, Send

from api.http.streams import StreamSlot

GZIP_HEAD: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""Gzip header: deflate, no name, no time, unknown system (RFC 1952)."""
RAW_DEFLATE: Final = -zlib.MAX_WBITS
LEVEL: Final = 6
NO_COMPRESSION: Final = 0
LINE_BREAK: Final = "\r\n"


def deflate(content: bytes, level: int = LEVEL) -> bytes:
    """Return deflate blocks that end at a byte boundary and refer to no earlier data."""
    packer = zlib.compressobj(level, zlib.DEFLATED, RAW_DEFLATE)
    return packer.compress(content) + packer.flush(zlib.Z_FULL_FLUSH)


def encode_event(data: str, *, event: str = "", id: str = "") -> bytes:
    """Return a server-sent event as bytes; the data must be one line, empty fields are left out."""
    id_line = f"id: {id}{LINE_BREAK}" if id else ""
    event_line = f"event: {event}{LINE_BREAK}" if event else ""
    return f"{id_line}{event_line}data: {data}{LINE_BREAK}{LINE_BREAK}".encode()


class Chunk(msgspec.Struct, frozen=True):
    """Bytes of a stream. `packed` is the compressed form of a chunk for many readers, empty for one reader."""

    plain: bytes
    packed: bytes = b""


def compress_chunk(content: bytes) -> Chunk:
    """Return a chunk without secrets, compressed for many readers."""
    return Chunk(content, deflate(content))


class StreamOutput:
    """The output of one reader's stream."""

    def __init__(self, send: Send, *, is_packed: bool) -> None:
        self._send = send
        self._is_packed = is_packed
        self._has_begun = False

    async def send(self, chunk: Chunk) -> None:
        """Send a chunk, compressed if the stream is; wait if the reader is slow."""
        content = chunk.plain
        if self._is_packed:
            content = chunk.packed or deflate(chunk.plain, NO_COMPRESSION)
            if not self._has_begun:
                content = GZIP_HEAD + content
        self._has_begun = True
        await self._send({"type": "http.response.body", "body": content, "more_body": True})


StreamWriter = Callable[[StreamOutput], Awaitable[None]]
"""A function that sends chunks until the stream ends."""


class StreamResponse(ServerSentEvent):
    """The response of a live stream. Its place among the limited streams is freed after the last event.

    It is also freed if the response is discarded because the reader left before the first event.
    """

    def __init__(self, write: StreamWriter, slot: StreamSlot, *, is_packed: bool) -> None:
        super().__init__(b"", headers={"Content-Encoding": "gzip"} if is_packed else None)
        self._write, self._slot, self._is_packed = write, slot, is_packed
        weakref.finalize(self, slot.release).atexit = False

    def to_asgi_response(self, app: Any, request: Any, **kwargs: Any) -> Any:
        """Return the ASGI response: it runs until the stream ends or the reader disconnects, then frees its slot."""
        response = super().to_asgi_response(app, request, **kwargs)

        async def flow(_: Scope, receive: Receive, send: Send) -> None:
            await response.start_response(send)
            writing = asyncio.create_task(self._run(send))
            watching = asyncio.create_task(wait_for_disconnect(receive))
            try:
                await asyncio.wait((writing, watching), return_when=asyncio.FIRST_COMPLETED)
                if writing.done():
                    writing.result()
            finally:
                for task in (writing, watching):
                    task.cancel()
                self._slot.release()

        return flow

    async def _run(self, send: Send) -> None:
        await self._write(StreamOutput(send, is_packed=self._is_packed))
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def wait_for_disconnect(receive: Receive) -> None:
    """Wait until the client disconnects."""
    while (await receive())["type"] != "http.disconnect":
        pass


def accepts_gzip(header: str) -> bool:
    """Return whether the Accept-Encoding header allows gzip (RFC 9110, 12.5.3)."""
    return any(allows_gzip(part) for part in header.lower().split(","))


def allows_gzip(part: str) -> bool:
    """Return whether a part of the header allows gzip with a weight above 0."""
    name, _, weight = (value.strip() for value in part.partition(";"))
    return name == "gzip" and weight.replace(" ", "").rstrip("0") not in {"q=", "q=0."}
