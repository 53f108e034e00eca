"""The HTTP client over a unix socket for workers, console commands and the supervisor."""

import socket
from pathlib import Path

import pytest

from ops.console import Finding
from ops.service_client import ServiceAddress, fetch, find_address, write_address
from tests.workers.serving import PreparedServer, http
from workers.unix_http import REQUEST_ERRORS, Response, UnixClient, is_listening

BROKEN_OFF = b"HTTP/1.1 200 X\r\nContent-Length: 10\r\n\r\nhalf"


def test_a_token_and_the_kind_of_the_body_go_with_a_request(socket_path: Path) -> None:
    service = PreparedServer(socket_path, [http(404, {"detail": "no"})])

    with UnixClient(socket_path, "secret", 60) as client:
        response = client.request("POST", "/api/logs", b"{}", "application/jsonl")

    service.close()
    assert response == Response(404, b'{"detail": "no"}')
    assert response.is_refusal
    assert "Authorization: Bearer secret" in service.requests[0]
    assert "Content-Type: application/jsonl" in service.requests[0]
    assert service.requests[0].endswith("\n{}")


def test_without_a_token_no_authorization_is_sent(socket_path: Path) -> None:
    service = PreparedServer(socket_path, [http(200, None)])

    with UnixClient(socket_path, "", 60) as client:
        assert not client.request("GET", "/api/health").is_refusal

    service.close()
    assert "Authorization" not in service.requests[0]


def test_after_a_truncated_response_the_next_request_reconnects(socket_path: Path) -> None:
    service = PreparedServer(socket_path, [BROKEN_OFF, http(200, 7)])

    with UnixClient(socket_path, "", 60) as client:
        with pytest.raises(REQUEST_ERRORS):
            client.request("GET", "/api/health")
        response = client.request("GET", "/api/health")

    service.close()
    assert response.body == b"7"


def test_unused_and_listening_sockets_are_distinguished(socket_path: Path) -> None:
    assert not is_listening(socket_path)

    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(socket_path))
        assert not is_listening(socket_path)
        listener.listen()
        assert is_listening(socket_path)


def test_the_socket_of_a_stopped_service_is_ignored(socket_path: Path, tmp_path: Path) -> None:
    write_address(tmp_path, ServiceAddress(str(socket_path), "secret"))
    assert find_address(tmp_path) is None

    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(socket_path))
        listener.listen()
        assert find_address(tmp_path) == ServiceAddress(str(socket_path), "secret")


@pytest.mark.parametrize(
    ("response", "sentence"),
    [
        (b"", "no response from the running service: Remote end closed connection"),
        (BROKEN_OFF, "no response from the running service: IncompleteRead"),
        (http(409, {"detail": "the name is taken"}), "the name is taken"),
        (b"HTTP/1.1 400 X\r\nContent-Length: 7\r\n\r\nInvalid", "the running service responded with 400: Invalid"),
    ],
)
def test_a_console_command_explains_failures_of_the_service(response: bytes, sentence: str, socket_path: Path) -> None:
    service = PreparedServer(socket_path, [response])

    with pytest.raises(Finding, match=f"^{sentence}"):
        fetch(ServiceAddress(str(socket_path), "secret"), "GET", "/api/roles")
    service.close()
