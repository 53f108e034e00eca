"""The service's private door: where console commands find the running service, and how they speak to it."""

import http.client
import socket
from pathlib import Path
from typing import Final

import msgspec

from ops.console import Finding

FILE: Final = "service.json"
SECONDS_MAX: Final = 120.0


class Door(msgspec.Struct, frozen=True):
    """The private socket and its token, as the service that holds the data folder wrote them down."""

    socket: str
    token: str


class Refusal(msgspec.Struct):
    """What matters of a problem document."""

    detail: str = "no reason given"


def write_door(data: Path, door: Door) -> None:
    """For the service's owner alone: whoever reads it may act for the house."""
    path = data / FILE
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_bytes(msgspec.json.encode(door))


def remove_door(data: Path) -> None:
    (data / FILE).unlink(missing_ok=True)


def find_door(data: Path) -> Door | None:
    """The door of the service running on this data folder, if one is and answers."""
    try:
        door = msgspec.json.decode((data / FILE).read_bytes(), type=Door)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            probe.connect(door.socket)
    except (OSError, msgspec.MsgspecError):
        return None
    return door


def ask(door: Door, method: str, path: str, body: bytes | None = None, content_type: str = "application/json") -> bytes:
    """The answer's body; `Finding` with the service's own sentence when it refuses."""
    connection = http.client.HTTPConnection("service", timeout=SECONDS_MAX)
    connection.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.sock.settimeout(SECONDS_MAX)
        connection.sock.connect(door.socket)
        headers = {"Authorization": f"Bearer {door.token}", "Content-Type": content_type}
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        answer = response.read()
    except OSError as error:
        raise Finding(f"the running service does not answer: {error}") from error
    finally:
        connection.close()
    if response.status >= 300:
        raise Finding(msgspec.json.decode(answer, type=Refusal).detail)
    return answer
