"""Fixtures: a service per file, and people with accounts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.full_service import FullService, run_full_service
from tests.api.tournaments.test_tournaments import ApiPerson


@pytest.fixture(scope="module")
def full_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FullService]:
    with run_full_service(tmp_path_factory.mktemp("house")) as full_service:
        yield full_service


@pytest.fixture(scope="module")
def people(full_service: FullService) -> list[ApiPerson]:
    """Return an organiser and four players."""
    return [ApiPerson(full_service) for _ in range(5)]
