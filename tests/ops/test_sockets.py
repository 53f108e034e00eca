"""The private socket: accessible only by its owner, and used by one process."""

import os
import socket
from pathlib import Path

import pytest

from ops.sockets import AddressInUse, private_socket


def test_the_socket_is_private_and_accepts_connections(socket_path: Path) -> None:
    mask = os.umask(0)
    try:
        with private_socket(socket_path), socket.socket(socket.AF_UNIX) as caller:
            assert socket_path.stat().st_mode & 0o777 == 0o600
            caller.connect(str(socket_path))
    finally:
        os.umask(mask)


def test_a_second_process_does_not_take_over_a_socket_in_use(socket_path: Path) -> None:
    with private_socket(socket_path), socket.socket(socket.AF_UNIX) as caller:
        with pytest.raises(AddressInUse, match="Address already in use"):
            private_socket(socket_path)

        caller.connect(str(socket_path))


def test_a_stale_socket_is_replaced(socket_path: Path) -> None:
    private_socket(socket_path).close()
    assert socket_path.is_socket()

    with private_socket(socket_path), socket.socket(socket.AF_UNIX) as caller:
        caller.connect(str(socket_path))


def test_a_file_at_the_path_is_kept(socket_path: Path) -> None:
    socket_path.write_text("notes")

    with pytest.raises(AddressInUse, match="a file or a folder of that name"):
        private_socket(socket_path)

    assert socket_path.read_text() == "notes"


def test_a_missing_folder_is_named(socket_path: Path) -> None:
    with pytest.raises(AddressInUse, match="No such file or directory"):
        private_socket(socket_path.parent / "none" / "a.sock")
