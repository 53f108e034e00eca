"""One browser and one whole service for the tests of pages."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.pages.browsing import DESK, Player, chromium
from tests.workers.serving import Serving, serving


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("house"), ESPORLES_DEMO="1") as house:
        yield house


@pytest.fixture
def sit_down(browser: Browser, house: Serving) -> Iterator[Callable[..., Player]]:
    """A new person at a browser; nothing a browser complains about goes unnoticed."""
    players: list[Player] = []

    def new(size: Any = DESK) -> Player:
        players.append(Player(browser, house.started.url, size))
        return players[-1]

    yield new
    for player in players:
        player.page.context.close()
    assert [complaint for player in players for complaint in player.complaints] == []
