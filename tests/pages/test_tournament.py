"""A small tournament in a browser: an organiser, a player, and three bots."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.pages.browsing import PHONE, Player
from tests.workers.serving import Client, Serving

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]
ROUNDS = 2
POINTS = "5 1"
"""Points of first and second place at a table of this tournament."""


def gives_up(player: Player) -> None:
    """Go to the table of the round, bring a share of chance, and resign."""
    page = player.page
    player.follows("text=Go to your table")
    page.wait_for_selector(".more > details > summary")
    page.evaluate("document.querySelector(\"form[action$='/resign']\").requestSubmit()")
    page.wait_for_selector("#actions .result")


def announce_event(organiser: Player) -> str:
    """Announce a tournament at tables of two with custom points and a text; return its path."""
    page = organiser.page
    organiser.goes("/events/new")
    page.fill("input[name=name]", "Copa del poble")
    page.fill("textarea[name=text]", "Sopar a les nou.")
    page.select_option("select[name=size]", "2")
    page.fill("input[name=rounds]", str(ROUNDS))
    page.click("text=Custom points by place")
    page.fill("input[name='points.2']", POINTS)
    organiser.follows("#open-event", "**/desk")
    return "/events/" + page.url.split("/")[-2]


def previews_and_publishes(organiser: Player, event: str) -> None:
    """Check the proposal's reasons, keep one table, and pair the rest again."""
    page = organiser.page
    organiser.goes(f"{event}/desk")
    organiser.follows("#pair", "**/desk")
    organiser.looks_until("#publish")
    assert page.locator(".event-table").count() == 2
    page.locator(".event-table summary").first.click()
    expect(page.locator(".event-table .why li").first).to_be_visible()
    people = page.locator(".event-table").first.locator(".bench-person").all_inner_texts()
    page.locator(".event-table input[type=checkbox]").first.check()
    organiser.follows("text=Re-pair other tables", "**/desk")
    organiser.looks_until(".event-table input[type=checkbox]:checked")
    locked = page.locator(".event-table", has=page.locator("input:checked")).locator(".bench-person")
    assert sorted(locked.all_inner_texts()) == sorted(people)
    organiser.follows("#publish", "**/desk")


@pytest.mark.walk
def test_a_small_tournament_of_one_player_and_three_bots(new_player: NewPlayer, service: Serving) -> None:
    organiser, player = new_player(), new_player(PHONE)
    organiser.sign_in_as_guest()
    player.sign_in_as_guest()
    event = announce_event(organiser)
    organiser.goes(f"{event}/desk/people")
    organiser.page.select_option("select[name=bot]", "random")
    organiser.page.fill("input[name=count]", "3")
    organiser.follows("#enter-bots", "**/desk/people")
    expect(organiser.page.locator("#registration")).to_contain_text("(3)")
    organiser.goes(f"{event}/desk/word")
    organiser.page.fill("form[action$='/announce'] textarea", "Comencem.")
    organiser.follows("form[action$='/announce'] button.primary", "**/desk/word")
    player.goes(event)
    expect(player.page.locator("main")).to_contain_text("Comencem.")
    player.follows("#take-part")
    expect(player.page.locator("main")).to_contain_text("You are registered.")

    for number in range(1, ROUNDS + 1):
        previews_and_publishes(organiser, event)
        player.goes(event)
        yours = f"section[aria-labelledby=round-{number}] .yours"
        player.page.wait_for_selector(f"{yours} a:has-text('Go to your table')")
        assert not player.is_wider_than_the_window
        organiser.goes(event)
        tables = organiser.page.locator(f"section[aria-labelledby=round-{number}] .event-table")
        gives_up(player)
        # The organiser's page receives both results by its stream.
        for table in (0, 1):
            expect(tables.nth(table).locator(".event-place").first).to_be_visible()
        organiser.goes(f"{event}/desk")
        organiser.looks_until("text=2 of 2 tables are over")
        organiser.follows("#close", "**/desk")

    expect(organiser.page.locator("main")).to_contain_text("The tournament is over.")
    player.goes(event)
    expect(player.page.locator(".event-podium li").first).to_contain_text("1.")
    player.goes(f"{event}/crosstable")
    expect(player.page.locator(".event-crosstable tbody tr")).to_have_count(4)
    player.goes(f"{event}/standings")
    ranks = player.page.locator(".event-standings tbody td.rank").all_inner_texts()
    tournament: Any = Client(service.started.url).get(event.replace("/events/", "/tournaments/"))
    own_entry = next(entry["entry"] for entry in tournament["entries"] if entry["kind"] == "person")
    pairings = [frozenset(table["entries"]) for each in tournament["rounds"] for table in each["tables"]]
    assert len(ranks) == 4
    assert tournament["status"] == "ended"
    assert len(set(pairings)) == 2 * ROUNDS
    assert all(table["places"] for each in tournament["rounds"] for table in each["tables"])
    standings = Client(service.started.url).get(event.replace("/events/", "/tournaments/") + "/standings")["standings"]
    last = standings[-1]
    assert (last["entry"], last["points"], last["played"]) == (own_entry, str(ROUNDS * int(POINTS.split()[1])), ROUNDS)
    expect(player.page.locator("tr.you")).to_have_count(1)
