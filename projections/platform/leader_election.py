"""Leader election among processes that share read models in PostgreSQL, with equal numbers of leaderships.

A leadership covers a shard of the log or an unsharded projection; metrics and runbook call it a lane. Its leader holds
an advisory lock, which ends with the connection: seconds after the process was killed, disconnected or stopped. The
lock avoids duplicate work; correctness does not depend on it (`projections.loop`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import ceil
from typing import Any, Final
from zlib import crc32

import psycopg
from psycopg.conninfo import conninfo_to_dict

from domain.eventstore.postgres_connection import server_breaker
from projections.platform.postgres import connect, translate_errors

LEADER_LOCK: Final = 0x4553504C
"""The first number of a leadership's lock; the second is derived from its name."""
PRESENCE_LOCK: Final = 0x45535046
"""The first number of the lock that all processes share, by which they are counted."""
POLL_SECONDS: Final = 1.0
SET_IDLE_TIMEOUT: Final = "SET idle_session_timeout = '4s'"
"""A process that stops polling loses its leaderships."""
NUMBER_MAX: Final = 2**31

COUNT: Final = """SELECT COUNT(DISTINCT pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""


class LeaderElection:
    """The leaderships that this process holds, updated every second."""

    def __init__(self, url: str, leaderships: Sequence[str], clock: Callable[[], float] = time.monotonic) -> None:
        self._url = url
        # Shards are more work than other projections, so both kinds are divided separately.
        slices = [leadership for leadership in leaderships if leadership.startswith("slice ")]
        self._kinds = tuple(
            kind for kind in (slices, [leadership for leadership in leaderships if leadership not in slices]) if kind
        )
        self._clock = clock
        self._connection: psycopg.Connection[Any] | None = None
        self._held = set[str]()
        self._check_at = 0.0

    def update_leaderships(self) -> frozenset[str]:
        """Return the leaderships held now, updated every `POLL_SECONDS` at most.

        Raise `DatabaseUnavailable` and lead none if the server is unreachable.
        """
        now = self._clock()
        if now >= self._check_at:
            self._check_at = now + POLL_SECONDS
            self._update()
        return frozenset(self._held)

    def close(self) -> None:
        """Release all leaderships by closing the connection; the next update connects again."""
        self._held.clear()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _update(self) -> None:
        """Take the fair share of the leaderships of each kind; after any error, release all and raise it."""
        try:
            with translate_errors(server_breaker(conninfo_to_dict(self._url))):
                connection = self._connect()
                count = self._fetch_value(connection, COUNT, PRESENCE_LOCK)
                for kind in self._kinds:
                    self._balance(connection, kind, ceil(len(kind) / count))
        except BaseException:
            self.close()
            raise

    def _connect(self) -> psycopg.Connection[Any]:
        """Return the connection; a new one is counted as present at the server."""
        if self._connection is None:
            self._connection = connect(self._url)
            self._connection.execute(SET_IDLE_TIMEOUT)
            self._connection.execute("SELECT pg_advisory_lock_shared(%s, 0)", (PRESENCE_LOCK,))
        return self._connection

    def _balance(self, connection: psycopg.Connection[Any], kind: Sequence[str], count_max: int) -> None:
        """Release surplus leaderships and acquire free ones up to the fair share."""
        held = [leadership for leadership in kind if leadership in self._held]
        for leadership in held[count_max:]:
            self._fetch_value(connection, "SELECT pg_advisory_unlock(%s, %s)", LEADER_LOCK, lock_number(leadership))
            self._held.discard(leadership)
        for leadership in kind:
            if len(self._held.intersection(kind)) >= count_max:
                break
            if leadership not in self._held and self._fetch_value(
                connection, "SELECT pg_try_advisory_lock(%s, %s)", LEADER_LOCK, lock_number(leadership)
            ):
                self._held.add(leadership)

    @staticmethod
    def _fetch_value(connection: psycopg.Connection[Any], statement: str, *values: int) -> Any:
        row = connection.execute(statement.encode(), values).fetchone()
        assert row is not None
        return row[0]


def lock_number(leadership: str) -> int:
    """Return the same number for a leadership in every process."""
    return crc32(leadership.encode()) % NUMBER_MAX
