"""The tables of a new database equal the result of all revisions."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from alembic.script import ScriptDirectory

from api.accounts.database_schema import HEAD, schema_at
from api.accounts.store import SCHEMA, WRITER, open_database
from projections.platform.database import Database, SqliteDatabase, connect_to
from projections.platform.migrations.upgrading import settings_for, upgrade

FILE_DETAILS: Final = {
    "tables": "SELECT name, wr FROM pragma_table_list WHERE schema = 'main'",
    "columns": 'SELECT t.name, c.name, c.type, c."notnull" OR c.pk, c.dflt_value, c.pk'
    " FROM pragma_table_list AS t, pragma_table_xinfo(t.name) AS c",
    "references": 'SELECT t.name, r."from", r."table", r.on_delete'
    " FROM pragma_table_list AS t, pragma_foreign_key_list(t.name) AS r",
    "indexes": 'SELECT t.name, i."unique", i.origin, (SELECT group_concat(name) FROM pragma_index_info(i.name))'
    " FROM pragma_table_list AS t, pragma_index_list(t.name) AS i",
}
SERVER_DETAILS: Final = {
    "columns": "SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name, is_identity"
    " FROM information_schema.columns WHERE table_schema = current_schema()",
    "constraints": "SELECT conrelid::regclass::text, pg_get_constraintdef(oid)"
    " FROM pg_constraint WHERE connamespace = current_schema()::regnamespace",
    "indexes": "SELECT tablename, indexname, replace(indexdef, schemaname || '.', '')"
    " FROM pg_indexes WHERE schemaname = current_schema()",
}


def details(database: Database) -> dict[str, list[Any]]:
    """Return the catalogue's details of the tables, ignoring order."""
    statements = FILE_DETAILS if database.dialect == "sqlite" else SERVER_DETAILS
    return {name: sorted(map(repr, database.rows(statement))) for name, statement in statements.items()}


@pytest.fixture
def upgraded_database(people_place: Path | str, tmp_path: Path) -> Iterator[Database]:
    """Return an empty database after all revisions, of the same kind."""
    database: Database
    if isinstance(people_place, Path):
        database = SqliteDatabase(tmp_path / "upgraded.db")
    else:
        database = connect_to(people_place, "upgraded", WRITER)
    with closing(database):
        with database.transaction():
            upgrade(database, schema_at(people_place).revisions)
        yield database


def test_new_databases_and_upgraded_ones_have_the_same_tables(
    people_place: Path | str, upgraded_database: Database
) -> None:
    with closing(open_database(people_place)) as new:
        for name, rows in details(new).items():
            assert rows == details(upgraded_database)[name]


def test_the_head_is_the_latest_revision() -> None:
    scripts = ScriptDirectory.from_config(settings_for(schema_at(SCHEMA).revisions))

    assert scripts.get_heads() == [HEAD]
