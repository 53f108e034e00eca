"""Every statement on a read model can be planned by both databases."""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, Final

from sqlalchemy import ClauseElement, Delete, Insert, Select, Table, Update
from sqlalchemy.sql import visitors

from projections import analyses, hints, tree
from projections.platform.statements import POSTGRES_DIALECT, SQLITE_DIALECT, compile_statement
from projections.platform.store import POSITIONS, ReadStore
from projections.platform.tables import READ_MODELS, creation_of

ROOT: Final = Path(__file__).parents[2]
KINDS: Final = (Select, Insert, Update, Delete)
CREATED: Final = (READ_MODELS, analyses.METADATA, hints.METADATA, tree.METADATA)
KNOWN: Final = (*CREATED, POSITIONS.metadata)


def statements() -> Iterator[tuple[str, ClauseElement]]:
    """Find the statements that modules of read models declare."""
    for path in sorted(chain((ROOT / "projections").rglob("*.py"), (ROOT / "workers").rglob("*.py"))):
        # Alembic's table of versions is in databases of accounts, not in read models.
        if "migrations" in path.parts or "from sqlalchemy import" not in path.read_text():
            continue
        module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for name, value in vars(module).items():
            named = value.items() if isinstance(value, Mapping) else (("", value),)
            for key, each in named:
                if isinstance(each, KINDS) and is_on_known_tables(each):
                    yield f"{module.__name__}.{name}{key}", each


def is_on_known_tables(statement: ClauseElement) -> bool:
    """Return False for statements on catalogues and Alembic's table, which only one database or store has."""
    parts = [*visitors.iterate(statement), getattr(statement, "table", None)]
    return any(isinstance(each, Table) and each.metadata in KNOWN for each in parts)


def explain(statement: ClauseElement, dialect: str) -> tuple[str, Sequence[Any]]:
    """Return the statement as a query of its plan, with empty values."""
    compiled = compile_statement(statement, dialect)
    lists = compiled.expanding.lists if compiled.expanding else frozenset()
    names = {*compiled.order} - {*compiled.fixed}
    text, values = compiled.bind({name: [None] if name in lists else None for name in names})
    return f"EXPLAIN {text}", values


def test_both_databases_can_plan_every_statement(any_store: ReadStore, request: Any) -> None:
    queries = dict(statements())
    dialect = POSTGRES_DIALECT if "postgres" in request.node.name else SQLITE_DIALECT

    with any_store.transaction() as transaction:
        for metadata in CREATED:
            for definition in chain.from_iterable(map(creation_of, metadata.sorted_tables)):
                transaction.change(definition)

    for statement in queries.values():
        text, values = explain(statement, dialect)
        assert any_store.rows(text, *values)
    assert "workers.matches.statements.READ_DUE" in queries
