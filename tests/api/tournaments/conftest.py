"""Fixtures: a service per file, and people with accounts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.running import Running, running
from tests.api.tournaments.test_tournaments import Somebody


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.fixture(scope="module")
def people(house: Running) -> list[Somebody]:
    """Return an organiser and four players."""
    return [Somebody(house) for _ in range(5)]
