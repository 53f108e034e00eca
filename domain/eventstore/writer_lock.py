"""Who writes to a data folder: one process, as long as it lives."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from domain.matches.errors import MatchError


class StoreBusy(MatchError):
    """Another process writes to that data folder."""


OWNER_ALONE: Final = 0o600
FOLDER_OF_OWNER: Final = 0o700


def make_private(folder: Path) -> None:
    """Make a data folder for its owner alone; remove the rights of other users from an existing one of ours."""
    folder.mkdir(parents=True, exist_ok=True, mode=FOLDER_OF_OWNER)
    known = folder.stat()
    if known.st_uid == os.geteuid() and known.st_mode & 0o077:
        folder.chmod(known.st_mode & FOLDER_OF_OWNER)


def open_lock(path: Path) -> IO[str]:
    """Open a file to be locked, for its owner alone: every user who can read it can hold its lock."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_ALONE)
    os.fchmod(descriptor, OWNER_ALONE)
    return os.fdopen(descriptor, "w")


@contextmanager
def writer_lock(folder: Path) -> Iterator[None]:
    """Hold the data folder as the one process that writes to it with SQLite; the system frees it when the process dies.

    `StoreBusy` where another process holds it.
    """
    make_private(folder)
    with open_lock(folder / "writer.lock") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreBusy(f"another process writes to {folder}") from None
        yield
