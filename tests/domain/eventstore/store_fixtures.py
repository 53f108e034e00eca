"""Fixtures of stores: an SQLite file and, for the same tests, PostgreSQL."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.recorders import store_env
from tests.domain.matches.world import ALL_TITLES
from tests.seeding import entropy


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store."""
    if request.param == "sqlite":
        return str(tmp_path / "matches.sqlite")
    return str(request.getfixturevalue("fresh_postgres"))


@pytest.fixture
def opened(place: str) -> Iterator[Callable[[], Matches]]:
    """Opens the store once more, as another process would."""
    all_opened: list[Matches] = []

    def open_store() -> Matches:
        all_opened.append(Matches(store_env(place), titles=ALL_TITLES, entropy=entropy()))
        return all_opened[-1]

    yield open_store
    for matches in all_opened:
        matches.close()


@pytest.fixture
def matches(opened: Callable[[], Matches]) -> Matches:
    return opened()


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Matches]:
    """Open an SQLite store, for tests that do not depend on the kind of store."""
    matches = Matches(store_env(tmp_path / "quick.sqlite"), titles=ALL_TITLES, entropy=entropy())
    yield matches
    matches.close()
