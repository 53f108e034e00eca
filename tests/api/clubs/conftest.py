"""Accounts with names for tests of clubs."""

from collections.abc import Callable
from itertools import count
from typing import Any, Final

import pytest
from litestar.testing import TestClient

from tests.api.service import Member

NUMBERS: Final = count(1)


@pytest.fixture
def member(client: TestClient[Any]) -> Callable[[str], Member]:
    """Sign up a member with a name, followed by a number."""
    return lambda name: Member(client, f"{name} {next(NUMBERS)}")


@pytest.fixture
def olga(member: Callable[[str], Member]) -> Member:
    return member("Olga")


@pytest.fixture
def cleo(member: Callable[[str], Member]) -> Member:
    return member("Cleo")


@pytest.fixture
def dora(member: Callable[[str], Member]) -> Member:
    return member("Dora")
