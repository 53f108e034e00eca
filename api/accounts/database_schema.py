"""The schema of the accounts database and its upgrades."""

from pathlib import Path
from typing import Final

from sqlalchemy import Column, MetaData, Table, select
from sqlalchemy.schema import CreateTable

from api.accounts.tables.complete import METADATA
from projections.platform.database import Database, is_server
from projections.platform.migrations.schema import Readable, Schema
from projections.platform.statements import SQLITE_DIALECT, insert_row
from projections.platform.tables import NUMBER

REVISIONS: Final = Path(__file__).parent / "revisions"
HEAD: Final = max((path.stem.removeprefix("revision_") for path in REVISIONS.glob("revision_*.py")), key=int)
"""The latest revision. Alembic could find it too, but is imported only to upgrade."""
FILE_STEPS: Final = 17
SERVER_STEPS: Final = 11
"""The numbers of upgrade steps before revision 18."""
VERSION: Final = Table("version", MetaData(), Column("number", NUMBER, nullable=False))
"""The table with the step number on a server."""
READ_VERSION: Final = select(VERSION.c.number)
WRITE_VERSION: Final = insert_row(VERSION)


class PeopleSteps:
    """The step number: in the header of a file, in a table on a server."""

    def count(self, database: Readable, tables: frozenset[str]) -> tuple[int, int]:
        """Return the number of executed old, numbered steps, and the number of all such steps."""
        if database.dialect == SQLITE_DIALECT:
            return int(database.rows("PRAGMA user_version")[0][0]), FILE_STEPS
        return int(database.rows(READ_VERSION)[0][0]) if VERSION.name in tables else 0, SERVER_STEPS

    def refuse_old_services(self, database: Database) -> None:
        """Record a step number that older versions of the service reject."""
        if database.dialect == SQLITE_DIALECT:
            database.change(f"PRAGMA user_version = {FILE_STEPS + 1}")
        else:
            database.change(CreateTable(VERSION))
            database.change(WRITE_VERSION, number=SERVER_STEPS + 1)


def schema_at(location: Path | str) -> Schema:
    """Return the schema of the accounts database at a path or URL."""
    title = "the store of people" if is_server(location) else Path(location).name
    return Schema(title, METADATA, HEAD, (str(REVISIONS),), PeopleSteps())
