"""A service on a unix socket that gives prepared answers, for tests of those who ask it."""

import json
import socket
import threading
from pathlib import Path
from typing import Final

PATIENCE_SECONDS: Final = 180.0


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
