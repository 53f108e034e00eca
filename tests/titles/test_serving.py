"""A title from outside the product, played by the real processes, which only know it from the list."""

import re
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from api.http.preferences import COOKIE as PREFERENCES
from domain.kernel.rules import Seat
from domain.matches.aggregate import legal_actions
from domain.matches.apply import fold
from domain.matches.log.log_files import parse_log
from domain.matches.verification.verify import verify
from tests.titles.launcher import LONGER_LIST, RUN
from tests.workers.serving import PATIENCE_SECONDS, Client, Serving, serving

pytestmark = pytest.mark.chromium

BOT = "bot:random@1"
RATED = {"rated": True, "clock": {"kind": "per_move", "seconds": 600}}
PLAN = {"name": "Regatta", "title": "corsairs", "size": 2, "smallest": 2, "auto": True}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("data"), run=RUN) as service:
        yield service


@pytest.fixture(scope="module")
def ended_match(service: Serving) -> str:
    """Return a rated match of bots that has ended."""
    client = service.player()
    wanted = {"title": "corsairs", "seats": 3, "table": RATED}
    match_id: str = client.post("/matches", wanted)["matchId"]
    for seat in range(3):
        client.post(f"/matches/{match_id}/seats", {"seat": seat, "bot": "random"})
    assert client.wait_for_end(match_id)["status"] == "ended"
    return match_id


def page_of(service: Serving, path: str) -> str:
    """Return the HTML of a page."""
    parts = urlsplit(service.started.url)
    assert parts.hostname is not None
    connection = HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE_SECONDS)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read().decode()
        assert answer.status == 200, (path, answer.status, body)
        return body
    finally:
        connection.close()


def refusal_code(client: Client, path: str, wanted: object) -> str:
    """Return the error code of a refusal that names bot and title."""
    status, problem = client.ask("POST", path, wanted)
    assert status == 422, problem
    assert "'greedy'" in problem["detail"]
    assert "corsairs" in problem["detail"]
    code: str = problem["code"]
    return code


def is_true(client: Client, match_id: str) -> bool:
    """Return whether the log of the match verifies, legality included."""
    status, log = client.fetch("GET", f"/matches/{match_id}/log")
    assert status == 200, log
    return verify(parse_log(log), titles=LONGER_LIST).is_good


def test_a_match_of_bots_is_played_replayed_and_verified(service: Serving, ended_match: str) -> None:
    assert is_true(service.player(), ended_match)
    replay = page_of(service, f"/tables/{ended_match}/replay")
    assert "Replay: Corsairs" in replay
    assert "<h2>The table</h2>" in replay


def test_a_title_without_cards_has_no_cards_page(service: Serving) -> None:
    with pytest.raises(AssertionError, match="422"):
        page_of(service, "/cards/corsairs")


def test_the_lobby_offers_it_with_the_bots_that_can_play_it(service: Serving) -> None:
    lobby = page_of(service, "/")
    offer = lobby[lobby.index('id="offer-corsairs"') :]
    offer = offer[: offer.index("</article>")]
    assert '<option value="random" selected>' in offer
    assert "greedy" not in offer
    assert "/cards/corsairs" not in offer
    assert "A short cruise" in page_of(service, "/open/corsairs")


def test_a_bot_that_cannot_play_the_title_gets_no_seat(service: Serving, ended_match: str) -> None:
    client = service.player()
    match_id = client.post("/matches", {"title": "corsairs", "seats": 2})["matchId"]
    assert refusal_code(client, f"/matches/{match_id}/seats", {"seat": 1, "bot": "greedy"}) == "bot/cannot_play"

    client.post(f"/matches/{match_id}/seats", {"seat": 0})
    client.post(f"/matches/{match_id}/seats", {"seat": 1, "bot": "random"})
    client.post(f"/matches/{match_id}/ready", {})
    assert refusal_code(client, f"/matches/{match_id}/seats/0/player", {"bot": "greedy"}) == "bot/cannot_play"
    client.post(f"/matches/{match_id}/seats/0/player", {"bot": "random"})
    assert client.wait_for_end(match_id)["status"] == "ended"


def test_a_fork_is_continued_from_its_entry(service: Serving, ended_match: str) -> None:
    client = service.player()
    opened = client.get(f"/matches/{ended_match}")
    fork = client.post(f"/matches/{ended_match}/forks", {"at": opened["version"] - 4, "luck": "fresh"})["matchId"]
    assert client.wait_for_end(fork)["status"] == "ended"
    assert is_true(client, fork)


