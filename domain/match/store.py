"""Where matches are kept: a durable SQLite file for one writing process, or PostgreSQL for several."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from eventsourcing.persistence import ApplicationRecorder
from eventsourcing.postgres import PostgresFactory
from eventsourcing.sqlite import SQLiteConnection, SQLiteConnectionPool, SQLiteFactory
from eventsourcing.utils import Environment, EnvType
from psycopg.conninfo import conninfo_to_dict

from domain.match.errors import MatchError

TABLES_LOCK: Final = 0x45_53_50_4F
"""The number of our advisory lock in PostgreSQL: ESPO."""


class StoreBusy(MatchError):
    """Another process writes to that data folder."""


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
        if not given.is_sqlite_memory_mode and not file.exists():
            file.touch(mode=0o600)
        self.datastore.pool = DurablePool(db_name=given.db_name, lock_timeout=given.lock_timeout)
        given.close()


class SharedPostgresFactory(PostgresFactory):
    """The library's PostgreSQL store for several processes that may start at the same moment."""

    def application_recorder(self) -> ApplicationRecorder:
        """Making the tables takes turns: PostgreSQL fails one of two who replace the same function at once."""
        with self.datastore.get_connection() as connection:
            connection.execute("SELECT pg_advisory_lock(%s)", (TABLES_LOCK,))
            try:
                return super().application_recorder()
            finally:
                connection.execute("SELECT pg_advisory_unlock(%s)", (TABLES_LOCK,))


def store_env(place: str | Path) -> dict[str, str]:
    """The library's settings for a `postgresql://…` address or the path of an SQLite file."""
    common = {
        "MAPPER_TOPIC": "domain.match.mapper:MatchMapper",
        "AGGREGATE_CACHE_MAXSIZE": "",
        "COMPRESSOR_TOPIC": "",
        "CIPHER_TOPIC": "",
        "IS_SNAPSHOTTING_ENABLED": "n",
    }
    if not str(place).startswith(("postgresql://", "postgres://")):
        module = "domain.match.store:DurableSQLiteFactory"
        return common | {"PERSISTENCE_MODULE": module, "SQLITE_DBNAME": str(place)}
    parts = {name: str(value) for name, value in conninfo_to_dict(str(place)).items() if value is not None}
    return common | {
        "PERSISTENCE_MODULE": "domain.match.store:SharedPostgresFactory",
        "POSTGRES_DBNAME": parts.get("dbname", "postgres"),
        "POSTGRES_HOST": parts.get("host", "127.0.0.1"),
        "POSTGRES_PORT": parts.get("port", "5432"),
        "POSTGRES_USER": parts.get("user", "postgres"),
        "POSTGRES_PASSWORD": parts.get("password", ""),
        # The library's own functions in the database lose events for those who follow (DESIGN §5).
        "POSTGRES_ENABLE_DB_FUNCTIONS": "n",
    }


@contextmanager
def writer_lock(folder: Path) -> Iterator[None]:
    """Held by the one process that writes to a data folder with SQLite; freed by the system when it dies."""
    with (folder / "writer.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreBusy(f"another process writes to {folder}") from None
        yield
