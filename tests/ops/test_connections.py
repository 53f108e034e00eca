"""Half-sent requests and unread responses: the connection ends in time."""

from __future__ import annotations

import re
import resource
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from ops.connections import refusal
from projections.platform.telemetry.logs import configure_logs
from tests.api.service import SERVICE_TOKEN, Sockets, behind_sockets, settings_in
from tests.ops.small_server import rest_of, serve
from tests.workers.serving import PATIENCE_SECONDS, serving

SHORT: Final = 0.2
LONG: Final = 3_600.0
HALF_HEAD: Final = b"POST /api/guests HTTP/1.1\r\nHost: localhost\r\nContent-Ty"
HALF_BODY: Final = (
    b"POST /api/accounts HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n"
    b'{"name": "Ann'
)
WHOLE: Final = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"


@contextmanager
def impatient(folder: Path, **settings: Any) -> Iterator[Sockets]:
    """Start a service that waits a moment for each of these, and without a limit for all else."""
    timeouts = {"header_seconds": LONG, "body_seconds": LONG, "send_seconds": LONG}
    with behind_sockets(folder, msgspec.structs.replace(settings_in(folder), **(timeouts | settings))) as service:
        yield service


def connect(service: Sockets, *, private: bool = False) -> socket.socket:
    """Connect to the public address, or to the private socket."""
    if private:
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(PATIENCE_SECONDS)
        connection.connect(str(service.path))
        return connection
    return socket.create_connection(("127.0.0.1", service.port), PATIENCE_SECONDS)


def answer_to(connection: socket.socket, request: bytes = WHOLE) -> bytes:
    """Send a request and read its whole response; headers and body may arrive separately."""
    connection.sendall(request)
    head, _, body = read_until(connection, b"\r\n\r\n").partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head)
    assert length is not None
    while len(body) < int(length[1]):
        body += connection.recv(65_536)
    return head + b"\r\n\r\n" + body


def read_until(connection: socket.socket, end: bytes) -> bytes:
    """Read until these bytes arrive, or the connection ends."""
    received = b""
    while end not in received and (piece := connection.recv(65_536)):
        received += piece
    return received


@pytest.mark.parametrize("private", [False, True])
def test_headers_that_are_not_complete_in_time_are_answered_408(tmp_path: Path, private: bool) -> None:
    with impatient(tmp_path, header_seconds=SHORT) as service, closing(connect(service, private=private)) as slow:
        slow.sendall(HALF_HEAD)

        response = rest_of(slow)

    assert response.startswith(b"HTTP/1.1 408 ")
    assert b"connection: close\r\n" in response


def test_a_connection_on_which_nothing_is_sent_is_closed(tmp_path: Path) -> None:
    with impatient(tmp_path, header_seconds=SHORT) as service, closing(connect(service)) as idle:
        assert rest_of(idle) == b""


def test_a_second_request_on_a_kept_connection_has_the_same_time(tmp_path: Path) -> None:
    with impatient(tmp_path, header_seconds=SHORT) as service, closing(connect(service)) as slow:
        assert answer_to(slow).startswith(b"HTTP/1.1 200 ")
        slow.sendall(HALF_HEAD)

        assert rest_of(slow).startswith(b"HTTP/1.1 408 ")


def test_a_kept_connection_does_not_end_while_its_requests_are_whole(tmp_path: Path) -> None:
    """The time of one request does not count for the next."""
    with impatient(tmp_path, header_seconds=SHORT) as service, closing(connect(service)) as persistent:
        with closing(connect(service)) as idle:
            assert answer_to(persistent).startswith(b"HTTP/1.1 200 ")
            rest_of(idle)

        assert answer_to(persistent).startswith(b"HTTP/1.1 200 ")


