"""The log of a file taken to a server: every row with its position, so that the tree means what it meant."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Final

from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from projections.platform.database import Database, SqliteDatabase, connect_to, is_server

TABLE: Final = "matches_events"
TABLES: Final = {TABLE: ("notification_id",)}
"""What the log is called at a server, and what tells its rows apart."""
AS_AT_A_SERVER: Final = f"""CREATE TEMP VIEW {TABLE} AS SELECT
    substr(originator_id, 1, 8) || '-' || substr(originator_id, 9, 4) || '-' || substr(originator_id, 13, 4) || '-'
        || substr(originator_id, 17, 4) || '-' || substr(originator_id, 21) AS originator_id,
    originator_version, topic, state, rowid AS notification_id FROM stored_events"""  # noqa: S608  (names of ours)
SEQUENCE: Final = f"pg_get_serial_sequence('{TABLE}', 'notification_id')"


def open_log(place: Path | str, partitions: int) -> Database:
    """A connection to the log in the words of a server; one that is not there is made, in so many parts."""
    if not is_server(place):
        file = SqliteDatabase(Path(place), is_durable=True)
        file.connection.execute(AS_AT_A_SERVER)
        return file
    with closing(open_store(store_env(place, partitions), titles={})):
        return connect_to(str(place))


def go_on_after(source: Database, target: Database) -> None:
    """What is appended at the server comes after what is moved there: said before anything is, so that no kill comes
    between. Numbers that are left out harm nobody."""
    last = source.rows(f"SELECT COALESCE(MAX(notification_id), 0) FROM {TABLE}")[0][0]  # noqa: S608
    sequence = target.rows(f"SELECT {SEQUENCE}")[0][0]
    known = target.rows(f"SELECT last_value FROM {sequence}")[0][0]  # noqa: S608
    target.rows(f"SELECT setval('{sequence}', ?)", (max(last, known, 1),))