def test_a_study_plays_a_variation(service: Serving, ended_match: str) -> None:
    client = service.player()
    study = client.post(f"/matches/{ended_match}/annotations", {"title": "What if"})["id"]
    _, log = client.fetch("GET", f"/matches/{ended_match}/log")
    entries = parse_log(log).entries
    begun = next(entry.version for entry in entries if b'"match_started"' in bytes(entry.body))
    at_start = fold(LONGER_LIST, entries[:begun])
    strength = legal_actions(at_start, Seat(0))[0].strength
    step = {"action": {"type": "corsairs.send_ship", "strength": strength}, "seat": 0}
    answer = client.post(f"/studies/{study}/variations", {"entry": begun, "steps": [step]})
    assert len(answer["variations"]) == 1

    status, problem = client.ask(
        "POST", f"/studies/{study}/variations", {"entry": begun, "steps": [{"action": {"type": "corsairs.sail"}}]}
    )
    assert status == 400, problem


def test_an_unknown_action_is_refused_by_its_path(service: Serving, ended_match: str) -> None:
    client = service.player()
    wanted = {"expectedVersion": 1, "action": {"type": "corsairs.sail"}}
    status, problem = client.ask("POST", f"/matches/{ended_match}/actions", wanted)
    assert status == 400, problem


@pytest.mark.walk
def test_a_tournament_of_bots_is_played_and_rated(service: Serving, browser: Browser) -> None:
    client = service.operator()
    plan = PLAN | {"stages": [{"kind": "swiss", "rounds": 2}], "table": RATED}
    assert refusal_code(client, "/tournaments", {"plan": plan | {"bot": "bot:greedy@2"}}) == "bot/cannot_play"
    event = client.post("/tournaments", {"plan": plan})["eventId"]
    assert refusal_code(client, f"/tournaments/{event}/entries", {"bot": "greedy"}) == "bot/cannot_play"
    client.post(f"/tournaments/{event}/entries", {"bot": "random", "count": 4})
    client.post(f"/tournaments/{event}/pairings", {})

    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{service.started.url}events/{event}")
        expect(page.get_by_text("Corsairs, 2-player tables").first).to_be_visible()
        expect(page.locator("body")).to_contain_text("Final standings", timeout=PATIENCE_SECONDS * 1_000)
        page.goto(f"{service.started.url}rankings/corsairs/2")
        expect(page.locator("h1")).to_contain_text("Corsairs")
        page.goto(f"{service.started.url}players/{BOT}")
        expect(page.locator("body")).to_contain_text("Corsairs")
        expect(page.locator("body")).to_contain_text("Ships sent")


def test_a_league_takes_no_bot_that_cannot_play_it(service: Serving) -> None:
    client = service.player()
    plan: dict[str, Any] = {"name": "Fleets", "title": "corsairs", "size": 2, "table": {}}
    plan["divisions"] = [{"name": "All", "groups": 0, "places": 4}]
    assert refusal_code(client, "/leagues", {"plan": plan | {"bot": "bot:greedy@2"}}) == "bot/cannot_play"
    league = client.post("/leagues", {"plan": plan})["leagueId"]
    assert refusal_code(client, f"/leagues/{league}/entries", {"player": "bot:greedy@2"}) == "bot/cannot_play"


def test_a_person_plays_with_the_plain_drawing(service: Serving, browser: Browser) -> None:
    with browser.new_context() as context:
        context.add_cookies([{"name": PREFERENCES, "value": "confirm-never", "url": service.started.url}])
        page = context.new_page()
        page.set_default_timeout(PATIENCE_SECONDS * 1_000)
        page.goto(f"{service.started.url}open/corsairs")
        page.get_by_role("heading", name=re.compile("Corsairs")).wait_for()
        page.goto(service.started.url)
        offer = page.locator("article", has=page.locator("#offer-corsairs"))
        offer.locator("select[name=bots]").select_option("1")
        offer.locator("details.variants summary").click()
        offer.get_by_label("A short cruise").check()
        offer.get_by_role("button", name="Play against bots").click()
        for count in (3, 2, 1):
            buttons = page.locator("#actions:not([inert]) .actions button")
            expect(buttons).to_have_count(count)
            buttons.first.click()
        expect(page.locator("#actions .result")).to_be_visible()
        expect(page.locator("h1")).to_contain_text("Corsairs")
