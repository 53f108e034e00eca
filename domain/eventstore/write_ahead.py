"""SQLite files with concurrent readers and a writer: the log and its companion databases."""

import sqlite3
from time import monotonic, sleep
from typing import Final

WAIT_SECONDS: Final = 10.0
POLL_SECONDS: Final = 0.01
PRIMARY: Final = 0xFF
"""Mask for the primary result code in an extended SQLite error code."""


def write_ahead(connection: sqlite3.Connection, seconds: float = WAIT_SECONDS) -> None:
    """Switch a file to write-ahead logging, so that readers do not block the writer.

    Raise `sqlite3.OperationalError` if the file stays locked for `seconds`, and at once for any other error. When two
    connections switch a new file at the same time, SQLite rejects one immediately to avoid a deadlock, so this retries.
    """
    deadline = monotonic() + seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & PRIMARY != sqlite3.SQLITE_BUSY or monotonic() > deadline:
                raise
            sleep(POLL_SECONDS)
        else:
            return
