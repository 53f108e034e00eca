"""Read models whose file cannot be read are set aside when the service starts: they are made again from the log."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from projections.platform.setting_values import POSTGRES, SQLITE

EXAMINED_BYTES_MAX: Final = 64 * 1024 * 1024
"""A file up to this size is examined page by page; of a larger one, which would hold up the start, only what leads to
the rest."""
BESIDE: Final = ("", "-wal", "-shm")
"""What SQLite keeps beside a file goes with it."""


def set_aside_unreadable(url: str) -> Path | None:
    """Where the file of the read models was moved to, if it was no database or a damaged one. For a process that is the
    only one to use it."""
    path = Path(url.removeprefix(SQLITE))
    if url.startswith(POSTGRES) or not path.exists() or is_readable(path):
        return None
    number = 1
    while (aside := path.with_name(f"{path.name}.unreadable-{number}")).exists():
        number += 1
    for end in BESIDE:
        if (part := path.with_name(path.name + end)).exists():
            part.rename(aside.with_name(aside.name + end))
    return aside


def is_readable(path: Path, bytes_max: int = EXAMINED_BYTES_MAX) -> bool:
    """Whether SQLite finds nothing wrong with the file; one that is only locked or forbidden is not damaged."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            if path.stat().st_size <= bytes_max:
                return bool(database.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
            names = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
            if ("positions",) in names:
                database.execute("SELECT * FROM positions").fetchall()
    except sqlite3.OperationalError:
        return True
    except sqlite3.DatabaseError:
        return False
    return True
