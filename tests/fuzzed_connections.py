"""Live streams that are opened, dropped and resumed with odd cursors, partial requests, and requests without an end."""

from __future__ import annotations

import random
import socket
import struct
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from litestar import Litestar
from litestar.routes import HTTPRoute

from ops.dev.bench.floods import Flood, send

STREAM: Final = "text/event-stream"
CURSORS: Final = ("", "0", "1", "2", "-1", "999999999999999999999", "abc", "1,2", "é", "a" * 5_000, "0x1", " 1")
QUERIES: Final = ("", "after=0", "after=-1", "after=9999999999", "have=1", "have=x&own=y", "held=1", "after=1&after=2")
HEAD: Final = b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
JSON: Final = b'{"name": "x", "password": "y"}'
REQUESTS: Final = (
    b"GET /api/health" + HEAD + b"\r\n",
    b"GET /tables" + HEAD + b"Accept: text/html\r\n\r\n",
    b"POST /api/accounts" + HEAD + b"Content-Type: application/json\r\nContent-Length: 30\r\n\r\n" + JSON,
    b"POST /language" + HEAD + b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 5\r\n\r\nx=y&z",
    b"POST /api/logs" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n",
    b"POST /api/guests" + HEAD + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
)
FLOOD_BYTES: Final = 8 * 1024 * 1024
RESET: Final = struct.pack("ii", 1, 0)


def streams_of(app: Litestar) -> list[str]:
    """Return the addresses of live streams."""
    return sorted(
        route.path_format
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for handler, _ in route.route_handler_map.values()
        if str(handler.media_type) == STREAM
    )


def open_stream(
    address: tuple[str, int], path: str, known: Mapping[str, Sequence[str]], headers: Sequence[str], luck: random.Random
) -> tuple[bytes, bytes]:
    """Open a stream with an odd cursor and drop it; return the request and the beginning of its response."""
    for name in known:
        path = path.replace(f"{{{name}}}", luck.choice(known[name]))
    ids = [each for values in known.values() for each in values]
    path = "/".join(luck.choice((*ids, "x")) if part.startswith("{") else part for part in path.split("/"))
    lines = [f"GET {path.replace(' ', '%20')}?{luck.choice(QUERIES)} HTTP/1.1", "Host: localhost", *headers]
    lines += [f"Last-Event-ID: {luck.choice(CURSORS)}"] if luck.random() < 0.7 else []
    lines += ["Accept-Encoding: gzip"] if luck.random() < 0.3 else []
    request = "\r\n".join(lines).encode() + b"\r\n\r\n"
    return request, send_and_drop(address, request, luck, is_whole=True)


def cut_request(address: tuple[str, int], luck: random.Random) -> tuple[bytes, bytes]:
    """Send a part of a request, or a spoiled one, and drop the connection or wait for its end."""
    request = luck.choice(REQUESTS)
    place = luck.randrange(len(request) + 1)
    spoiled = (
        request[:place],
        request[:place],
        request + request[:place],
        request[:place] + bytes([luck.randrange(256)]) + request[place + 1 :],
        request[:place] + luck.randbytes(20),
        request[:place] + b"x" * 70_000 + request[place:],
        request.replace(b"Content-Length: ", b"Content-Length: -"),
        request.replace(b"\r\n", b"\n"),
    )
    sent = luck.choice(spoiled)
    return sent, send_and_drop(address, sent, luck, is_whole=False)


def pour(address: tuple[str, int], flood: Flood) -> tuple[bytes, bytes]:
    """Send a request without an end; return its beginning and the beginning of a response.

    `TimeoutError` where the service does not end it.
    """
    sent = send(address, flood, FLOOD_BYTES)
    if flood.is_refused and not sent.is_refused:
        raise TimeoutError
    return flood.head + flood.piece[:80], sent.response


def send_and_drop(address: tuple[str, int], request: bytes, luck: random.Random, *, is_whole: bool) -> bytes:
    """Send bytes; read the first piece of a response, or all until the connection ends, or nothing; then drop it.

    `TimeoutError` where the service neither answers nor ends the connection.
    """
    with socket.create_connection(address, 60.0) as connection:
        answer, reads = b"", luck.choice(("nothing", "piece", "piece", "end"))
        with suppress(ConnectionResetError, BrokenPipeError):
            connection.sendall(request)
            if reads == "piece" and is_whole:
                answer = connection.recv(65_536)
            elif reads != "nothing" and not is_whole:
                while piece := connection.recv(65_536):
                    answer += piece
        if luck.random() < 0.3:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        elif luck.random() < 0.3:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
        return answer
