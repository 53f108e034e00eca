"""What the workers' client makes of answers, and of a service that closes or keeps silent."""

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from ops.embedded import socket_folder
from workers.client import ServiceClient, ServiceRefused

OWED = {
    "matchId": "m",
    "title": "toy",
    "version": 7,
    "head": "00",
    "seat": 1,
    "by": "bot:random@1",
    "actions": [{"type": "toy.pass"}],
    "view": {"hand": [3]},
    "seed": "ab",
}
PATIENCE_SECONDS = 60.0


class Answers:
    """A service that gives one prepared answer a connection and writes down what it was asked."""

    def __init__(self, path: Path, answers: list[bytes]) -> None:
        self.asked: list[str] = []
        self._answers = answers
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        for answer in self._answers:
            connection, _ = self._listener.accept()
            connection.settimeout(PATIENCE_SECONDS)
            self.asked.append(read_request(connection))
            connection.sendall(answer)
            connection.close()

    def close(self) -> None:
        self._thread.join(PATIENCE_SECONDS)
        self._listener.close()


def read_request(connection: socket.socket) -> str:
    """Head and body of one request."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(65_536)
    head, _, body = received.partition(b"\r\n\r\n")
    length = next(
        (int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")), 0
    )
    while len(body) < length:
        body += connection.recv(65_536)
    return (head + b"\n" + body).decode()


def http(status: int, body: object) -> bytes:
    encoded = json.dumps(body).encode()
    return f"HTTP/1.1 {status} X\r\nContent-Length: {len(encoded)}\r\n\r\n".encode() + encoded


@pytest.fixture
def path() -> Iterator[Path]:
    folder = socket_folder()
    yield folder / "service.sock"
    (folder / "service.sock").unlink()
    folder.rmdir()


def test_what_is_owed_is_read_with_actions_and_view_as_they_were_sent(path: Path) -> None:
    service, client = Answers(path, [http(200, OWED)]), ServiceClient(path, "secret")

    owed = client.owed("m")

    service.close()
    assert owed is not None
    assert (owed.version, owed.seat, owed.by, owed.seed) == (7, 1, "bot:random@1", "ab")
    assert msgspec.json.decode(owed.view) == {"hand": [3]}
    assert "GET /api/matches/m/owed HTTP/1.1" in service.asked[0]
    assert "Authorization: Bearer secret" in service.asked[0]
    client.close()


def test_an_action_names_the_version_it_is_meant_for(path: Path) -> None:
    service, client = Answers(path, [http(201, OWED | {"version": 8})]), ServiceClient(path, "secret")

    after = client.act("m", 7, 1, msgspec.Raw(b'{"type":"toy.pass"}'))

    service.close()
    assert after is not None
    assert (after.version, after.seat) == (8, 1)
    assert "POST /api/matches/m/owed HTTP/1.1" in service.asked[0]
    assert service.asked[0].endswith('{"expectedVersion":7,"seat":1,"action":{"type":"toy.pass"}}')
    client.close()


@pytest.mark.parametrize("status", [404, 409])
def test_to_be_too_late_is_no_failure(path: Path, status: int) -> None:
    service, client = Answers(path, [http(status, {})] * 3), ServiceClient(path, "secret")

    assert client.owed("m") is None
    assert client.act("m", 7, 1, msgspec.Raw(b"{}")) is None
    assert not client.time_out("m", 7, 1)
    service.close()
    client.close()


@pytest.mark.parametrize("status", [401, 422, 500])
def test_any_other_refusal_fails_the_job_and_says_why(path: Path, status: int) -> None:
    service, client = Answers(path, [http(status, {"detail": "no"})]), ServiceClient(path, "secret")

    with pytest.raises(ServiceRefused, match=rf'{status}: {{"detail": "no"}}'):
        client.time_out("m", 7, 1)
    service.close()
    client.close()


def test_a_request_on_a_connection_the_service_has_closed_is_made_again(path: Path) -> None:
    service, client = Answers(path, [http(200, OWED), http(200, OWED)]), ServiceClient(path, "secret")

    first, second = client.owed("m"), client.owed("m")

    service.close()
    assert first == second
    client.close()


def test_a_service_that_went_away_in_the_middle_is_asked_once_more(path: Path) -> None:
    service, client = Answers(path, [b"", http(201, OWED)]), ServiceClient(path, "secret")

    after = client.act("m", 7, 1, msgspec.Raw(b"{}"))

    service.close()
    assert after is not None
    assert service.asked[0] == service.asked[1]
    client.close()


def test_a_service_that_keeps_silent_fails_the_job(path: Path) -> None:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()
    client = ServiceClient(path, "secret", timeout=0.05)

    with pytest.raises(TimeoutError):
        client.owed("m")
    listener.close()
    client.close()
