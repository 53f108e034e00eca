"""Alembic revisions on a connection of ours, inside its open transaction."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, NullPool, create_engine
from sqlalchemy.exc import DBAPIError

from projections.platform.database import Database
from projections.platform.tables import MOCKS


class BorrowedConnection:
    """A connection that SQLAlchemy can neither commit, roll back nor close."""

    def __init__(self, connection: object) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def commit(self) -> None:
        """Do nothing."""

    def rollback(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


@contextmanager
def borrow_connection(database: Database) -> Iterator[Connection]:
    """Lend the connection of a database to SQLAlchemy during the block; errors are the driver's, not SQLAlchemy's."""
    options = {} if database.dialect == "sqlite" else {"use_native_hstore": False}
    engine = create_engine(
        MOCKS[database.dialect], creator=lambda: BorrowedConnection(database.connection), poolclass=NullPool, **options
    )
    try:
        with engine.connect() as connection:
            yield connection
    except DBAPIError as fault:
        raise fault.orig or fault from fault


def escape_percent(value: str) -> str:
    """Escape a value for Alembic's configuration, which interpolates percent signs."""
    return value.replace("%", "%%")


def settings_for(revisions: Sequence[str]) -> Config:
    """Return the settings of Alembic for revisions in these folders."""
    settings = Config()
    settings.set_main_option("script_location", escape_percent(str(Path(__file__).parent)))
    settings.set_main_option("path_separator", "newline")
    settings.set_main_option("version_locations", escape_percent("\n".join(revisions)))
    return settings


def upgrade(database: Database, revisions: Sequence[str]) -> None:
    """Run the missing revisions of these folders."""
    settings = settings_for(revisions)
    with borrow_connection(database) as connection:
        settings.attributes["connection"] = connection
        command.upgrade(settings, "head")
