"""Matches in an SQLite file, for one writing process: durable, and readable by its owner only."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final
from uuid import UUID

from eventsourcing.persistence import Notification
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteConnection, SQLiteConnectionPool, SQLiteFactory
from eventsourcing.utils import Environment, EnvType

from domain.eventstore.recorders import StreamSummary
from domain.eventstore.write_ahead import write_ahead

SELECT_STREAMS: Final = (
    "SELECT originator_id, first, count, topic FROM (SELECT originator_id AS stream, MIN(rowid) AS first,"
    " COUNT(*) AS count FROM stored_events WHERE rowid <= ? GROUP BY originator_id)"
    " JOIN stored_events ON stored_events.rowid = first ORDER BY first"
)
SELECT_STREAM: Final = (
    "SELECT rowid, originator_version, topic, state FROM stored_events WHERE originator_id = ? AND rowid <= ?"
    " ORDER BY originator_version"
)


class DurablePool(SQLiteConnectionPool):
    """Connections that sync the disk at every commit, independent of the SQLite build."""

    def _create_connection(self) -> SQLiteConnection:
        """Open a connection that waits for the disk at every commit."""
        connection = super()._create_connection()
        cursor = connection.cursor()
        cursor.execute("PRAGMA synchronous=FULL")
        return connection


class StreamSQLiteRecorder(SQLiteApplicationRecorder):
    """The library's recorder with reads of streams by position."""

    def list_streams(self, upto: int) -> Sequence[StreamSummary]:
        """Return all streams with rows up to a position, ordered by their first rows."""
        with self.datastore.transaction(commit=False) as cursor:
            cursor.execute(SELECT_STREAMS, (upto,))
            return [
                StreamSummary(UUID(stream), first, count, topic) for stream, first, count, topic in cursor.fetchall()
            ]

    def select_stream(self, stream: UUID, upto: int) -> Sequence[Notification]:
        """Return the rows of a stream up to a log position."""
        with self.datastore.transaction(commit=False) as cursor:
            cursor.execute(SELECT_STREAM, (stream.hex, upto))
            return [
                Notification(id=position, originator_id=stream, originator_version=version, topic=topic, state=state)
                for position, version, topic, state in cursor.fetchall()
            ]


class DurableSQLiteFactory(SQLiteFactory):
    """The library's SQLite factory with durable connections.

    The file and its companions are readable by their owner only, because they contain all hands and server seeds.
    """

    application_recorder_class = StreamSQLiteRecorder

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        pool = self.datastore.pool
        file = Path(pool.db_name)
        if not pool.is_sqlite_memory_mode:
            if not file.exists():
                file.touch(mode=0o600)
            with closing(sqlite3.connect(file)) as connection:
                write_ahead(connection)
        self.datastore.pool = DurablePool(db_name=pool.db_name, lock_timeout=pool.lock_timeout)
        pool.close()
