"""A store for tests of whatever is kept beside the matches."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.matches.application import Matches
from domain.matches.store import store_env
from tests.domain.matches.world import ALL_TITLES
from tests.seeding import entropy


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    matches = Matches(store_env(tmp_path / "matches.sqlite"), titles=ALL_TITLES, entropy=entropy())
    yield matches
    matches.close()
