"""One browser and one whole service for the tests of pages."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any, Final
from uuid import UUID

import pytest
from playwright.sync_api import Browser

from api.accounts.people import People
from ops.stores import settings_for
from projections.matches import replay
from projections.platform.store import ReadStore
from tests.pages.browsing import DESK, Player
from tests.pages.furnished import furnished
from tests.seeding import entropy
from tests.workers.serving import PATIENCE_SECONDS, Client, Serving, serving

GOLDEN = Path(__file__).parent.parent / "golden"


NOBODY_THERE: Final[Mapping[str, Any]] = {
    "ESPORLES_DEMO": "1",
    "ESPORLES_ANALYSIS_TRIES": "100",
    "ESPORLES_OPENID_ISSUER": "http://localhost:9",
    "ESPORLES_OPENID_CLIENT": "esporles",
    "ESPORLES_OPENID_SECRET": "a secret",
    "ESPORLES_OPENID_LABEL": "Esporles Chess Club",
}
"""A house with a demonstration, with quick analyses, and with a provider that never answers: its button stands on the
pages all the same."""


@pytest.fixture(scope="session")
def house_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("house")


@pytest.fixture(scope="session")
def house(house_folder: Path) -> Iterator[Serving]:
    with serving(house_folder, **NOBODY_THERE) as house:
        yield house


KEEPER: Final = {"name": "Ramon", "password": "correct horse battery"}
"""Whose house it is. Rooms are furnished as them later: somebody else sits down from a browser, because whoever has a
browser's key signs all they decide from then on."""


def named(person: Client) -> str:
    return str(person.get("/me")["person"]["name"])


def at_a_browser(person: Client, player: Player) -> Player:
    """A member of the house, signed in there too."""
    player.signs_in(named(person), KEEPER["password"])
    return player


@pytest.fixture(scope="session")
def operator(house: Serving, house_folder: Path) -> Client:
    """A program of who runs the house."""
    nobody = Client(house.started.url)
    with closing(People(settings_for(house_folder).people_place, entropy())) as people:
        people.create(KEEPER["name"], KEEPER["password"], datetime.now(UTC), role="operator")
    return Client(house.started.url, nobody.post("/tokens", KEEPER)["secret"])


@pytest.fixture(scope="session")
def played(operator: Client, house_folder: Path) -> Iterator[Callable[[str], str]]:
    """Brings a golden match into the house; its id. Its entries are told in words then."""

    def brought(name: str) -> str:
        log = (GOLDEN / f"{name}.jsonl").read_bytes()
        status, answer = operator.send("/logs", log)
        assert status in {200, 201}, answer
        given_up = monotonic() + PATIENCE_SECONDS
        while not replay.lines(reads, UUID(answer["matchId"]), answer["version"] - 1, 1):
            assert monotonic() < given_up, f"nobody has followed {name} to its entry {answer['version']}"
        return str(answer["matchId"])

    reads = ReadStore(settings_for(house_folder).reads_url)
    yield brought
    reads.close()


@pytest.fixture(scope="session")
def furniture(house: Serving, house_folder: Path, operator: Client, played: Callable[[str], str]) -> dict[str, str]:
    """What the addresses of pages have in their braces."""
    return furnished(house, house_folder, operator, played)


@pytest.fixture
def sit_down(browser: Browser, house: Serving) -> Iterator[Callable[..., Player]]:
    """A new person at a browser; nothing a browser complains about goes unnoticed."""
    players: list[Player] = []

    def new(size: Any = DESK, *, is_asked_first: bool = False) -> Player:
        players.append(Player(browser, house.started.url, size, is_asked_first=is_asked_first))
        return players[-1]

    yield new
    for player in players:
        player.page.context.close()
    assert [complaint for player in players for complaint in player.complaints] == []
