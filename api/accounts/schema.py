"""The schema of the store of people: its tables, and how an older store gets them."""

from pathlib import Path
from typing import Final

from api.accounts.tables.complete import METADATA
from projections.platform.database import Database, is_server
from projections.platform.migrations.schema import Readable, Schema
from projections.platform.statements import SQLITE_DIALECT

REVISIONS: Final = Path(__file__).parent / "revisions"
HEAD: Final = "18"
"""The latest revision there."""
FILE_STEPS: Final = 17
SERVER_STEPS: Final = 11
"""The numbers of steps that stores took before revision 18."""


class PeopleSteps:
    """The number of the last step: in the header of a file, in a table at a server."""

    def count(self, database: Readable, tables: frozenset[str]) -> tuple[int, int]:
        if database.dialect == SQLITE_DIALECT:
            return int(database.rows("PRAGMA user_version")[0][0]), FILE_STEPS
        return int(database.rows("SELECT number FROM version")[0][0]) if "version" in tables else 0, SERVER_STEPS

    def refuse_old_services(self, database: Database) -> None:
        if database.dialect == SQLITE_DIALECT:
            database.change(f"PRAGMA user_version = {FILE_STEPS + 1}")
        else:
            database.change("CREATE TABLE version (number INTEGER NOT NULL)")
            database.change("INSERT INTO version VALUES (?)", (SERVER_STEPS + 1,))


def schema_at(place: Path | str) -> Schema:
    """Return the schema of the store of people at a place."""
    title = "the store of people" if is_server(place) else Path(place).name
    return Schema(title, METADATA, HEAD, (str(REVISIONS),), PeopleSteps())
