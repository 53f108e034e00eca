"""Logs and read models in SQLite files, and in PostgreSQL where both must behave alike."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.eventstore.application import Matches
from projections.platform.store import ReadStore
from tests.projections.tables import matches_in


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    """Provide a log in an SQLite file."""
    with matches_in(tmp_path / "log.db") as matches:
        yield matches


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ReadStore]:
    """Provide read models in an SQLite file."""
    store = ReadStore(f"sqlite:///{tmp_path / 'data' / 'reads.db'}")
    yield store
    store.close()


@pytest.fixture(params=["sqlite", "postgres"])
def any_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ReadStore]:
    """Provide read models in each kind of database."""
    url = tmp_path / "any.db" if request.param == "sqlite" else request.getfixturevalue("fresh_postgres")
    store = ReadStore(url)
    yield store
    store.close()
