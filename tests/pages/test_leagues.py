"""A season of bots organised in a browser: tables, rankings and player pages."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.pages.browsing import DESK, PHONE, Player
from tests.pages.page_checks import Reader, violations
from tests.workers.serving import Client, Serving

pytestmark = pytest.mark.chromium

BOTS = ("bot:greedy@1", "bot:random@1")


@pytest.fixture(scope="module")
def organiser(browser: Browser, service: Serving) -> Iterator[Reader]:
    """Sign in a guest with a phone, who holds the role that opens rated leagues."""
    organiser = Reader(browser, service.started.url, PHONE)
    organiser.plays_against(1, "el_grande")
    person = organiser.page.request.get(f"{service.started.url}/api/me").json()["person"]["id"]
    service.operator().post("/roles", {"person": person, "role": "organiser"})
    yield organiser
    organiser.page.context.close()


@pytest.fixture(scope="module")
def season(organiser: Reader) -> str:
    """Play a season, close it, and return its path."""
    page = organiser.page
    organiser.goes("/leagues")
    page.get_by_label("Name", exact=True).fill("Copa dels robots")
    page.locator("select[name=title]").select_option("el_grande")
    page.locator("select[name=size]").select_option("2")
    organiser.follows(page.get_by_role("button", name="Create league"))
    page.get_by_label("Name of the next season").fill("Primavera")
    organiser.follows(page.get_by_role("button", name="Open registration"))
    for bot in BOTS:
        page.get_by_label("Invite a player by name, or add a bot").fill(bot)
        organiser.follows(page.get_by_role("button", name="Add", exact=True))
    organiser.follows(page.get_by_role("button", name="Draw groups"))
    organiser.follows(page.get_by_role("button", name="Open round 1"))
    page.wait_for_selector(".fixtures")
    organiser.looks_until("text=View match")
    path = organiser.here
    organiser.follows(page.get_by_role("button", name="Close season"))
    page.get_by_role("button", name="Sign and send").click()
    page.wait_for_selector("text=Hall of fame")
    return path


@pytest.mark.walk("season")
def test_the_season_has_a_champion(organiser: Reader, season: str) -> None:
    organiser.goes(season.partition("/seasons")[0])

    assert organiser.page.locator("#fame").count() == 1
    assert not organiser.is_wider_than_the_window


@pytest.mark.walk("season")
@pytest.mark.parametrize("kind", ["league", "season", "ranking", "player"])
def test_axe_finds_nothing_on_pages_of_a_played_season(organiser: Reader, season: str, kind: str) -> None:
    paths = {
        "league": season.partition("/seasons")[0],
        "season": season,
        "ranking": "/rankings/el_grande/2",
        "player": f"/players/{BOTS[0]}",
    }

    assert violations(organiser, paths[kind]) == {}
    assert not organiser.is_wider_than_the_window


@pytest.mark.walk("season")
def test_the_bots_are_ranked_apart_from_people(organiser: Reader, season: str) -> None:
    del season
    organiser.speaks("en")
    organiser.goes("/rankings/el_grande/2")
    organiser.looks_until("section:has(#bots) tbody tr", len(BOTS))

    assert organiser.page.locator("section:has(#people) tbody tr").count() == 0


@pytest.mark.walk("season")
@pytest.mark.walk
def test_a_league_match_begins_when_both_players_have_opened_it(
    browser: Browser, service: Serving, season: str
) -> None:
    """The match begins without further input once both players have opened their table."""
    players = [Player(browser, service.started.url, size) for size in (DESK, PHONE)]
    for player in players:
        player.sign_in_as_guest()
    organiser, page = players[0], players[0].page
    organiser.goes("/leagues")
    page.get_by_label("Name", exact=True).fill("Copa de dues")
    page.locator("select[name=title]").select_option("el_grande")
    page.locator("select[name=size]").select_option("2")
    organiser.follows(page.get_by_role("button", name="Create league"))
    league = organiser.here
    page.get_by_label("Name of the next season").fill("Tardor")
    organiser.follows(page.get_by_role("button", name="Open registration"))
    for player in players:
        player.goes(league)
        player.follows(f"form[action='{league}/enter'] button")
    organiser.goes(league)
    organiser.follows(page.get_by_role("button", name="Draw groups"))
    organiser.follows(page.get_by_role("button", name="Open round 1"))
    page.wait_for_selector(".fixtures")
    organiser.looks_until("text=Go to the table")
    organiser.follows("text=Go to the table")
    players[1].goes(organiser.here)
    for player in players:
        player.page.wait_for_selector("#actions > :not(.gathering)")
    entries = Client(service.started.url).get(f"/matches/{organiser.here.rpartition('/')[2]}/entries")["entries"]

    assert [entry["body"].get("shareBy") for entry in entries if entry["body"]["type"] == "share_committed"] == [
        "client",
        "client",
    ]
    assert not any(entry["body"].get("by") == "service" for entry in entries if entry["body"]["type"] == "seat_ready")
    for player in players:
        player.page.context.close()