def test_a_body_of_which_nothing_comes_is_answered_408_and_is_no_fault_of_the_service(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with impatient(tmp_path, body_seconds=SHORT) as service, closing(connect(service)) as slow:
        configure_logs(settings_in(tmp_path), "web")
        slow.sendall(HALF_BODY)

        response = rest_of(slow)

        assert response.startswith(b"HTTP/1.1 408 ")
        assert b'status="5' not in figures(service)
    assert capsys.readouterr().err == ""


def head_of(length: int) -> bytes:
    """Return the headers of a request with a body of this length."""
    return f"POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n".encode()


def test_a_body_may_take_longer_the_longer_it_is() -> None:
    """Each idle connection that the server ends is a tick of the clock: the body takes longer than one may stall."""
    piece = b"x" * 5_000
    with serve(header_seconds=2 * SHORT, body_seconds=6 * SHORT) as server, closing(server.connect()) as steady:
        steady.sendall(head_of(8 * len(piece)))
        for _ in range(7):
            steady.sendall(piece)
            server.tick()
        steady.sendall(piece)

        assert steady.recv(1_024).startswith(b"HTTP/1.1 200 ")
    assert server.application.bodies == [8 * piece]


def test_a_body_that_arrives_too_slowly_is_answered_408() -> None:
    """One byte after the other never stalls."""
    with serve(body_seconds=3 * SHORT) as server, closing(server.connect()) as slow:
        slow.sendall(head_of(1_000))
        slow.settimeout(0.01)
        response = b""
        while not response:
            slow.sendall(b"x")
            with suppress(TimeoutError):
                response = slow.recv(1_024)

    assert response.startswith(b"HTTP/1.1 408 ")


def pass_time(service: Sockets) -> None:
    """Wait until the service ends a connection on which nothing is sent."""
    with closing(connect(service)) as idle:
        rest_of(idle)


@pytest.mark.parametrize("path", ["/api/accounts", "/sign-in", "/api/logs"])
def test_a_client_that_hangs_up_in_a_body_is_no_fault_of_the_service(
    tmp_path: Path, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    kind = b"application/x-www-form-urlencoded" if path == "/sign-in" else b"application/json"
    with impatient(tmp_path) as service:
        configure_logs(settings_in(tmp_path), "web")
        token = service.token_of("Ann").encode()
        head = b"POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\n"
        with closing(connect(service)) as disconnected:
            disconnected.sendall(head % (path.encode(), token, kind) + b"Content-Length: 500\r\n\r\nhalf")

        client_error = b'method="POST",route="%s",status="4' % path.encode()
        while client_error not in (metrics := figures(service)):
            assert b'status="5' not in metrics
    assert capsys.readouterr().err == ""


def figures(service: Sockets) -> bytes:
    """Return the metrics of the web process."""
    connection = service.connection(private=True)
    connection.request("GET", "/api/metrics", headers={"Authorization": f"Bearer {SERVICE_TOKEN}"})
    metrics = connection.getresponse().read()
    connection.close()
    return metrics


def test_of_too_many_unfinished_connections_of_an_address_the_oldest_ends(tmp_path: Path) -> None:
    with impatient(tmp_path, unfinished_per_address=2) as service:
        unfinished = [connect(service) for _ in range(3)]
        for connection in unfinished:
            connection.sendall(HALF_HEAD)

        assert rest_of(unfinished[0]) in {b"", refusal(408)}
        with closing(connect(service)) as other:
            assert answer_to(other).startswith(b"HTTP/1.1 200 "), "who sends a whole request is served"
        for connection in unfinished:
            connection.close()


def test_connections_by_a_trusted_proxy_and_by_the_private_socket_are_not_bounded(tmp_path: Path) -> None:
    with impatient(tmp_path, unfinished_per_address=2, proxies=("127.0.0.0/8",)) as service:
        unfinished = [connect(service, private=number % 2 == 1) for number in range(8)]
        for connection in unfinished:
            connection.sendall(WHOLE[:20])

        assert [answer_to(connection, WHOLE[20:])[:13] for connection in unfinished] == [b"HTTP/1.1 200 "] * 8
        for connection in unfinished:
            connection.close()


def test_every_process_of_the_service_may_open_as_many_files_as_the_machine_allows(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        with serving(tmp_path, worker_count=1) as service:
            pids = [service.process.pid, *service.started.processes.values()]
            limits = [Path(f"/proc/{pid}/limits").read_text() for pid in pids]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    rows = [next(line.split() for line in each.splitlines() if line.startswith("Max open files")) for each in limits]
    assert {row[3] for row in rows} == {str(hard)}
