"""A service for the tests of a module, and one of its own for a test that asks for it."""

from collections.abc import Iterator
from typing import Any

import pytest
from litestar.testing import TestClient

from api.app import create_app
from tests.api.house import Person, settings_in
from tests.seeding import entropy


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Any]]:
    """One for all tests of a module: starting it takes longer than most of them."""
    with TestClient(create_app(settings_in(tmp_path_factory.mktemp("service")), entropy())) as client:
        yield client


@pytest.fixture
def client(service: TestClient[Any]) -> TestClient[Any]:
    """A browser that comes for the first time."""
    service.cookies.clear()
    return service


@pytest.fixture
def own_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Any]]:
    """A service where nothing has happened yet: for tests of what is all there is."""
    with TestClient(create_app(settings_in(tmp_path_factory.mktemp("own")), entropy())) as client:
        yield client


@pytest.fixture
def ann(client: TestClient[Any]) -> Person:
    return Person(client)


@pytest.fixture
def ben(client: TestClient[Any]) -> Person:
    return Person(client)
