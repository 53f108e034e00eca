"""Sockets that are bound before the process that answers at them has begun."""

import errno
import os
import socket
from pathlib import Path
from typing import Final

from ops.embedded import checked_socket

BACKLOG: Final = 1_024
OWNER_ALONE: Final = 0o600
CALL_SECONDS: Final = 1.0
"""So long one waits to hear whether somebody listens at a private socket."""


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
    """The bound unix socket of the workers, for its owner alone from its first moment on."""
    forget_socket(checked_socket(path))
    bound = socket.socket(socket.AF_UNIX)
    try:
        # Linux gives the file the mode of the socket; elsewhere nobody can connect before it listens.
        os.fchmod(bound.fileno(), OWNER_ALONE)
        bound.bind(str(path))
        path.chmod(OWNER_ALONE)
        bound.listen(BACKLOG)
    except OSError as error:
        bound.close()
        raise AddressInUse(f"cannot listen on {path}: {error.strerror}") from error
    return bound


def forget_socket(path: Path) -> None:
    """Removes a socket that a process which has ended left behind. `AddressInUse` where somebody listens, or where
    something else has that name."""
    if not path.exists():
        path.unlink(missing_ok=True)
        return
    if not path.is_socket():
        raise AddressInUse(f"cannot listen on {path}: there is a file or a folder of that name")
    with socket.socket(socket.AF_UNIX) as caller:
        caller.settimeout(CALL_SECONDS)
        try:
            caller.connect(str(path))
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise AddressInUse(f"cannot listen on {path}: {error.strerror or error}") from error
        else:
            raise AddressInUse(f"cannot listen on {path}: {os.strerror(errno.EADDRINUSE)}")


def url_of(bound: socket.socket, scheme: str = "http") -> str:
    host, port = bound.getsockname()[:2]
    return f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"
