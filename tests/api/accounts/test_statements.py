"""Both databases accept every statement on the store of people."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from sqlalchemy import ClauseElement, Delete, Insert, Select, Table, Update
from sqlalchemy.sql import visitors

from api.accounts.store import open_database
from api.accounts.tables.metadata import METADATA
from projections.platform.statements import compile_statement

ROOT: Final = Path(__file__).parents[3]
KINDS: Final = (Select, Insert, Update, Delete)


def statements() -> Iterator[tuple[str, ClauseElement]]:
    """Find the statements that modules declare."""
    for path in sorted((ROOT / "api").rglob("*.py")):
        if "from sqlalchemy import" in path.read_text():
            module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
            for name, value in vars(module).items():
                if isinstance(value, KINDS) and METADATA in {table.metadata for table in tables_in(value)}:
                    yield f"{module.__name__}.{name}", value


def tables_in(statement: ClauseElement) -> list[Table]:
    # Not every kind of statement is the parent of the table that it changes.
    parts = [*visitors.iterate(statement), getattr(statement, "table", None)]
    return [each for each in parts if isinstance(each, Table)]


def explained(statement: ClauseElement, dialect: str) -> tuple[str, Sequence[Any]]:
    """Return the statement as a question for its plan."""
    compiled = compile_statement(statement, dialect)
    lists = compiled.expanding.binds if compiled.expanding else {}
    names = {*compiled.order} - {*compiled.fixed}
    text, values = compiled.bind({name: [None] if name in lists and lists[name].expanding else None for name in names})
    return f"EXPLAIN {text}", values


def test_both_databases_can_plan_every_statement(people_place: Path | str) -> None:
    found = dict(statements())

    with closing(open_database(people_place)) as database:
        for statement in found.values():
            assert database.rows(*explained(statement, database.dialect))

    assert "api.quick.store.PAIR" in found
