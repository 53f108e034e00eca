"""A small application behind the server's own connections, and clients that read as slowly as a test wants."""

from __future__ import annotations

import socket
import threading
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any, Final

import uvicorn

from ops.connections import protocol_for
from projections.platform.settings import Settings
from tests.workers.serving import PATIENCE_SECONDS

BUFFER_BYTES: Final = 4_096
"""Buffers of the kernel on both sides, so that a response does not fit into them."""
LONG: Final = 3_600.0
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Application:
    """Answers `/BYTES` with that many bytes, `/stream` without end, and other paths after the whole request."""

    def __init__(self) -> None:
        self.scopes: list[Scope] = []
        self.bodies: list[bytes] = []
        self.ended = threading.Semaphore(0)
        """Released when a stream notices that its reader has disconnected."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scopes.append(scope)
        path = scope["path"][1:]
        if path == "stream":
            await self._stream(receive, send)
            return
        if not path.isdecimal():
            self.bodies.append(await body_of(receive))
        content = b"x" * int(path) if path.isdecimal() else b"ok"
        await send({"type": "http.response.start", "status": 200, "headers": [length_of(content)]})
        await send({"type": "http.response.body", "body": content})

    async def _stream(self, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"data: 1\n\n", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass
        self.ended.release()


async def body_of(receive: Receive) -> bytes:
    """Read a body to its end, or to the end of its connection."""
    body, has_more = b"", True
    while has_more:
        message = await receive()
        body += message.get("body", b"")
        has_more = message.get("more_body", False)
    return body


def length_of(content: bytes) -> tuple[bytes, bytes]:
    return b"content-length", str(len(content)).encode()


class Served:
    """The address of a running server, and its application."""

    def __init__(self, port: int, application: Application) -> None:
        self.port = port
        self.application = application

    def connect(self) -> socket.socket:
        """Connect with a small buffer."""
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER_BYTES)
        connection.settimeout(PATIENCE_SECONDS)
        connection.connect(("127.0.0.1", self.port))
        return connection

    def tick(self) -> None:
        """Wait until the server ends a connection on which nothing is sent."""
        with self.connect() as idle:
            rest_of(idle)


def request(path: str, *fields: str) -> bytes:
    """Return a whole request without a body."""
    return "\r\n".join((f"GET {path} HTTP/1.1", "Host: localhost", *fields, "", "")).encode()


def rest_of(connection: socket.socket) -> bytes:
    """Read until the other side closes."""
    received = b""
    try:
        while piece := connection.recv(65_536):
            received += piece
    except ConnectionResetError:
        pass
    return received


@contextmanager
def serve(**settings: Any) -> Iterator[Served]:
    """Start a server that waits for an hour for everything unless a setting is changed."""
    timeouts: dict[str, Any] = {"header_seconds": LONG, "body_seconds": LONG, "send_seconds": LONG}
    application = Application()
    config = uvicorn.Config(
        application, loop="uvloop", lifespan="off", log_level="debug", **protocol_for(Settings(**(timeouts | settings)))
    )
    config.timeout_graceful_shutdown = 1
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield Served(listener.getsockname()[1], application)
        finally:
            server.should_exit = True
            thread.join(PATIENCE_SECONDS)
