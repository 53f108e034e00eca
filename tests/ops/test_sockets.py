"""The private socket: accessible only by its owner, and used by one process. Addresses of metrics."""

import os
import socket
from pathlib import Path

import pytest

from ops.embedded_valkey import SocketPathTooLong
from ops.sockets import AddressInUse, metrics_addresses, private_socket


def test_the_socket_is_private_and_accepts_connections(socket_path: Path) -> None:
    mask = os.umask(0)
    try:
        with private_socket(socket_path), socket.socket(socket.AF_UNIX) as client:
            assert socket_path.stat().st_mode & 0o777 == 0o600
            client.connect(str(socket_path))
    finally:
        os.umask(mask)


def test_a_second_process_does_not_take_over_a_socket_in_use(socket_path: Path) -> None:
    with private_socket(socket_path), socket.socket(socket.AF_UNIX) as client:
        with pytest.raises(AddressInUse, match="Address already in use"):
            private_socket(socket_path)

        client.connect(str(socket_path))


def test_a_stale_socket_is_replaced(socket_path: Path) -> None:
    private_socket(socket_path).close()
    assert socket_path.is_socket()

    with private_socket(socket_path), socket.socket(socket.AF_UNIX) as client:
        client.connect(str(socket_path))


def test_a_file_at_the_path_is_kept(socket_path: Path) -> None:
    socket_path.write_text("notes")

    with pytest.raises(AddressInUse, match=": a file or folder with this name exists"):
        private_socket(socket_path)

    assert socket_path.read_text() == "notes"


def test_a_missing_folder_is_named(socket_path: Path) -> None:
    with pytest.raises(AddressInUse, match="No such file or directory"):
        private_socket(socket_path.parent / "none" / "a.sock")


def test_metrics_have_ports_in_a_row_or_sockets_next_to_the_given_path() -> None:
    names = ("service", "worker-1")

    assert metrics_addresses("[::1]:9100", Path("/private"), names) == {
        "service": "[::1]:9100",
        "worker-1": "[::1]:9101",
    }
    assert metrics_addresses("unix:///run/metrics", Path("/private"), names) == {
        "service": "unix:///run/metrics.service",
        "worker-1": "unix:///run/metrics.worker-1",
    }
    assert metrics_addresses("", Path("/private"), names)["service"] == "unix:///private/service.metrics"
    with pytest.raises(SocketPathTooLong):
        metrics_addresses("unix:///" + "x" * 100, Path("/private"), names)
