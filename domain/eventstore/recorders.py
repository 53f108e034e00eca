"""Where matches are kept: a durable SQLite file for one writing process, or PostgreSQL for several."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit
from uuid import UUID

from eventsourcing.persistence import Notification
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteConnection, SQLiteConnectionPool, SQLiteFactory
from eventsourcing.utils import Environment, EnvType, get_topic

from domain.eventstore.mapper import MatchMapper
from domain.eventstore.numbered_rows import StreamPlace
from domain.eventstore.write_ahead import write_ahead
from domain.kernel.loading import load

OF_THE_LIBRARY: Final = frozenset({"dbname", "host", "port", "user", "password"})
"""What of the address of a PostgreSQL server the library has settings for."""
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
    """Connections that sync the disk at every commit, however the SQLite library was built."""

    def _create_connection(self) -> SQLiteConnection:
        connection = super()._create_connection()
        cursor = connection.cursor()
        cursor.execute("PRAGMA synchronous=FULL")
        return connection


class NumberedSQLiteRecorder(SQLiteApplicationRecorder):
    """The library's recorder, which tells the positions of a stream too."""

    def stream_places(self, upto: int) -> Sequence[StreamPlace]:
        with self.datastore.transaction(commit=False) as cursor:
            cursor.execute(SELECT_STREAMS, (upto,))
            return [StreamPlace(UUID(stream), first, count, topic) for stream, first, count, topic in cursor.fetchall()]

    def numbered(self, stream: UUID, upto: int) -> Sequence[Notification]:
        with self.datastore.transaction(commit=False) as cursor:
            cursor.execute(SELECT_STREAM, (stream.hex, upto))
            return [
                Notification(id=position, originator_id=stream, originator_version=version, topic=topic, state=state)
                for position, version, topic, state in cursor.fetchall()
            ]


class DurableSQLiteFactory(SQLiteFactory):
    """The library's SQLite store over durable connections.

    Its file is for its owner alone, and so are those SQLite lays beside it: it holds every hand and every server seed.
    """

    application_recorder_class = NumberedSQLiteRecorder

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        given = self.datastore.pool
        file = Path(given.db_name)
        if not given.is_sqlite_memory_mode:
            if not file.exists():
                file.touch(mode=0o600)
            with closing(sqlite3.connect(file)) as connection:
                write_ahead(connection)
        self.datastore.pool = DurablePool(db_name=given.db_name, lock_timeout=given.lock_timeout)
        given.close()


def store_env(place: str | Path, partitions: int | None = None) -> dict[str, str]:
    """The library's settings for a `postgresql://…` address or the path of an SQLite file; `partitions`: in how many
    parts a new log is there."""
    common = {
        "MAPPER_TOPIC": get_topic(MatchMapper),
        "AGGREGATE_CACHE_MAXSIZE": "",
        "COMPRESSOR_TOPIC": "",
        "CIPHER_TOPIC": "",
        "IS_SNAPSHOTTING_ENABLED": "n",
    }
    if not str(place).startswith(("postgresql://", "postgres://")):
        return common | {"PERSISTENCE_MODULE": get_topic(DurableSQLiteFactory), "SQLITE_DBNAME": str(place)}
    address = urlsplit(str(place))
    hosts, ports = hosts_of(address.netloc)
    asked = dict(parse_qsl(address.query))
    return common | {
        # The driver takes longer to import than the whole of a start on SQLite may.
        "PERSISTENCE_MODULE": get_topic(load("domain.eventstore.postgres_recorder", "SharedPostgresFactory")),
        "POSTGRES_DBNAME": unquote(address.path.lstrip("/")) or asked.get("dbname", "postgres"),
        "POSTGRES_HOST": asked.get("host") or hosts or "127.0.0.1",
        "POSTGRES_PORT": ports or asked.get("port", "5432"),
        "POSTGRES_USER": unquote(address.username or "") or asked.get("user", "postgres"),
        "POSTGRES_PASSWORD": unquote(address.password or "") or asked.get("password", ""),
        # Whatever else is asked for, such as whose certificate the server must have, is for the driver.
        "POSTGRES_MORE": urlencode({name: word for name, word in asked.items() if name not in OF_THE_LIBRARY}),
        # Its tables are made by us, in parts.
        "CREATE_TABLE": "n",
        "POSTGRES_PARTITIONS": "" if partitions is None else str(partitions),
        # The library's own functions in the database lose events for those who follow (DESIGN §5).
        "POSTGRES_ENABLE_DB_FUNCTIONS": "n",
    }


def hosts_of(netloc: str) -> tuple[str, str]:
    """The hosts of an address and their ports, each joined by commas as the driver takes them: `a:1,b` is tried in its
    order. No ports where none is named."""
    hosts, ports = list[str](), list[str]()
    for each in netloc.rpartition("@")[2].split(","):
        host, _, port = each.rpartition(":") if each.rfind(":") > each.rfind("]") else (each, "", "")
        hosts.append(unquote(host.removeprefix("[").removesuffix("]")))
        ports.append(port)
    return ",".join(hosts), ",".join(port or "5432" for port in ports) if any(ports) else ""
