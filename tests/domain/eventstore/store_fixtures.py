"""Fixtures of stores: an SQLite file and PostgreSQL."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from tests.domain.matches.match_helpers import ALL_TITLES
from tests.seeding import entropy


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of an empty store."""
    if request.param == "sqlite":
        return str(tmp_path / "matches.sqlite")
    return str(request.getfixturevalue("fresh_postgres"))


@pytest.fixture
def reopen_store(database: str) -> Iterator[Callable[[], Matches]]:
    """Return a function that opens the store again, as another process would."""
    all_opened: list[Matches] = []

    def open_again() -> Matches:
        all_opened.append(open_store(store_env(database), titles=ALL_TITLES, entropy=entropy()))
        return all_opened[-1]

    yield open_again
    for matches in all_opened:
        matches.close()


@pytest.fixture
def matches(reopen_store: Callable[[], Matches]) -> Matches:
    return reopen_store()


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Matches]:
    """Open an SQLite store, for tests that do not depend on the kind of store."""
    matches = open_store(store_env(tmp_path / "quick.sqlite"), titles=ALL_TITLES, entropy=entropy())
    yield matches
    matches.close()
