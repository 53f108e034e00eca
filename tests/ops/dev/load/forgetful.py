"""A proxy in front of a service that loses answers: what was asked was done, and nobody is told."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from ops.dev.load.client import read_head

Loses = Callable[[bytes], bool]
"""Whether the answer to a request of this first line is lost."""


class Forgetful:
    """What it does with one connection after the other."""

    def __init__(self, port: int, loses: Loses) -> None:
        self._port, self._loses = port, loses
        self.lost = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        beyond = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
                body = await reader.readexactly(int(lengths[0].partition(b":")[2]))
                beyond[1].write(head + body)
                status, headers = await read_head(beyond[0])
                content = await beyond[0].readexactly(int(headers["content-length"]))
                if self._loses(head.partition(b"\r\n")[0]):
                    self.lost += 1
                    return
                line = f"HTTP/1.1 {status} -\r\nContent-Length: {len(content)}\r\n\r\n"
                writer.write(line.encode() + content)
        except (EOFError, OSError):
            return
        finally:
            writer.close()
            beyond[1].close()


@asynccontextmanager
async def forgetful(port: int, loses: Loses) -> AsyncIterator[tuple[str, Forgetful]]:
    """The address of such a proxy."""
    proxy = Forgetful(port, loses)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", proxy
    finally:
        server.close()


def every(count: int, what: bytes) -> Loses:
    """Every so-manyth of those that ask for this."""
    asked = 0

    def loses(line: bytes) -> bool:
        nonlocal asked
        asked += what in line
        return what in line and asked % count == 0

    return loses
