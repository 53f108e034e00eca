"""Connections to logs and witnesses end when they are interrupted."""

from __future__ import annotations

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException

import pytest

from api.transparency.http_client import PersistentConnection

RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def test_an_interrupted_request_is_not_repeated_over_a_new_connection() -> None:
    """The server responds once, then accepts everything and stays silent."""
    accepted, is_asked_again = list[socket.socket](), threading.Event()

    def serve(server: socket.socket) -> None:
        while True:
            try:
                accepted.append(server.accept()[0])
            except OSError:
                return
            if len(accepted) == 1:
                accepted[0].recv(1_000)
                accepted[0].sendall(RESPONSE)
                accepted[0].recv(1_000)
                is_asked_again.set()

    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(2) as pool:
        pool.submit(serve, server)
        connection = PersistentConnection(f"http://127.0.0.1:{server.getsockname()[1]}", 5)
        assert connection.send("GET", "/", 100).body == b"ok"
        second = pool.submit(connection.send, "GET", "/", 100)
        assert is_asked_again.wait(5)
        connection.interrupt()
        with pytest.raises((OSError, HTTPException)) as fault:
            second.result(10)
        server.shutdown(socket.SHUT_RDWR)

    assert not isinstance(fault.value, TimeoutError)
    assert len(accepted) == 1
    for each in accepted:
        each.close()
