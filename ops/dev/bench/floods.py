"""Requests with an endless head or endless chunks, sent until the service closes the connection."""

import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import msgspec

BYTES_MAX: Final = 32 * 1024 * 1024
SECONDS_MAX: Final = 2.0
PIECE_BYTES: Final = 64 * 1024
SMALL_BYTES: Final = 1_024
REQUEST_START: Final = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED: Final = b"POST /language HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
CHUNK: Final = b"1\r\na\r\n"
LAST_CHUNK: Final = CHUNK + b"0\r\n"


class Flood(msgspec.Struct, frozen=True):
    """The beginning of a request and a piece to repeat; if `is_refused`, the service must close the connection."""

    name: str
    head: bytes
    piece: bytes
    is_refused: bool = True


class Sent(msgspec.Struct, frozen=True):
    """Bytes sent until the service closed the connection or a limit was reached, and the beginning of the response."""

    count: int
    response: bytes
    is_refused: bool


def repeat_to_length(item: bytes, length: int) -> bytes:
    """Repeat an item up to a length; at least once."""
    return item * max(1, length // len(item))


def floods() -> Iterator[Flood]:
    """Yield every flood in large and in small pieces; rows of requests and of chunks need not be refused."""
    for size in (PIECE_BYTES, SMALL_BYTES):
        name = f"pieces of {size:,} bytes"
        yield Flood(f"URL, {name}", b"GET /", b"a" * size)
        yield Flood(f"header value, {name}", REQUEST_START + b"X: ", b"a" * size)
        yield Flood(f"header name, {name}", REQUEST_START, b"a" * size)
        yield Flood(f"header fields, {name}", REQUEST_START, repeat_to_length(b"a:b\r\n", size))
        yield Flood(f"line breaks, {name}", b"", repeat_to_length(b"\r\n", size))
        yield Flood(f"chunk extension, {name}", CHUNKED + b"1;", b"a" * size)
        yield Flood(f"trailer value, {name}", CHUNKED + LAST_CHUNK + b"X: ", b"a" * size)
        yield Flood(f"trailer fields, {name}", CHUNKED + LAST_CHUNK, repeat_to_length(b"a:b\r\n", size))
        yield Flood(f"requests in a row, {name}", b"", repeat_to_length(b"GET /nowhere HTTP/1.1\r\n\r\n", size), False)
        yield Flood(f"chunks of one byte, {name}", CHUNKED, repeat_to_length(CHUNK, size), False)


def send(address: tuple[str, int], flood: Flood, bytes_max: int = BYTES_MAX) -> Sent:
    """Send a flood until the service closes the connection, or the limit of bytes or `SECONDS_MAX` is reached.

    Only a closed connection counts as refused; a service that stops reading does not.
    """
    count, response, deadline = 0, b"", time.monotonic() + SECONDS_MAX
    with socket.create_connection(address, SECONDS_MAX) as connection:
        try:
            connection.sendall(flood.head)
            while count < bytes_max and time.monotonic() < deadline:
                connection.sendall(flood.piece)
                count += len(flood.piece)
        except TimeoutError:
            return Sent(count, response, is_refused=False)
        except OSError:
            with suppress(OSError):
                response = connection.recv(SMALL_BYTES)
            return Sent(count, response, is_refused=True)
        return Sent(count, response, is_refused=False)
