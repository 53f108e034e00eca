"""People with other ways in than a password."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from api.accounts.people import People
from api.app import create_app
from tests.api.accounts.comers import ANN, Comer, Holder, Provider, providing, settings_with
from tests.seeding import entropy


@pytest.fixture(params=["sqlite", "postgres"])
def people_place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Where people are to be kept: a file, and for the same tests a server."""
    return tmp_path / "people.db" if request.param == "sqlite" else str(request.getfixturevalue("fresh_postgres"))


@pytest.fixture
def people(people_place: Path | str) -> Iterator[People]:
    people = People(people_place)
    yield people
    people.close()


@pytest.fixture
def holder(own_client: TestClient[Any]) -> Holder:
    """Ann, with a passkey, at a browser where nobody is signed in."""
    holder = Holder(own_client)
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
    """It tells the truth until a test says otherwise."""
    fresh = Provider(endpoint.port, key=endpoint.key)
    endpoint.__dict__.update(fresh.__dict__)
    return endpoint


@pytest.fixture
def comer(provider: Provider, tmp_path: Path) -> Iterator[Comer]:
    with TestClient(create_app(settings_with(tmp_path, provider.issuer), entropy())) as client:
        yield Comer(client)
