"""Quick pairing in a real browser: two people press one pool and sit at one table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.pages.browsing import PHONE, Player

pytestmark = [pytest.mark.chromium, pytest.mark.xdist_group("chromium")]

SitDown = Callable[..., Player]
TWO = "la_granja.2.match-600-20.casual"


def test_two_people_press_a_pool_and_play(sit_down: SitDown) -> None:
    ann, ben = sit_down(), sit_down(PHONE)
    ann.goes("/")
    pool = ann.page.locator(f"button[value='{TWO}']")
    ann.follows(pool, "**/quick")
    expect(ann.page.locator("#quick-place")).to_contain_text("You are waiting for a table.")
    expect(ann.page.locator(".wait-clock")).to_contain_text(":")

    # The first page tells others that somebody waits; a filter there stays.
    ben.goes("/")
    assert not ben.is_wider_than_the_window
    ben.page.locator("form.filter select").select_option("el_grande")
    ben.follows("form.filter button")
    ben.goes("/")
    expect(ben.page.locator("form.filter select")).to_have_value("el_grande")
    waiting = ben.page.locator(f"button[value='{TWO}']")
    expect(waiting).to_contain_text("1 waiting")

    ann.page.screenshot(path="/tmp/q1.png"); ben.page.screenshot(path="/tmp/q2.png", full_page=True); ann.page.set_viewport_size({"width":1440,"height":900}); ann.page.screenshot(path="/tmp/q3.png", full_page=True)
    # Leaving is at once, and so is coming back.
    ann.follows(ann.page.get_by_role("button", name="Stop waiting"))
    expect(waiting).to_contain_text("nobody yet")
    ann.follows(pool, "**/quick")
    ben.follows(waiting, "**/quick")
    for player in (ann, ben):
        player.page.wait_for_url("**/tables/*")
    assert ann.here == ben.here

    # Who goes back to the lobby is not sent to the table a second time.
    ben.goes("/quick")
    expect(ben.page.locator("#quick-place")).to_contain_text("Your table is ready.")
    ben.follows(ben.page.get_by_role("link", name="To the table"))
    for player in (ann, ben):
        player.page.locator("#actions").get_by_role("button", name="Ready").click()
    ann.awaits_the_start()
