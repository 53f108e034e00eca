"""Which followers a process leads, where several processes share read models at a PostgreSQL server: each lane is led
by one of them at a time, and every process has as many as the others.

A lane is a slice of the lines, or a follower that is led as a whole. Who leads it holds a lock of the server for as
long as the connection lives; one that has gone loses it within seconds, however it went: killed, cut off, or standing
still. The lock keeps two from doing the same work; that nothing is written twice does not depend on it
(`projections.loop`).
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
from projections.platform.postgres import answered, connect

LANE: Final = 0x4553504C
"""The first number of the lock of a lane; the second follows from its name."""
PRESENT: Final = 0x45535046
"""The first number of the lock that every process shares: so many are there."""
LOOK_SECONDS: Final = 1.0
STANDSTILL: Final = "SET idle_session_timeout = '4s'"
"""A process that does not look any more stands still: it leads nothing."""
NUMBER_MAX: Final = 2**31

COUNT: Final = """SELECT COUNT(DISTINCT pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""


class Lanes:
    """The lanes this process leads; looked after once a second."""

    def __init__(self, url: str, lanes: Sequence[str], clock: Callable[[], float] = time.monotonic) -> None:
        self._url = url
        # Slices are much work and followers little: each process has its part of both.
        slices = [lane for lane in lanes if lane.startswith("slice ")]
        self._kinds = tuple(kind for kind in (slices, [lane for lane in lanes if lane not in slices]) if kind)
        self._clock = clock
        self._connection: psycopg.Connection[Any] | None = None
        self._held = set[str]()
        self._look_at = 0.0

    def hold(self) -> frozenset[str]:
        """Those it leads now. `DatabaseAway` where the server does not answer: then it leads none."""
        now = self._clock()
        if now >= self._look_at:
            self._look_at = now + LOOK_SECONDS
            self._look()
        return frozenset(self._held)

    def close(self) -> None:
        """Leaves all of them to the others."""
        self._held.clear()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _look(self) -> None:
        try:
            with answered(server_breaker(conninfo_to_dict(self._url))):
                connection = self._connected()
                count = self._one(connection, COUNT, PRESENT)
                for kind in self._kinds:
                    self._share(connection, kind, ceil(len(kind) / count))
        except BaseException:
            self.close()
            raise

    def _connected(self) -> psycopg.Connection[Any]:
        if self._connection is None:
            self._connection = connect(self._url)
            self._connection.execute(STANDSTILL)
            self._connection.execute("SELECT pg_advisory_lock_shared(%s, 0)", (PRESENT,))
        return self._connection

    def _share(self, connection: psycopg.Connection[Any], kind: Sequence[str], most: int) -> None:
        """Gives away what is too much, and takes what is free up to its part."""
        held = [lane for lane in kind if lane in self._held]
        for lane in held[most:]:
            self._one(connection, "SELECT pg_advisory_unlock(%s, %s)", LANE, number_of(lane))
            self._held.discard(lane)
        for lane in kind:
            if len(self._held.intersection(kind)) >= most:
                break
            if lane not in self._held and self._one(
                connection, "SELECT pg_try_advisory_lock(%s, %s)", LANE, number_of(lane)
            ):
                self._held.add(lane)

    @staticmethod
    def _one(connection: psycopg.Connection[Any], statement: str, *values: int) -> Any:
        row = connection.execute(statement.encode(), values).fetchone()
        assert row is not None
        return row[0]


def number_of(lane: str) -> int:
    """The same in every process, whatever other lanes it knows."""
    return crc32(lane.encode()) % NUMBER_MAX
