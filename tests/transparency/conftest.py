"""One Node process for all tests of the second verifier."""

from collections.abc import Iterator

import pytest

from tests.transparency.second import SecondVerifier, run_second_verifier


@pytest.fixture(scope="session")
def second_verifier() -> Iterator[SecondVerifier]:
    with run_second_verifier() as verifier:
        yield verifier
