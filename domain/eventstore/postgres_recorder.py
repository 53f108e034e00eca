"""Matches in PostgreSQL, for several writing processes; loaded lazily, because the driver is slow to import."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from inspect import unwrap
from threading import local
from time import monotonic, sleep
from typing import Any, Final, ParamSpec, TypeVar
from urllib.parse import parse_qsl
from uuid import UUID

import psycopg
from eventsourcing.persistence import (
    ApplicationRecorder,
    IntegrityError,
    Notification,
    OperationalError,
    StoredEvent,
)
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresFactory
from eventsourcing.utils import Environment, EnvType
from psycopg import Connection, Cursor
from psycopg.rows import DictRow
from psycopg.sql import SQL, Identifier

from domain.eventstore.circuit_breaker import CONNECT_SECONDS, LOCK_MILLISECONDS, RESPONSE_TIMEOUT
from domain.eventstore.partitions import PARTITIONS, LogTable, RepartitionedTable
from domain.eventstore.postgres_connection import CONNECT_TIMEOUTS, BoundedConnection, server_breaker
from domain.eventstore.recorders import Ends, StreamSummary
from domain.eventstore.retry import OutcomeUnknown, ResponseTimeout, StoreUnavailable

P = ParamSpec("P")
R = TypeVar("R")

TABLES_LOCK: Final = 0x45_53_50_4F
"""Our advisory lock in PostgreSQL: "ESPO"."""
RETRY_SECONDS: Final = 0.8
"""Seconds of retries when the server is gone. After its restart, old pooled connections fail at once, one by one."""
RECONNECT_SECONDS: Final = 1.0
"""Seconds of reconnection attempts by the pool before it waits for the next caller."""
POLL_SECONDS: Final = 0.02
BYTES_A_SECOND: Final = 5_000_000
"""Assumed minimum write rate of a server."""


def retry_briefly(method: Callable[P, R]) -> Callable[P, R]:
    """Replace the library's ten retries, each with a connection timeout, by retries for `RETRY_SECONDS`.

    Only `StoreUnavailable` is retried; a `ResponseTimeout` is raised at once.
    """
    once: Callable[P, R] = unwrap(method)

    @wraps(once)
    def answer(*args: P.args, **kwargs: P.kwargs) -> R:
        recorder = args[0]
        assert isinstance(recorder, FailFastPostgresRecorder)
        deadline = monotonic() + RETRY_SECONDS
        while True:
            try:
                with recorder.guard_request():
                    return once(*args, **kwargs)
            except ResponseTimeout:
                raise
            except StoreUnavailable:
                if monotonic() > deadline:
                    raise
                sleep(POLL_SECONDS)

    return answer


@contextmanager
def detect_unknown_outcome(is_sent: Callable[[], bool]) -> Iterator[None]:
    """Raise `OutcomeUnknown` instead of `StoreUnavailable` if the connection fails after everything was sent."""
    try:
        yield
    except StoreUnavailable as fault:
        if is_sent():
            raise OutcomeUnknown("the database did not confirm the commit") from fault
        raise


@contextmanager
def extend_response_timeout(events: Sequence[StoredEvent]) -> Iterator[None]:
    """Extend the response timeout, if there is one, during the block, in proportion to the bytes to store."""
    response_timeout = RESPONSE_TIMEOUT.get()
    if response_timeout is None:
        yield
        return
    token = RESPONSE_TIMEOUT.set(response_timeout + sum(len(event.state) for event in events) / BYTES_A_SECOND)
    try:
        yield
    finally:
        RESPONSE_TIMEOUT.reset(token)


SELECT_STREAMS: Final = SQL(
    "SELECT originator_id, first, count, topic FROM (SELECT MIN(notification_id) AS first, COUNT(*) AS count"
    " FROM {table} WHERE notification_id <= %s GROUP BY originator_id) AS streams"
    " JOIN {table} ON notification_id = first ORDER BY first"
)
SELECT_STREAM: Final = SQL(
    "SELECT notification_id, originator_version, topic, state FROM {table}"
    " WHERE originator_id = %s AND notification_id <= %s ORDER BY originator_version"
)


class FailFastPostgresRecorder(PostgresApplicationRecorder):
    """The library's recorder with a short timeout for a missing server.

    It stores nothing if a stream that a command only read has grown since (`domain/eventstore/recorders.py`).
    """

    is_shared: Final = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._local = local()
        pool_kwargs = self.datastore.pool.kwargs
        assert isinstance(pool_kwargs, dict)
        self._breaker = server_breaker(pool_kwargs)
        # The index is created with the table, because a partitioned table cannot have the library's unique one.
        statements = [
            each for each in self.sql_create_statements if not each.as_string().startswith("CREATE UNIQUE INDEX")
        ]
        self.sql_create_statements = statements
        self.lock_table_statements[0] = SQL("SET LOCAL lock_timeout = '{0}ms'").format(LOCK_MILLISECONDS)
        # Lock only the parent: no one appends to a partition directly, and a lock on each would cost as much again.
        self.lock_table_statements[-1] = SQL("LOCK TABLE ONLY {}.{} IN EXCLUSIVE MODE").format(
            Identifier(self.datastore.schema), Identifier(self.events_table_name)
        )
        self._select_grown = SQL(
            "SELECT 1 FROM unnest(%s::uuid[], %s::bigint[]) AS known (stream, version) WHERE EXISTS (SELECT 1"
            " FROM {}.{} WHERE originator_id = known.stream AND originator_version > known.version) LIMIT 1"
        ).format(Identifier(self.datastore.schema), Identifier(self.events_table_name))

    def create_tables(self, partitions: int) -> None:
        """Create missing tables, and a missing log with this many partitions; an existing log keeps its own."""
        with self.datastore.transaction(commit=True) as cursor:
            table = self._table(cursor)
            if not table.exists:
                table.create(partitions)
        self.create_table()

    def repartition(self, partitions: int) -> RepartitionedTable:
        """Repartition the log in one transaction, which blocks readers and writers."""
        with self.datastore.transaction(commit=True) as cursor:
            return self._table(cursor).repartition(partitions)

    def partitions(self) -> int:
        """Return the number of partitions of the log."""
        with self.datastore.transaction() as cursor:
            return len(self._table(cursor).partition_names()) or 1

    def _table(self, cursor: Cursor[DictRow]) -> LogTable:
        return LogTable(cursor, self.datastore.schema, self.events_table_name)

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Store rows in a transaction, or within the current `lock_out_writers` block, and return their positions.

        Raise `IntegrityError` if the place of a row is taken or a stream of `ends` has grown, `OutcomeUnknown` if the
        connection fails during the commit.
        """
        exclusive: Connection[DictRow] | None = getattr(self._local, "connection", None)
        if exclusive is None:
            self._local.is_sent = False
            with detect_unknown_outcome(lambda: bool(self._local.is_sent)), extend_response_timeout(stored_events):
                stored: Sequence[int] | None = self._insert_briefly(stored_events, **kwargs)
                return stored
        try:
            with exclusive.transaction(), exclusive.cursor() as cursor:
                self._insert_stored_events(cursor, stored_events, **kwargs)
                return self._fetch_ids_after_insert_events(cursor, stored_events)
        except psycopg.IntegrityError as conflict:
            raise IntegrityError(str(conflict)) from conflict

    def _fetch_ids_after_insert_events(self, *args: Any, **kwargs: Any) -> Sequence[int] | None:
        """Return the positions of inserted rows, and note that everything but the commit was sent."""
        positions: Sequence[int] | None = super()._fetch_ids_after_insert_events(*args, **kwargs)
        # Only the commit remains.
        self._local.is_sent = True
        return positions

    def _insert_stored_events(
        self, curs: Cursor[DictRow], stored_events: Sequence[StoredEvent], ends: Ends | None = None, **kwargs: object
    ) -> None:
        """Insert rows; raise `IntegrityError` if a stream of `ends` has grown, checked under the table lock."""
        if ends:
            # The lock excludes writers, so the check still holds at commit.
            self._lock_table(curs)
            if self._find_grown(curs, ends):
                raise IntegrityError("conflict with another process")
        super()._insert_stored_events(curs, stored_events, **kwargs)

    def _find_grown(self, curs: Cursor[DictRow], ends: Ends) -> bool:
        curs.execute(self._select_grown, (list(ends), list(ends.values())), prepare=True)
        return curs.fetchone() is not None

    @contextmanager
    def guard_request(self) -> Iterator[None]:
        """Guard one request to the server with the circuit breaker; a connect timeout becomes `ResponseTimeout`."""
        with self._breaker.guard_request():
            try:
                yield
            except OperationalError as fault:
                if isinstance(fault.__cause__, CONNECT_TIMEOUTS):
                    raise ResponseTimeout("timeout connecting to the database") from fault
                raise

    def has_grown(self, ends: Ends) -> bool:
        """Return whether one of the streams has grown."""
        with self.guard_request(), self.datastore.cursor() as cursor:
            return bool(ends) and self._find_grown(cursor, ends)

    @contextmanager
    def lock_out_writers(self) -> Iterator[None]:
        """Lock out other writers; commit at the end of the block, roll back after an exception.

        Inserts of this thread join the block. Raise `OutcomeUnknown` if the commit fails without an answer.
        """
        is_sent = False
        with (
            detect_unknown_outcome(lambda: is_sent),
            self.guard_request(),
            self.datastore.transaction(commit=True) as cursor,
        ):
            self._lock_table(cursor)
            self._local.connection = cursor.connection
            try:
                yield
                is_sent = True
            finally:
                self._local.connection = None

    _insert_briefly = retry_briefly(PostgresApplicationRecorder.insert_events)
    select_events = retry_briefly(PostgresApplicationRecorder.select_events)
    select_notifications = retry_briefly(PostgresApplicationRecorder.select_notifications)
    max_notification_id = retry_briefly(PostgresApplicationRecorder.max_notification_id)

    def list_streams(self, upto: int) -> Sequence[StreamSummary]:
        """Return all streams with rows up to a position, ordered by their first rows."""
        return [
            StreamSummary(row["originator_id"], row["first"], row["count"], row["topic"])
            for row in self._ask(SELECT_STREAMS, upto)
        ]

    def select_stream(self, stream: UUID, upto: int) -> Sequence[Notification]:
        """Return the rows of a stream up to a log position."""
        return [
            Notification(
                id=row["notification_id"],
                originator_id=stream,
                originator_version=row["originator_version"],
                topic=row["topic"],
                state=bytes(row["state"]),
            )
            for row in self._ask(SELECT_STREAM, stream, upto)
        ]

    def _ask(self, statement: SQL, *values: object) -> list[dict[str, Any]]:
        """Run a query over the log table, named `{table}`, and return all rows."""
        table = Identifier(self.datastore.schema, self.events_table_name)
        with self.guard_request(), self.datastore.get_connection() as connection, connection.cursor() as cursor:
            cursor.execute(statement.format(table=table), values)
            return cursor.fetchall()


