"""The exclusive lock of the process that writes to a data folder."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from domain.matches.errors import MatchError


class StoreBusy(MatchError):
    """Another process writes to the data folder."""


OWNER_FILE_MODE: Final = 0o600
OWNER_FOLDER_MODE: Final = 0o700


def make_private(folder: Path) -> None:
    """Create a data folder for its owner only, or remove other users' rights from an existing one of ours."""
    folder.mkdir(parents=True, exist_ok=True, mode=OWNER_FOLDER_MODE)
    status = folder.stat()
    if status.st_uid == os.geteuid() and status.st_mode & 0o077:
        folder.chmod(status.st_mode & OWNER_FOLDER_MODE)


def open_lock(path: Path) -> IO[str]:
    """Open a lock file for its owner only, because any user who can read it can hold its lock; create it if missing."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_FILE_MODE)
    os.fchmod(descriptor, OWNER_FILE_MODE)
    return os.fdopen(descriptor, "w")


@contextmanager
def writer_lock(folder: Path) -> Iterator[None]:
    """Hold the data folder, created if missing, as its only writer; the system releases it when the process dies.

    Raise `StoreBusy` if another process holds it.
    """
    make_private(folder)
    with open_lock(folder / "writer.lock") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreBusy(f"another process is using {folder}") from None
        yield
