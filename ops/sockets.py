"""Sockets that are bound before the process that answers at them has begun."""

import socket
from pathlib import Path
from typing import Final

from ops.embedded import checked_socket

BACKLOG: Final = 1_024


class AddressInUse(Exception):
    """Somebody listens there already, or the machine has no such address."""


def bound_socket(host: str, port: int) -> socket.socket:
    """The bound socket of an address; port 0 takes any that is free."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise AddressInUse(f"cannot listen on {host}:{port}: {error.strerror}") from error


def private_socket(path: Path) -> socket.socket:
    """The bound unix socket of the workers."""
    path.unlink(missing_ok=True)
    bound = socket.socket(socket.AF_UNIX)
    bound.bind(str(checked_socket(path)))
    path.chmod(0o600)
    bound.listen(BACKLOG)
    return bound


def url_of(bound: socket.socket, scheme: str = "http") -> str:
    host, port = bound.getsockname()[:2]
    return f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"
