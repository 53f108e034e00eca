"""Fixtures: one browser, and one whole service for the tests of pages."""

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
from tests.pages.ranked_month import close_past_month
from tests.pages.sample_content import create_content
from tests.seeding import entropy
from tests.workers.serving import PATIENCE_SECONDS, Client, Serving, serving

GOLDEN = Path(__file__).parent.parent / "golden"


SETTINGS: Final[Mapping[str, Any]] = {
    "ESPORLES_DEMO": "1",
    "ESPORLES_ANALYSIS_TRIES": "100",
    "ESPORLES_OPENID_ISSUER": "http://localhost:9",
    "ESPORLES_OPENID_CLIENT": "esporles",
    "ESPORLES_OPENID_SECRET": "a secret",
    "ESPORLES_OPENID_LABEL": "Esporles Chess Club",
}
"""Settings: a demonstration, quick analyses, and an unreachable sign-in provider, whose button is shown nevertheless.
"""


@pytest.fixture(scope="session")
def service_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("service")


@pytest.fixture(scope="session")
def ranked_ids(service_folder: Path) -> dict[str, str]:
    """Close a month of a ranking list before the service starts; return the placeholders of its pages."""
    return close_past_month(service_folder)


@pytest.fixture(scope="session")
def service(service_folder: Path, ranked_ids: dict[str, str]) -> Iterator[Serving]:
    assert ranked_ids
    with serving(service_folder, **SETTINGS) as service:
        yield service


OPERATOR: Final = {"name": "Ramon", "password": "correct horse battery"}
"""The operator. They create the content of pages only over the API: people with a browser key must sign their
decisions.
"""


def fetch_name(person: Client) -> str:
    return str(person.get("/me")["person"]["name"])


def at_a_browser(person: Client, player: Player) -> Player:
    """Sign the account in at a browser."""
    player.signs_in(fetch_name(person), OPERATOR["password"])
    return player


@pytest.fixture(scope="session")
def operator(service: Serving, service_folder: Path) -> Client:
    """Return an API client of the operator."""
    anonymous = Client(service.started.url)
    with closing(People(settings_for(service_folder).people_place, entropy())) as people:
        people.create(OPERATOR["name"], OPERATOR["password"], datetime.now(UTC), role="operator")
    return Client(service.started.url, anonymous.post("/tokens", OPERATOR)["secret"])


@pytest.fixture(scope="session")
def import_golden(operator: Client, service_folder: Path) -> Iterator[Callable[[str], str]]:
    """Return a function that imports a golden match, waits for its narration, and returns its id."""

    def import_log(name: str) -> str:
        log = (GOLDEN / f"{name}.jsonl").read_bytes()
        status, response = operator.send("/logs", log)
        assert status in {200, 201}, response
        deadline = monotonic() + PATIENCE_SECONDS
        while not replay.lines(reads, UUID(response["matchId"]), response["version"] - 1, 1):
            assert monotonic() < deadline, f"nobody has followed {name} to its entry {response['version']}"
        return str(response["matchId"])

    reads = ReadStore(settings_for(service_folder).reads_url)
    yield import_log
    reads.close()


@pytest.fixture(scope="session")
def content_ids(
    service: Serving,
    service_folder: Path,
    operator: Client,
    import_golden: Callable[[str], str],
    ranked_ids: dict[str, str],
) -> dict[str, str]:
    """Return the ids that fill the placeholders of page addresses."""
    return ranked_ids | create_content(service, service_folder, operator, import_golden)


@pytest.fixture
def new_player(browser: Browser, service: Serving) -> Iterator[Callable[..., Player]]:
    """Return a function that creates a person at a browser; fail at the end if any browser complained."""
    players: list[Player] = []

    def create(size: Any = DESK, *, with_confirmation: bool = False) -> Player:
        players.append(Player(browser, service.started.url, size, with_confirmation=with_confirmation))
        return players[-1]

    yield create
    for player in players:
        player.page.context.close()
    assert [complaint for player in players for complaint in player.complaints] == []
