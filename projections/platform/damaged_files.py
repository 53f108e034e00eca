"""Detection of unreadable read model files at the start; they are set aside and rebuilt from the log."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from projections.platform.setting_values import POSTGRES, SQLITE

EXAMINED_BYTES_MAX: Final = 64 * 1024 * 1024
"""Largest file that is checked page by page.

Of a larger one, which would delay the start, only the catalogue and offsets are read.
"""
UNREADABLE_SUFFIX: Final = ("", "-wal", "-shm")
"""Suffixes of SQLite's companion files, which are moved along."""


def set_aside_unreadable(url: str) -> Path | None:
    """Rename an unreadable file of read models, with its journal, to `NAME.unreadable-N` and return its new path.

    None for a server, a missing or a readable file. Only for a process with exclusive access.
    """
    path = Path(url.removeprefix(SQLITE))
    if url.startswith(POSTGRES) or not path.exists() or is_readable(path):
        return None
    number = 1
    while (target := path.with_name(f"{path.name}.unreadable-{number}")).exists():
        number += 1
    for suffix in UNREADABLE_SUFFIX:
        if (source := path.with_name(path.name + suffix)).exists():
            source.rename(target.with_name(target.name + suffix))
    return target


def is_readable(path: Path, bytes_max: int = EXAMINED_BYTES_MAX) -> bool:
    """Return whether SQLite finds no damage; a locked or forbidden file is not damaged.

    Files above `bytes_max` are not checked as a whole, only their schema and offsets.
    """
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
