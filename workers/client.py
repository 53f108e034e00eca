"""What workers ask of the service: three requests over its private socket, with the service token."""

import socket
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec

from domain.kernel.values import Value

ANSWER_SECONDS_MAX: Final = 1.5
"""Shorter than a job may take, so that a silent service fails the job with a clear reason."""
TOO_LATE: Final = frozenset({404, 409})
"""Somebody was faster, or the match is over or gone: nothing is owed any more."""


class ServiceRefused(Exception):
    """The service refused what it should have accepted; the answer says why."""


class Owed(Value, frozen=True):
    """The next decision the service itself owes in a match; without a seat, none."""

    match_id: str
    title: str
    version: int
    head: str
    seat: int | None
    by: str | None = None
    actions: tuple[msgspec.Raw, ...] = ()
    view: msgspec.Raw = msgspec.Raw(b"null")
    seed: str | None = None


class Service(Protocol):
    """The service as jobs know it."""

    def owed(self, match_id: str) -> Owed | None:
        """What the service owes in this match; `None` when there is no such match."""
        ...

    def act(self, match_id: str, version: int, seat: int, action: msgspec.Raw) -> bool:
        """Takes the action as the service; whether it was taken by this request."""
        ...

    def time_out(self, match_id: str, version: int, seat: int) -> bool:
        """Says that the seat's clock ran out; whether this request was the one that counted."""
        ...


class UnixConnection(HTTPConnection):
    """HTTP over a unix socket."""

    def __init__(self, path: Path, timeout: float) -> None:
        super().__init__("service", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


class ServiceClient:
    """The service over one kept connection; not for several threads."""

    def __init__(self, path: Path, token: str, timeout: float = ANSWER_SECONDS_MAX) -> None:
        self._connection = UnixConnection(path, timeout)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def owed(self, match_id: str) -> Owed | None:
        status, body = self._ask("GET", f"/api/matches/{match_id}/owed")
        return msgspec.json.decode(body, type=Owed) if self._is_fine(status, body) else None

    def act(self, match_id: str, version: int, seat: int, action: msgspec.Raw) -> bool:
        wanted = {"expectedVersion": version, "seat": seat, "action": action}
        return self._is_fine(*self._ask("POST", f"/api/matches/{match_id}/actions", wanted))

    def time_out(self, match_id: str, version: int, seat: int) -> bool:
        wanted = {"expectedVersion": version, "seat": seat}
        return self._is_fine(*self._ask("POST", f"/api/matches/{match_id}/time-outs", wanted))

    def close(self) -> None:
        self._connection.close()

    @staticmethod
    def _is_fine(status: int, body: bytes) -> bool:
        if status in TOO_LATE:
            return False
        if status >= 300:
            raise ServiceRefused(f"the service answered {status}: {body.decode(errors='replace')}")
        return True

    def _ask(self, method: str, path: str, wanted: Any = None) -> tuple[int, bytes]:
        """One request. A kept connection may have been closed meanwhile, so a failed one is asked a second time:
        every request is safe to repeat, because it names the version it is meant for."""
        body = None if wanted is None else msgspec.json.encode(wanted)
        try:
            return self._ask_once(method, path, body)
        except (HTTPException, ConnectionError):
            return self._ask_once(method, path, body)

    def _ask_once(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
        try:
            self._connection.request(method, path, body, self._headers)
            answer = self._connection.getresponse()
            return answer.status, answer.read()
        except BaseException:
            # Also when the job's alarm interrupts it: half an answer must not be read by the next request.
            self._connection.close()
            raise
