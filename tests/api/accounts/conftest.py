"""Fixtures for people with other sign-in methods than a password."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from api.accounts.people import People
from tests.api.accounts.sign_in_clients import ANN, PasskeyClient, Provider, ProviderClient, providing, settings_with
from tests.seeding import entropy
from tests.service_app import create_app


@pytest.fixture(params=["sqlite", "postgres"])
def people_place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Return the location of an accounts database: a file or a server."""
    return tmp_path / "people.db" if request.param == "sqlite" else str(request.getfixturevalue("fresh_postgres"))


@pytest.fixture
def people(people_place: Path | str) -> Iterator[People]:
    people = People(people_place)
    yield people
    people.close()


@pytest.fixture
def holder(own_client: TestClient[Any]) -> PasskeyClient:
    """Return a signed-out client of Ann, who has a passkey."""
    holder = PasskeyClient(own_client)
    holder.signs_up(ANN)
    assert holder.adds("Key ring").status_code == 200
    holder.leaves()
    return holder


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Provider]:
    with providing() as provider:
        yield provider


@pytest.fixture
def provider(endpoint: Provider) -> Provider:
    """Return the provider, which tells the truth unless a test changes it."""
    fresh = Provider(endpoint.port, key=endpoint.key)
    endpoint.__dict__.update(fresh.__dict__)
    return endpoint


@pytest.fixture
def user(provider: Provider, tmp_path: Path) -> Iterator[ProviderClient]:
    with TestClient(create_app(settings_with(tmp_path, provider.issuer), entropy())) as client:
        yield ProviderClient(client)
