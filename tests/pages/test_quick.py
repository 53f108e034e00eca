"""Quick pairing in a browser: two people join one pool and are seated at one table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.pages.browsing import PHONE, Player

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]
TWO = "la_granja.2.match-600-20.casual"


@pytest.mark.walk
def test_two_people_join_a_pool_and_play(new_player: NewPlayer) -> None:
    ann, ben = new_player(), new_player(PHONE)
    ann.goes("/")
    first_button = ann.page.locator(f"button[value='{TWO}']")
    ann.follows(first_button, "**/quick")
    expect(ann.page.locator("#quick-place")).to_contain_text("Waiting for a table.")
    expect(ann.page.locator(".wait-clock")).to_contain_text(":")

    # The home page shows others that a person waits; its filter is kept.
    ben.goes("/")
    assert not ben.is_wider_than_the_window
    ben.page.locator("form.filter select").select_option("el_grande")
    ben.follows("form.filter button")
    ben.goes("/")
    expect(ben.page.locator("form.filter select")).to_have_value("el_grande")
    second_button = ben.page.locator(f"button[value='{TWO}']")
    expect(second_button).to_contain_text("1 waiting")

    # Leaving and rejoining take effect at once.
    ann.follows(ann.page.get_by_role("button", name="Stop waiting"))
    expect(second_button).to_contain_text("no one yet")
    ann.follows(first_button, "**/quick")
    ben.follows(second_button, "**/quick")
    for player in (ann, ben):
        player.page.wait_for_url("**/tables/*")
    assert ann.here == ben.here

    # A player who returns to the lobby is not redirected to the table again.
    ben.goes("/quick")
    expect(ben.page.locator("#quick-place")).to_contain_text("Your table is ready.")
    ben.follows(ben.page.get_by_role("link", name="Go to the table"))
    for player in (ann, ben):
        player.page.locator("#actions").get_by_role("button", name="Ready").click()
    ann.awaits_the_start()

    # Players see presence, typing and spectators, except of people who hide their presence.
    presence = ann.page.locator("#seats .presence")
    expect(presence).to_have_text("online")
    for player in (ann, ben):
        player.page.locator("#talk > summary").click()
    ben.page.locator("#talk textarea").press_sequentially("Hello")
    expect(presence).to_have_text("typing")
    expect(ann.page.locator(".talk-typing")).to_contain_text("is typing")
    spectator = new_player()
    spectator.goes(ann.here)
    expect(ann.page.locator("#watchers")).to_have_text("1 person is watching")
    expect(presence).to_have_text("online")
    ben.page.goto("about:blank")
    expect(presence).to_have_text("away")
    ben.goes("/preferences")
    ben.page.get_by_label("Show others that I am at the table").select_option("hidden")
    ben.follows(ben.page.get_by_role("button", name="Save preferences"))
    ben.goes(ann.here)
    spectator.page.goto("about:blank")
    expect(ann.page.locator("#watchers")).to_be_hidden()
    expect(presence).to_be_hidden()
