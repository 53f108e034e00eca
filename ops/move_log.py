"""Moving the log of a file to a server with the position of every row, to which the transparency tree refers."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    LargeBinary,
    MetaData,
    Table,
    Text,
    Uuid,
    bindparam,
    column,
    func,
    select,
    table,
)
from sqlalchemy.schema import CreateView

from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from ops.move_tables import sequence_of, set_number
from projections.platform.database import Database, SqliteDatabase, connect_to, is_server

METADATA: Final = MetaData()
EVENTS: Final = Table(
    "matches_events",
    METADATA,
    Column("originator_id", Uuid(as_uuid=False)),
    Column("originator_version", BigInteger),
    Column("topic", Text),
    Column("state", LargeBinary),
    Column("notification_id", BigInteger, primary_key=True),
)
"""The log as a table on a server."""
STREAM: Final = column("originator_id", Text)
READ_AS_SERVER_ROWS: Final = select(
    (
        func.substr(STREAM, 1, 8)
        + "-"
        + func.substr(STREAM, 9, 4)
        + "-"
        + func.substr(STREAM, 13, 4)
        + "-"
        + func.substr(STREAM, 17, 4)
        + "-"
        + func.substr(STREAM, 21)
    ).label("originator_id"),
    column("originator_version"),
    column("topic"),
    column("state"),
    column("rowid").label("notification_id"),
).select_from(table("stored_events"))
"""The log of a file in the form of that table."""
NUMBER: Final = EVENTS.c.notification_id
LAST: Final = select(func.coalesce(func.max(NUMBER), 0))
LAST_GIVEN: Final = select(func.coalesce(func.pg_sequence_last_value(sequence_of(NUMBER)), 1))
CONTINUE: Final = set_number(NUMBER, bindparam("last", type_=BigInteger))


def open_log(location: Path | str, partitions: int) -> Database:
    """Connect to a log in its form on a server: a file through a temporary view, a server by its own table.

    A missing table is created with this number of partitions.
    """
    if not is_server(location):
        file = SqliteDatabase(Path(location), is_durable=True)
        try:
            file.change(CreateView(READ_AS_SERVER_ROWS, EVENTS.name, temporary=True))
        except BaseException:
            file.close()
            raise
        return file
    with closing(open_store(store_env(location, partitions), titles={})):
        return connect_to(str(location))


def continue_numbering(source: Database, target: Database) -> None:
    """Make the server number new entries after the moved ones.

    This happens before the move, so that no interruption can separate them; gaps in the numbers are harmless.
    """
    last = source.rows(LAST)[0][0]
    last_given = target.rows(LAST_GIVEN)[0][0]
    target.rows(CONTINUE, last=max(last, last_given, 1))
