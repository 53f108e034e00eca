"""Matches in PostgreSQL, for several writing processes. Loaded when asked for: its driver takes long to import."""

from typing import Final

from eventsourcing.persistence import ApplicationRecorder
from eventsourcing.postgres import PostgresFactory

TABLES_LOCK: Final = 0x45_53_50_4F
"""The number of our advisory lock in PostgreSQL: ESPO."""


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
