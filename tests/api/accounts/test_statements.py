"""Both databases accept every statement on the store of people and on the tree."""

from collections.abc import Callable, Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import ClauseElement, MetaData, Table
from sqlalchemy.sql import visitors

from api.accounts.store import open_database
from api.accounts.tables.metadata import METADATA
from api.transparency.databases import open_tree
from projections import tree
from projections.platform.database import Database
from tests.projections.test_planned import KINDS, explain

ROOT: Final = Path(__file__).parents[3]


def statements(metadata: MetaData) -> Iterator[tuple[str, ClauseElement]]:
    """Yield the statements that modules declare for these tables."""
    for path in sorted((ROOT / "api").rglob("*.py")):
        if "from sqlalchemy import" in path.read_text():
            module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
            for name, value in vars(module).items():
                if isinstance(value, KINDS) and metadata in {table.metadata for table in tables_in(value)}:
                    yield f"{module.__name__}.{name}", value


def tables_in(statement: ClauseElement) -> list[Table]:
    # Not every kind of statement lists the table that it changes.
    parts = [*visitors.iterate(statement), getattr(statement, "table", None)]
    return [each for each in parts if isinstance(each, Table)]


@pytest.mark.parametrize(
    ("metadata", "open_store", "known"),
    [(METADATA, open_database, "api.quick.store.PAIR"), (tree.METADATA, open_tree, "api.transparency.store.KEEP")],
    ids=["people", "tree"],
)
def test_both_databases_can_plan_every_statement(
    people_place: Path | str, metadata: MetaData, open_store: Callable[[Path | str], Database], known: str
) -> None:
    queries = dict(statements(metadata))

    with closing(open_store(people_place)) as database:
        for statement in queries.values():
            assert database.rows(*explain(statement, database.dialect))

    assert known in queries
