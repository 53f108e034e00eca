"""HTTP client over a unix socket, for workers, console commands and the supervisor on the service's private socket.

Built on `http.client`: a more convenient library costs a bot a fourth of its turn
(`ops/decisions/0016-http-over-a-socket-without-a-library.md`).
"""

import socket
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import MappingProxyType
from typing import Final, Self

import msgspec

from projections.platform.telemetry.requests import CURRENT, HEADER
from projections.platform.telemetry.spans import CLIENT, METHOD, STATUS, TRACEPARENT, child_span

REQUEST_ERRORS: Final = (OSError, HTTPException)
"""Errors of a request if the service is unavailable, silent or disconnects."""


class Response(msgspec.Struct, frozen=True):
    """A response with any status."""

    status: int
    body: bytes

    @property
    def is_refusal(self) -> bool:
        """Return whether the status is 300 or higher."""
        return self.status >= 300


class UnixConnection(HTTPConnection):
    """A connection of the standard library over a unix socket that reconnects after it was closed."""

    def __init__(self, path: Path | str, seconds_max: float) -> None:
        super().__init__("service", timeout=seconds_max)
        self._path = str(path)

    def connect(self) -> None:
        """Connect to the socket; raise `OSError` if no process listens."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class PersistentClient:
    """A client with one persistent connection and an optional token; not thread-safe."""

    def __init__(self, connection: HTTPConnection, token: str) -> None:
        self._connection = connection
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def request(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        content_type: str = "application/json",
        extra_headers: Mapping[str, str] = MappingProxyType({}),
    ) -> Response:
        """Send a request and return the whole response; raise one of `REQUEST_ERRORS` without one.

        It carries the id of the current request and its trace; the connection is reused.
        """
        headers = {**self._headers, "Content-Type": content_type, **extra_headers}
        if request := CURRENT.get():
            headers[HEADER] = request
        with child_span("ask the service", {METHOD: method}, CLIENT) as span:
            if span is not None:
                headers[TRACEPARENT] = span.traceparent
            response = self._send(method, path, body, headers)
            if span is not None:
                span.set_attribute(STATUS, response.status)
            return response

    def _send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Response:
        """Send a request and read the response; close the connection after any error."""
        try:
            self._connection.request(method, path, body, headers)
            response = self._connection.getresponse()
            return Response(response.status, response.read())
        except BaseException:
            # A job's timeout may interrupt the request; the next one must not read the rest of this response.
            self._connection.close()
            raise

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


class UnixClient(PersistentClient):
    """The same over a unix socket."""

    def __init__(self, path: Path | str, token: str, seconds_max: float) -> None:
        super().__init__(UnixConnection(path, seconds_max), token)


def is_listening(path: Path | str) -> bool:
    """Return whether a process accepts connections on the socket within a second."""
    connection = UnixConnection(path, 1.0)
    try:
        connection.connect()
    except OSError:
        return False
    finally:
        connection.close()
    return True
