"""HTTP over a unix socket: how workers, console commands and the supervisor reach the service on its private door.

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
from projections.platform.telemetry.spans import CLIENT, METHOD, STATUS, TRACEPARENT, piece

NO_ANSWER: Final = (OSError, HTTPException)
"""What a request raises when the service is away, keeps silent or breaks off."""


class Answer(msgspec.Struct, frozen=True):
    """What the service answered, whatever it means."""

    status: int
    body: bytes

    @property
    def is_refusal(self) -> bool:
        return self.status >= 300


class UnixConnection(HTTPConnection):
    """A connection of the standard library over a unix socket, made again when it was closed."""

    def __init__(self, path: Path | str, seconds_max: float) -> None:
        super().__init__("service", timeout=seconds_max)
        self._path = str(path)

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class KeptClient:
    """Requests over one kept connection, with a token or without; not for several threads."""

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
        more: Mapping[str, str] = MappingProxyType({}),
    ) -> Answer:
        """One request and its whole answer; one of `NO_ANSWER` when there is none."""
        headers = {**self._headers, "Content-Type": content_type, **more}
        if request := CURRENT.get():
            headers[HEADER] = request
        with piece("ask the service", {METHOD: method}, CLIENT) as span:
            if span is not None:
                headers[TRACEPARENT] = span.traceparent
            answer = self._answer(method, path, body, headers)
            if span is not None:
                span.say(STATUS, answer.status)
            return answer

    def _answer(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        try:
            self._connection.request(method, path, body, headers)
            response = self._connection.getresponse()
            return Answer(response.status, response.read())
        except BaseException:
            # Also when the alarm of a job interrupts it: the next request must not read half an answer.
            self._connection.close()
            raise

    def close(self) -> None:
        self._connection.close()


class UnixClient(KeptClient):
    """The same over a unix socket."""

    def __init__(self, path: Path | str, token: str, seconds_max: float) -> None:
        super().__init__(UnixConnection(path, seconds_max), token)


def is_listening(path: Path | str) -> bool:
    """Whether somebody takes connections there."""
    connection = UnixConnection(path, 1.0)
    try:
        connection.connect()
    except OSError:
        return False
    finally:
        connection.close()
    return True
