"""Stores for ranking lists."""

from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from itertools import count
from typing import Final

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from tests.domain.matches.match_helpers import ALL_TITLES

NUMBERS: Final = count(1)


@pytest.fixture(scope="module")
def new_matches(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], AbstractContextManager[Matches]]:
    """Provide a function that opens an empty store of matches, for each example of a test."""
    folder = tmp_path_factory.mktemp("lists")
    return lambda: closing(open_store(store_env(folder / f"{next(NUMBERS)}.sqlite"), titles=ALL_TITLES))
