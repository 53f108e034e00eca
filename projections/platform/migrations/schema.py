"""The schema of a database: its tables, and the revisions that lead from older ones to them."""

from typing import Any, Final, NamedTuple, Protocol

from sqlalchemy import Column, MetaData, PrimaryKeyConstraint, Select, String, Table, column, func, select, table

from domain.kernel.loading import load
from projections.platform.database import Database
from projections.platform.database import Readable as Connected
from projections.platform.statements import SQLITE_DIALECT, insert_row
from projections.platform.tables import definitions

VERSION: Final = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""The table in which Alembic keeps the revision."""
READ_VERSION: Final = select(VERSION.c.version_num)
WRITE_VERSION: Final = insert_row(VERSION)
FILE_TABLES: Final[Select[Any]] = (
    select(column("name")).select_from(table("sqlite_schema")).where(column("type") == "table")
)
# Read from the catalogue, because an unknown name looked up before a lock stays unknown after it.
SERVER_TABLES: Final[Select[Any]] = (
    select(column("tablename")).select_from(table("pg_tables")).where(column("schemaname") == func.current_schema())
)


class StoreTooNew(Exception):
    """A later version of the service has written the store."""


class Readable(Connected, Protocol):
    """A database that can be read, of a known kind."""

    @property
    def dialect(self) -> str:
        """The dialect of the database."""
        ...


class StepCounter(Protocol):
    """How versions were counted before Alembic: by the number of the last step."""

    def count(self, database: Readable, tables: frozenset[str]) -> tuple[int, int]:
        """Return the number of steps that a database took, 0 for none, and the number of steps that there are."""
        ...

    def refuse_old_services(self, database: Database) -> None:
        """Note in a new database that it has more steps than a service without Alembic knows."""
        ...


class Schema(NamedTuple):
    """The tables of a database, and how an older database gets them."""

    title: str
    """The name of the database in messages."""
    metadata: MetaData
    head: str
    """The latest revision, a number. New databases have it from the start."""
    revisions: tuple[str, ...]
    """The folders of the revisions."""
    counter: StepCounter

    def find_revision(self, database: Readable) -> str | None:
        """Return the revision of a database: "" if it is older than all, None if it is empty.

        Raise `StoreTooNew` if a later version of the service has written it.
        """
        tables = tables_in(database)
        if VERSION.name not in tables:
            steps, known_steps = self.counter.count(database, tables)
            # Another process may have upgraded the database between the two reads.
            tables = tables_in(database)
            if VERSION.name not in tables:
                self._require_known(steps, known_steps)
                return "" if tables & self.metadata.tables.keys() else None
        ((revision,),) = database.rows(READ_VERSION)
        self._require_known(int(revision), int(self.head))
        return str(revision)

    def migrate(self, database: Database) -> None:
        """Create the tables, or run the missing revisions: all in one transaction, or none of them.

        Raise `StoreTooNew` as `find_revision`. In SQLite foreign keys must not be enforced yet: a revision may have
        to replace a table that others refer to, and SQLite cannot suspend them inside a transaction.
        """
        if self.find_revision(database) == self.head:
            return
        with database.transaction():
            # Another process may have done it while this one waited for the lock.
            revision = self.find_revision(database)
            if revision is None:
                self._create(database)
            elif revision != self.head:
                # Alembic takes 0.1 s to import, and few starts need it.
                load("projections.platform.migrations.upgrading", "upgrade")(database, self.revisions)

    def _create(self, database: Database) -> None:
        """Create all tables with the latest revision, and lock out services of versions before revisions."""
        for metadata in (self.metadata, VERSION.metadata):
            for definition in definitions(metadata, database.dialect):
                database.change(definition)
        database.change(WRITE_VERSION, version_num=self.head)
        self.counter.refuse_old_services(database)

    def _require_known(self, version: int, known: int) -> None:
        """Raise `StoreTooNew` if the version is later than the known one."""
        if version > known:
            raise StoreTooNew(
                f"{self.title} has schema version {version}, but this version of the service supports only {known}: "
                "it was written by a later version"
            )


def tables_in(database: Readable) -> frozenset[str]:
    """Return the names of the tables in the database."""
    statement = FILE_TABLES if database.dialect == SQLITE_DIALECT else SERVER_TABLES
    return frozenset(name for (name,) in database.rows(statement))
