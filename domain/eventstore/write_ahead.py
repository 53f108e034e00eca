"""SQLite files that are read and written by several at once: the log, and what is kept beside it."""

import sqlite3
from time import monotonic, sleep
from typing import Final

WAIT_SECONDS: Final = 10.0
LOOK_SECONDS: Final = 0.01
PRIMARY: Final = 0xFF
"""The part of an error code of SQLite that says what it is; the rest says which kind of that."""


def write_ahead(connection: sqlite3.Connection, seconds: float = WAIT_SECONDS) -> None:
    """Readers and a writer beside each other from now on.

    `sqlite3.OperationalError` when others keep the file locked, and at once where anything else is wrong with it.

    Of two connections that bring a new file to this at once SQLite refuses one without making it wait, because each
    waits for the other; so it is asked again.
    """
    until = monotonic() + seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & PRIMARY != sqlite3.SQLITE_BUSY or monotonic() > until:
                raise
            sleep(LOOK_SECONDS)
        else:
            return
