"""A persistent HTTP connection to a log or a witness, with limits on bytes and time, and without redirects."""

from __future__ import annotations

import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final, NamedTuple
from urllib.parse import urlsplit

CONNECT_SECONDS: Final = 10.0


class ReceivedResponse(NamedTuple):
    """An HTTP response; `body` has at most one byte more than the limit."""

    status: int
    body: bytes
    location: str | None


class PersistentConnection:
    """A connection that is opened when needed. One thread uses it; others may `interrupt`.

    `seconds` limits each whole response, however slowly its bytes arrive.
    """

    def __init__(self, url: str, seconds: float) -> None:
        self._address, self._seconds = urlsplit(url), seconds
        self._connection: HTTPConnection | None = None
        self._socket: socket.socket | None = None
        self._is_interrupted = False

    def send(
        self, method: str, path: str, limit: int, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> ReceivedResponse:
        """Send a request and return the response; repeat it over a new connection if the old one was closed.

        Raise `OSError` or `HTTPException` otherwise, `TimeoutError` if the response is too slow.
        """
        was_open = self._connection is not None
        try:
            return self._send_once(method, path, limit, body, headers or {})
        except (OSError, HTTPException) as fault:
            if not was_open or self._is_interrupted or isinstance(fault, TimeoutError):
                raise
        return self._send_once(method, path, limit, body, headers or {})

    def _send_once(
        self, method: str, path: str, limit: int, body: bytes | None, headers: Mapping[str, str]
    ) -> ReceivedResponse:
        if self._connection is None:
            self._connection = self._connect()
        is_late = threading.Event()
        timer = threading.Timer(self._seconds, self._stop, [is_late])
        timer.daemon = True
        timer.start()
        try:
            self._connection.request(method, path, body, headers)
            response = self._connection.getresponse()
            content = response.read(limit + 1)
        except (OSError, HTTPException) as fault:
            self.close()
            if not is_late.is_set():
                raise
            raise self._too_slow() from fault
        finally:
            timer.cancel()
        # A cut response without a stated length looks complete.
        if response.will_close or not response.isclosed() or is_late.is_set():
            self.close()
        if is_late.is_set():
            raise self._too_slow()
        return ReceivedResponse(response.status, content, response.getheader("Location"))

    def _stop(self, is_late: threading.Event) -> None:
        """Cut a response: the timeout of a socket begins again with every byte."""
        is_late.set()
        self._cut()

    def _too_slow(self) -> TimeoutError:
        return TimeoutError(f"no complete response within {self._seconds:.0f} seconds")

    def _connect(self) -> HTTPConnection:
        kind = HTTPSConnection if self._address.scheme == "https" else HTTPConnection
        assert self._address.hostname is not None
        seconds = min(CONNECT_SECONDS, self._seconds)
        connection = kind(self._address.hostname, self._address.port, timeout=seconds)
        connection.connect()
        # Header and body are two packets; Nagle's algorithm would delay the second by forty milliseconds.
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # `HTTPConnection` forgets the socket of a response after which the server closes, before its body is read.
        self._socket = connection.sock
        return connection

    def interrupt(self) -> None:
        """Abort a pending request, which is not repeated; safe to call from another thread."""
        self._is_interrupted = True
        self._cut()

    def _cut(self) -> None:
        if (held := self._socket) is not None:
            with suppress(OSError):
                held.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
        self._connection = self._socket = None
