"""The way out of a live stream: one answer without an end, whose pieces are bytes that others get too.

A reader that takes gzip gets one stream of deflate blocks: those that many share are compressed once, each by itself
and without a look back, so that they can be put one behind the other in any stream; what is a reader's own is put
between them as it is. Whatever a page keeps from others is never compressed together with what somebody else can choose
(the attack called BREACH), nor at all.
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

from api.http.streams import Place

GZIP_HEAD: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""Before the first block: deflate, no name, no time, made anywhere (RFC 1952)."""
RAW: Final = -zlib.MAX_WBITS
LEVEL: Final = 6
AS_IT_IS: Final = 0
BREAK: Final = "\r\n"


def pack(content: bytes, level: int = LEVEL) -> bytes:
    """A run of deflate blocks that ends at a whole byte and knows nothing of those before it."""
    packer = zlib.compressobj(level, zlib.DEFLATED, RAW)
    return packer.compress(content) + packer.flush(zlib.Z_FULL_FLUSH)


def encode_event(data: str, *, event: str = "", id: str = "") -> bytes:
    """An event as browsers read it; the data is one line."""
    named = f"id: {id}{BREAK}" if id else ""
    kind = f"event: {event}{BREAK}" if event else ""
    return f"{named}{kind}data: {data}{BREAK}{BREAK}".encode()


class Chunk(msgspec.Struct, frozen=True):
    """Bytes that many readers get, and the same compressed; nothing compressed where they are for one reader."""

    plain: bytes
    packed: bytes = b""


def shared(content: bytes) -> Chunk:
    """A chunk that holds nothing but what all its readers may see."""
    return Chunk(content, pack(content))


class Outlet:
    """Where the events of one reader go out."""

    def __init__(self, send: Send, *, is_packed: bool) -> None:
        self._send = send
        self._is_packed = is_packed
        self._has_begun = False

    async def give(self, chunk: Chunk) -> None:
        """Waits where the reader takes nothing."""
        content = chunk.plain
        if self._is_packed:
            content = chunk.packed or pack(chunk.plain, AS_IT_IS)
            if not self._has_begun:
                content = GZIP_HEAD + content
        self._has_begun = True
        await self._send({"type": "http.response.body", "body": content, "more_body": True})


Telling = Callable[[Outlet], Awaitable[None]]
"""What a reader is told, for as long as there is something to tell."""


class LiveAnswer(ServerSentEvent):
    """The answer of a handler whose reader stays; the place is left with the last event, or when the answer is
    forgotten because its reader had gone before the first."""

    def __init__(self, tell: Telling, place: Place, *, is_packed: bool) -> None:
        super().__init__(b"", headers={"Content-Encoding": "gzip"} if is_packed else None)
        self._tell, self._place, self._is_packed = tell, place, is_packed
        weakref.finalize(self, place.leave).atexit = False

    def to_asgi_response(self, app: Any, request: Any, **more: Any) -> Any:
        begun = super().to_asgi_response(app, request, **more)

        async def flow(_: Scope, receive: Receive, send: Send) -> None:
            await begun.start_response(send)
            telling = asyncio.create_task(self._flow(send))
            watching = asyncio.create_task(hung_up(receive))
            try:
                await asyncio.wait((telling, watching), return_when=asyncio.FIRST_COMPLETED)
                if telling.done():
                    telling.result()
            finally:
                for task in (telling, watching):
                    task.cancel()
                self._place.leave()

        return flow

    async def _flow(self, send: Send) -> None:
        await self._tell(Outlet(send, is_packed=self._is_packed))
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def hung_up(receive: Receive) -> None:
    """Until the reader hangs up."""
    while (await receive())["type"] != "http.disconnect":
        pass


def takes_gzip(accepted: str) -> bool:
    """Whether a reader says that it takes gzip (RFC 9110, 12.5.3)."""
    return any(is_wanted(part) for part in accepted.lower().split(","))


def is_wanted(part: str) -> bool:
    name, _, weight = (word.strip() for word in part.partition(";"))
    return name == "gzip" and weight.replace(" ", "").rstrip("0") not in {"q=", "q=0."}
