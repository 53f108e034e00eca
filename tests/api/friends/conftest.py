"""Additional accounts for tests of friends, blocks and invitations."""

from typing import Any

import pytest
from litestar.testing import TestClient

from tests.api.service import Member
from tests.seeding import next_name


@pytest.fixture
def cleo(client: TestClient[Any]) -> Member:
    return Member(client, next_name("C"))


@pytest.fixture
def dora(client: TestClient[Any]) -> Member:
    return Member(client, next_name("D"))


@pytest.fixture
def emil(client: TestClient[Any]) -> Member:
    return Member(client, next_name("E"))
