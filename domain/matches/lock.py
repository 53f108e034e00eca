"""Who writes to a data folder: one process, as long as it lives."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from domain.matches.errors import MatchError


class StoreBusy(MatchError):
    """Another process writes to that data folder."""


@contextmanager
def writer_lock(folder: Path) -> Iterator[None]:
    """Held by the one process that writes to a data folder with SQLite; freed by the system when it dies."""
    with (folder / "writer.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreBusy(f"another process writes to {folder}") from None
        yield
