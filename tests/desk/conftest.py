"""A store for the desk's tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.match.application import Matches
from domain.match.store import store_env
from tests.match.world import ALL_GAMES


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    matches = Matches(store_env(tmp_path / "desk.sqlite"), games=ALL_GAMES)
    yield matches
    matches.close()
