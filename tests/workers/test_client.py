"""The workers' client with refusals, closed connections and a silent service."""

import socket
from pathlib import Path

import msgspec
import pytest

from tests.workers.serving import PreparedServer, http
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


def client_at(path: Path, token: str, timeout: float = 60.0) -> ServiceClient:
    return ServiceClient.by_socket(path, token, timeout)


def test_a_duty_keeps_actions_and_view_as_sent(socket_path: Path) -> None:
    service, client = PreparedServer(socket_path, [http(200, OWED)]), client_at(socket_path, "secret")

    duty = client.read_duty("m")

    service.close()
    assert duty is not None
    assert (duty.version, duty.seat, duty.by, duty.seed) == (7, 1, "bot:random@1", "ab")
    assert msgspec.json.decode(duty.view) == {"hand": [3]}
    assert "GET /api/matches/m/owed HTTP/1.1" in service.requests[0]
    assert "Authorization: Bearer secret" in service.requests[0]
    client.close()


def test_an_action_names_its_version(socket_path: Path) -> None:
    service, client = (
        PreparedServer(socket_path, [http(201, OWED | {"version": 8})]),
        client_at(socket_path, "secret"),
    )

    after = client.act("m", 7, 1, msgspec.Raw(b'{"type":"toy.pass"}'))

    service.close()
    assert after is not None
    assert (after.version, after.seat) == (8, 1)
    assert "POST /api/matches/m/owed HTTP/1.1" in service.requests[0]
    assert service.requests[0].endswith('{"expectedVersion":7,"seat":1,"action":{"type":"toy.pass"}}')
    client.close()


@pytest.mark.parametrize("status", [404, 409])
def test_late_requests_do_not_fail(socket_path: Path, status: int) -> None:
    service, client = PreparedServer(socket_path, [http(status, {})] * 4), client_at(socket_path, "secret")

    assert client.read_duty("m") is None
    assert client.act("m", 7, 1, msgspec.Raw(b"{}")) is None
    assert not client.time_out("m", 7, 1)
    assert not client.pass_deadline("m", 7)
    service.close()
    client.close()


@pytest.mark.parametrize("status", [401, 422, 500])
def test_other_refusals_fail_the_job_with_the_reason(socket_path: Path, status: int) -> None:
    service, client = (
        PreparedServer(socket_path, [http(status, {"detail": "no"})]),
        client_at(socket_path, "secret"),
    )

    with pytest.raises(ServiceRefused, match=rf'{status}: {{"detail": "no"}}'):
        client.time_out("m", 7, 1)
    service.close()
    client.close()


def test_a_request_on_a_closed_connection_is_repeated(socket_path: Path) -> None:
    service, client = (
        PreparedServer(socket_path, [http(200, OWED), http(200, OWED)]),
        client_at(socket_path, "secret"),
    )

    first, second = client.read_duty("m"), client.read_duty("m")

    service.close()
    assert first == second
    client.close()


def test_an_interrupted_request_is_repeated_once(socket_path: Path) -> None:
    service, client = PreparedServer(socket_path, [b"", http(201, OWED)]), client_at(socket_path, "secret")

    after = client.act("m", 7, 1, msgspec.Raw(b"{}"))

    service.close()
    assert after is not None
    assert service.requests[0] == service.requests[1]
    client.close()


def test_a_silent_service_fails_the_job(socket_path: Path) -> None:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(socket_path))
    listener.listen()
    client = client_at(socket_path, "secret", timeout=0.05)

    with pytest.raises(TimeoutError):
        client.read_duty("m")
    listener.close()
    client.close()