KEEPALIVE_SETTINGS: Final[Mapping[str, Any]] = {
    "options": "-c tcp_keepalives_idle=1 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3",
    "tcp_user_timeout": 2_000,
    "keepalives_idle": 1,
    "keepalives_interval": 1,
    "keepalives_count": 3,
}
"""Keepalives with which client and server detect a lost peer within seconds.

A client that vanishes while writing holds the log's lock. The limit for idle transactions does not apply in a pipeline,
so the server has to probe the connection.
"""
SINCE_17: Final = SQL("SET LOCAL transaction_timeout = '5s'")
"""Limits writing transactions even if the client hangs. Servers before version 17 lack this setting."""
VERSION_17: Final = 170_000


class SharedPostgresFactory(PostgresFactory):
    """The library's PostgreSQL factory for several processes that may start at the same time."""

    application_recorder_class = FailFastPostgresRecorder

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        pool_kwargs = self.datastore.pool.kwargs
        assert isinstance(pool_kwargs, dict)
        extra = dict(parse_qsl(self.env.get("POSTGRES_MORE") or ""))
        options = " ".join(filter(None, (KEEPALIVE_SETTINGS["options"], extra.pop("options", ""))))
        self.datastore.pool.kwargs = {**pool_kwargs, **KEEPALIVE_SETTINGS, **extra, "options": options}
        self.datastore.pool.connection_class = BoundedConnection

    def application_recorder(self) -> ApplicationRecorder:
        """Return a recorder with short timeouts; create missing tables under an advisory lock.

        PostgreSQL fails if two sessions replace the same function at once.
        """
        with self.datastore.get_connection() as connection:
            connection.execute("SELECT pg_advisory_lock(%s)", (TABLES_LOCK,))
            try:
                recorder = super().application_recorder()
                assert isinstance(recorder, FailFastPostgresRecorder)
                recorder.create_tables(int(self.env.get("POSTGRES_PARTITIONS") or PARTITIONS))
                recorder.lock_table_statements[:0] = [SINCE_17] if connection.info.server_version >= VERSION_17 else []
                # At startup the library's longer timeout applies.
                self.datastore.pool.timeout = CONNECT_SECONDS
                # Otherwise the pool backs off longer and longer, even after the server is back.
                self.datastore.pool.reconnect_timeout = RECONNECT_SECONDS
                return recorder
            finally:
                connection.execute("SELECT pg_advisory_unlock(%s)", (TABLES_LOCK,))
