"""One Node process for all tests of the second verifier."""

from collections.abc import Iterator

import pytest

from tests.transparency.second import SecondVerifier, second_verifier


@pytest.fixture(scope="session")
def second() -> Iterator[SecondVerifier]:
    with second_verifier() as verifier:
        yield verifier
