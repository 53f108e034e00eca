"""All parts of a request except its body have bounds: URL, header fields, trailers, chunk extensions."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import closing
from typing import Final

import pytest

from ops.connections import FIELDS_MAX, HEAD_BYTES_MAX, PIPELINED_MAX, URL_BYTES_MAX
from tests.ops.small_server import Served, request, rest_of, serve

CHUNKED: Final = b"POST /body HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
BEGUN: Final = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
PIECE: Final = b"a" * 1_024
SHORT: Final = 0.2


@pytest.fixture(scope="module")
def service() -> Iterator[Served]:
    with serve() as server:
        yield server


def sent_until_refused(service: Served, head: bytes, piece: bytes) -> tuple[int, bytes]:
    """Send a piece again and again until the service closes; return the number of bytes and the response.

    The service reads each piece before the next is sent, so that the end of the connection is no reset.
    """
    with closing(service.connect()) as connection:
        connection.sendall(head)
        connection.settimeout(0.01)
        count, response = len(head), b""
        while count < 8 * HEAD_BYTES_MAX:
            connection.sendall(piece)
            count += len(piece)
            try:
                response = connection.recv(65_536)
            except TimeoutError:
                continue
            break
        return count, response


@pytest.mark.parametrize(
    ("head", "piece", "bound", "status"),
    [
        (b"GET /", PIECE, URL_BYTES_MAX, 414),
        (b"GET /?", b"a=b&" * 256, URL_BYTES_MAX, 414),
        (BEGUN + b"X: ", PIECE, HEAD_BYTES_MAX, 431),
        (BEGUN, PIECE, HEAD_BYTES_MAX, 431),
        (BEGUN, b"X: " + PIECE + b"\r\n", HEAD_BYTES_MAX, 431),
        (BEGUN, b"a: b\r\n" * 10, 6 * FIELDS_MAX, 431),
        (b"", b"\r\n" * 512, HEAD_BYTES_MAX, 431),
        (CHUNKED + b"1;", PIECE, HEAD_BYTES_MAX, 431),
        (CHUNKED + b"1\r\na\r\n0\r\nX: ", PIECE, HEAD_BYTES_MAX, 431),
        (CHUNKED + b"1\r\na\r\n0\r\n", b"X: " + PIECE + b"\r\n", HEAD_BYTES_MAX, 431),
    ],
    ids=["url", "query", "value", "name", "bytes", "fields", "line breaks", "extension", "trailer", "trailers"],
)
def test_a_head_without_an_end_is_refused_at_its_bound(
    service: Served, head: bytes, piece: bytes, bound: int, status: int
) -> None:
    count, response = sent_until_refused(service, head, piece)

    assert response.startswith(b"HTTP/1.1 %d " % status)
    assert b"connection: close\r\n" in response
    assert bound < count <= bound + 2 * len(piece) + len(head)


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (request("/" + "a" * (URL_BYTES_MAX - 1)), 200),
        (request("/" + "a" * URL_BYTES_MAX), 414),
        (request("/a", *[f"X-{number}: 1" for number in range(FIELDS_MAX - 2)], "Connection: close"), 200),
        (request("/a", *[f"X-{number}: 1" for number in range(FIELDS_MAX)]), 431),
        (request("/a", "X: " + "a" * (HEAD_BYTES_MAX - 100)), 200),
        (request("/a", *["X: " + "a" * (HEAD_BYTES_MAX // 4)] * 4), 431),
    ],
    ids=["longest url", "url", "most fields", "fields", "longest value", "bytes"],
)
def test_a_whole_head_has_the_same_bounds(service: Served, head: bytes, status: int) -> None:
    with closing(service.connect()) as connection:
        connection.sendall(head)

        assert connection.recv(65_536).startswith(b"HTTP/1.1 %d " % status)


def test_a_trailer_is_no_header_of_its_request(service: Served) -> None:
    with closing(service.connect()) as connection:
        connection.sendall(CHUNKED + b"1\r\na\r\n0\r\nAuthorization: Bearer x\r\n\r\n")

        assert connection.recv(65_536).startswith(b"HTTP/1.1 200 ")
    assert service.application.bodies[-1] == b"a"
    assert dict(service.application.scopes[-1]["headers"]).keys() == {b"host", b"transfer-encoding"}


def test_a_few_requests_may_wait_on_a_connection(service: Served) -> None:
    count = PIPELINED_MAX
    with closing(service.connect()) as connection:
        connection.sendall(request("/1") * (count - 1) + request("/1", "Connection: close"))

        assert rest_of(connection).count(b"HTTP/1.1 200 ") == count


def test_a_connection_with_too_many_waiting_requests_is_closed(service: Served) -> None:
    with closing(service.connect()) as connection:
        connection.sendall(request("/1") * 10 * PIPELINED_MAX)

        assert rest_of(connection).count(b"HTTP/1.1 200 ") <= PIPELINED_MAX


@pytest.mark.parametrize("trailing", [b"\r\n", b"0\r\n\r\n"], ids=["line break", "end of a body that nothing reads"])
def test_what_follows_a_response_does_not_keep_the_connection(trailing: bytes) -> None:
    """Both unset the timer of uvicorn for idle connections."""
    first_request = request("/1") if trailing == b"\r\n" else CHUNKED.replace(b"/body", b"/1") + b"1\r\na\r\n"
    with serve(header_seconds=SHORT) as service, closing(service.connect()) as connection:
        connection.sendall(first_request)
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200 ")
        connection.sendall(trailing)

        assert rest_of(connection) in {b"", b"x"}


def test_an_upgrade_is_answered_as_any_request_and_is_the_last(
    service: Served, caplog: pytest.LogCaptureFixture
) -> None:
    """Its body is no request, and the service writes no line for it."""
    upgrade = request("/1", "Connection: Upgrade", "Upgrade: websocket", "Content-Length: 5")
    with caplog.at_level(logging.DEBUG), closing(service.connect()) as connection:
        connection.sendall(upgrade + request("/2"))

        response = rest_of(connection)

    assert response.count(b"HTTP/1.1 ") == 1
    assert b"connection: close\r\n" in response
    assert [line.message for line in caplog.records if line.name == "uvicorn.error"] == []


def test_what_is_not_http_is_refused_without_a_line_in_the_log(
    service: Served, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), closing(service.connect()) as connection:
        connection.sendall(b"\x16\x03\x01 is TLS\r\n\r\n")

        assert rest_of(connection).startswith(b"HTTP/1.1 400 ")
    assert [line.message for line in caplog.records if line.name == "uvicorn.error"] == []
