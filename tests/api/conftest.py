"""Fixtures: one service per module, and a separate one for tests that need it."""

from collections.abc import Iterator
from typing import Any

import pytest
from litestar.testing import TestClient

from tests.api.service import Person, settings_in
from tests.seeding import entropy
from tests.service_app import create_app


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Any]]:
    """Start one service per module, because starting takes longer than most tests."""
    with TestClient(create_app(settings_in(tmp_path_factory.mktemp("service")), entropy())) as client:
        yield client


@pytest.fixture
def client(service: TestClient[Any]) -> TestClient[Any]:
    """Return a client without cookies."""
    service.cookies.clear()
    return service


@pytest.fixture
def own_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Any]]:
    """Start an empty service, for tests that list everything."""
    with TestClient(create_app(settings_in(tmp_path_factory.mktemp("own")), entropy())) as client:
        yield client


@pytest.fixture
def ann(client: TestClient[Any]) -> Person:
    return Person(client)


@pytest.fixture
def ben(client: TestClient[Any]) -> Person:
    return Person(client)
