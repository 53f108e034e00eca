"""Log, followers and queues for all tests of duties."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.projections.tables import TITLES
from tests.workers.matches.house import House, house_in


@pytest.fixture
def house(tmp_path: Path, redis_url: str) -> Iterator[House]:
    with house_in(tmp_path, redis_url) as house:
        yield house


@pytest.fixture
def judging(tmp_path: Path, redis_url: str) -> Iterator[House]:
    """Provide the same with bots that evaluate positions of the title."""
    titles = {name: replace(title, is_judged=True) for name, title in TITLES.items()}
    with house_in(tmp_path, redis_url, titles) as house:
        yield house
