"""Where matches are kept: a durable SQLite file for one writing process, or PostgreSQL for several."""

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from eventsourcing.sqlite import SQLiteConnection, SQLiteConnectionPool, SQLiteFactory
from eventsourcing.utils import Environment, EnvType, get_topic

from domain.kernel.loading import load
from domain.matches.mapper import MatchMapper
from domain.matches.write_ahead import write_ahead


class DurablePool(SQLiteConnectionPool):
    """Connections that sync the disk at every commit, however the SQLite library was built."""

    def _create_connection(self) -> SQLiteConnection:
        connection = super()._create_connection()
        cursor = connection.cursor()
        cursor.execute("PRAGMA synchronous=FULL")
        return connection


class DurableSQLiteFactory(SQLiteFactory):
    """The library's SQLite store over durable connections.

    Its file is for its owner alone, and so are those SQLite lays beside it: it holds every hand and every server seed.
    """

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


def store_env(place: str | Path) -> dict[str, str]:
    """The library's settings for a `postgresql://…` address or the path of an SQLite file."""
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
    asked = dict(parse_qsl(address.query))
    return common | {
        # The driver takes longer to import than the whole of a start on SQLite may.
        "PERSISTENCE_MODULE": get_topic(load("domain.matches.postgres", "SharedPostgresFactory")),
        "POSTGRES_DBNAME": unquote(address.path.lstrip("/")) or asked.get("dbname", "postgres"),
        "POSTGRES_HOST": asked.get("host") or unquote(address.hostname or "127.0.0.1"),
        "POSTGRES_PORT": str(address.port or asked.get("port", "5432")),
        "POSTGRES_USER": unquote(address.username or "") or asked.get("user", "postgres"),
        "POSTGRES_PASSWORD": unquote(address.password or "") or asked.get("password", ""),
        # The library's own functions in the database lose events for those who follow (DESIGN §5).
        "POSTGRES_ENABLE_DB_FUNCTIONS": "n",
    }
