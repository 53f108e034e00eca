"""Sockets that are bound before the process that serves them starts."""

import errno
import os
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ops.embedded_valkey import checked_socket
from projections.platform.setting_values import UNIX, split_listener

BACKLOG: Final = 1_024
OWNER_ONLY: Final = 0o600
CALL_SECONDS: Final = 1.0
"""Timeout for detecting a listener on a private socket."""


class AddressInUse(Exception):
    """The error of an address that is in use or does not exist."""


def bound_socket(host: str, port: int) -> socket.socket:
    """Return a bound and listening socket; port 0 takes a free one. Raise `AddressInUse` if it cannot listen."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise AddressInUse(f"cannot listen on {host}:{port}: {error.strerror}") from error


def private_socket(path: Path) -> socket.socket:
    """Return a bound unix socket for workers, accessible only by its owner from the start; replace a stale one.

    Raises `AddressInUse` if a process listens there or it cannot be bound, `SocketPathTooLong` for a long path.
    """
    remove_stale_socket(checked_socket(path))
    listener = socket.socket(socket.AF_UNIX)
    try:
        # Linux applies the mode of the socket to the file; elsewhere no one can connect before it listens.
        os.fchmod(listener.fileno(), OWNER_ONLY)
        listener.bind(str(path))
        path.chmod(OWNER_ONLY)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise AddressInUse(f"cannot listen on {path}: {error.strerror}") from error
    return listener


def remove_stale_socket(path: Path) -> None:
    """Remove a stale socket; raise `AddressInUse` if a process listens on it, or the path is no socket."""
    if not path.exists():
        path.unlink(missing_ok=True)
        return
    if not path.is_socket():
        raise AddressInUse(f"cannot listen on {path}: a file or folder with this name exists")
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


def url_of(listener: socket.socket, scheme: str = "http") -> str:
    """Return the URL of a bound socket by its numeric address, ending in a slash."""
    host, port = listener.getsockname()[:2]
    return f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"


def metrics_addresses(first: str, folder: Path, names: Sequence[str]) -> dict[str, str]:
    """Return the metrics address by process: ports or unix sockets as in `first`, or private sockets in `folder`.

    A port is the first of several. The name of the process is appended to a path; raise `SocketPathTooLong` if that
    makes it too long.
    """
    if not first:
        return {name: f"{UNIX}{folder / name}.metrics" for name in names}
    listener = split_listener(first)
    if isinstance(listener, Path):
        return {name: f"{UNIX}{checked_socket(Path(f'{listener}.{name}'))}" for name in names}
    host = f"[{listener[0]}]" if ":" in listener[0] else listener[0]
    return {name: f"{host}:{listener[1] + number}" for number, name in enumerate(names)}
