"""Tournaments in every state, examined in every language: in play, ended, and with an impossible pairing."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.pages.browsing import PHONE
from tests.pages.conftest import OPERATOR
from tests.pages.page_checks import Reader, violations
from tests.pages.sample_content import put, until
from tests.workers.serving import Client, Serving

pytestmark = [pytest.mark.chromium, pytest.mark.walk(one_in=2)]

PLAN = {
    "size": 2,
    "stages": [{"kind": "swiss", "rounds": 1}],
    "scoring": {"points": [{"size": 2, "points": [300, 60]}]},
}
NAMES = ("Ana", "Blai", "Clara", "Dolors")


@pytest.fixture(scope="module")
def reader(browser: Browser, service: Serving, operator: Client) -> Iterator[Reader]:
    """Sign in the organiser of these tournaments."""
    assert operator.get("/me")["role"] == "operator"
    reader = Reader(browser, service.started.url)
    reader.signs_in(**OPERATOR)
    yield reader
    reader.page.context.close()


def open_tournament(organiser: Client, name: str, title: str, **plan: object) -> str:
    return str(organiser.post("/tournaments", {"plan": {"name": name, "title": title, **PLAN, **plan}})["eventId"])


def start_first_round(organiser: Client, event: str) -> None:
    """Pair and publish the first round and wait until its matches are open."""
    path = f"/tournaments/{event}"
    organiser.post(f"{path}/pairings", {})
    until(organiser, path, lambda response: bool(response["rounds"]) and response["rounds"][-1]["status"] == "proposed")
    organiser.post(f"{path}/rounds/1/publication", {})
    until(organiser, path, lambda response: response["rounds"][-1]["status"] == "opened")


@pytest.fixture(scope="module", params=["la_granja", "el_grande"])
def at_play(request: pytest.FixtureRequest, service: Serving, operator: Client) -> str:
    """Return a tournament in which a person is to act at a table with a bot."""
    event, player = open_tournament(operator, "Copa", request.param), service.player()
    path = f"/tournaments/{event}"
    player.post(f"{path}/entries", {})
    operator.post(f"{path}/entries", {"bot": "random"})
    start_first_round(operator, event)
    match_id = operator.get(path)["rounds"][0]["tables"][0]["matchId"]
    player.post(f"/matches/{match_id}/ready", {})
    return event


@pytest.fixture(scope="module")
def ended_event(operator: Client) -> str:
    """Return an ended face-to-face tournament of four people."""
    event = open_tournament(operator, "Lliga", "el_grande", faceToFace=True)
    path = f"/tournaments/{event}"
    for name in NAMES:
        operator.post(f"{path}/entries", {"name": name})
    start_first_round(operator, event)
    for table in (1, 2):
        put(operator, f"{path}/rounds/1/tables/{table}/result", {"scores": [70, 60], "places": [1, 2]})
    operator.post(f"{path}/rounds/1/closing", {})
    return event


@pytest.fixture(scope="module")
def failed_event(operator: Client) -> str:
    """Return a tournament whose constraints allow no pairing."""
    event = open_tournament(operator, "Trofeu", "el_grande", faceToFace=True, size=4, smallest=4)
    path = f"/tournaments/{event}"
    for name in (*NAMES, "Eulàlia", "Francesc", "Gemma", "Hug"):
        operator.post(f"{path}/entries", {"name": name})
    put(operator, f"{path}/pairs", {"forbidden": [["e1", "e2"], ["e2", "e3"], ["e1", "e3"]]})
    operator.post(f"{path}/pairings", {})
    until(operator, path, lambda response: bool(response["rounds"]) and response["rounds"][-1]["status"] == "failed")
    return event


@pytest.mark.walk
def test_axe_finds_nothing_on_a_tournament_in_play(reader: Reader, at_play: str) -> None:
    reader.goes(f"/events/{at_play}")
    reader.looks_until(".miniature")

    assert violations(reader, f"/events/{at_play}") == {}


def test_axe_finds_nothing_on_an_ended_tournament(reader: Reader, ended_event: str) -> None:
    reader.goes(f"/events/{ended_event}")

    assert reader.page.locator(".event-podium li").count() >= 2
    assert violations(reader, f"/events/{ended_event}") == {}


def test_axe_finds_nothing_on_a_failed_pairing(reader: Reader, failed_event: str) -> None:
    reader.goes(f"/events/{failed_event}/desk")

    assert reader.page.locator(".notice.warn li").count() >= 1
    assert violations(reader, f"/events/{failed_event}/desk") == {}


def test_short_names_fit_on_one_line_on_a_phone(reader: Reader, ended_event: str) -> None:
    reader.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    reader.goes(f"/events/{ended_event}/standings")

    lines = reader.page.eval_on_selector_all(
        ".event-standings th[scope=row]",
        """names => names.map(name => {
          const range = document.createRange();
          range.selectNodeContents(name);
          return [name.textContent.trim(), range.getClientRects().length];
        })""",
    )

    assert sorted(map(tuple, lines)) == [(name, 1) for name in NAMES]
