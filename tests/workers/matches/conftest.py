"""Log, followers and queues for all tests of duties."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.projections.tables import TITLES
from tests.workers.matches.backend import MatchBackend, backend_in


@pytest.fixture
def backend(tmp_path: Path, redis_url: str) -> Iterator[MatchBackend]:
    with backend_in(tmp_path, redis_url) as backend:
        yield backend


@pytest.fixture
def evaluating_backend(tmp_path: Path, redis_url: str) -> Iterator[MatchBackend]:
    """Provide the same with bots that evaluate positions of the title."""
    titles = {name: replace(title, is_judged=True) for name, title in TITLES.items()}
    with backend_in(tmp_path, redis_url, titles) as backend:
        yield backend
