"""The database of people: one connection for all threads of a process, and what is kept of secrets."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from api.accounts.schema import migrate, write_transaction
from domain.matches.write_ahead import write_ahead


class Store:
    """The open database."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)
        path.chmod(0o600)
        write_ahead(self._database)
        self._database.execute("PRAGMA synchronous=NORMAL")
        try:
            migrate(self._database)
        except BaseException:
            self._database.close()
            raise
        self._database.execute("PRAGMA foreign_keys=ON")

    def close(self) -> None:
        self._database.close()

    def _row(self, sql: str, *values: str) -> Any:
        with self._lock:
            return self._database.execute(sql, values).fetchone()

    def _rows(self, sql: str, *values: str | int) -> list[Any]:
        with self._lock:
            return self._database.execute(sql, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Cursor]:
        with self._lock, closing(self._database.cursor()) as cursor, write_transaction(self._database):
            yield cursor


def digest(secret: str) -> str:
    """What the store keeps of a secret: enough to know it again, too little to use it."""
    return hashlib.sha256(secret.encode()).hexdigest()
