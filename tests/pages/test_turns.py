"""A player's turn is shown on every page: by the tab's title, its icon, and the header."""

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.pages.browsing import Player

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]
ONE: Final = re.compile(r"^\(1\) ")
FOLLOWED: Final = """told =>
  fetch('/turns').then(answer => answer.text()).then(html => html.includes('data-count') === told)"""
"""Whether the list of turns is in the expected state: with a turn, or empty."""


def demand_marked(page: Page, *, is_marked: bool) -> None:
    icon = "/static/esporles-turn.svg" if is_marked else "/static/esporles.svg"
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", icon)
    (expect(page).to_have_title if is_marked else expect(page).not_to_have_title)(ONE)


def test_a_turn_is_shown_in_title_icon_and_header_of_every_page(new_player: NewPlayer) -> None:
    player = new_player()
    page = player.page
    path = player.plays_against(1)
    assert player.has_choice()
    demand_marked(page, is_marked=True)
    page.wait_for_function(FOLLOWED, arg=True)

    for elsewhere in ("/learn", "/rules/la_granja", "/preferences"):
        player.goes(elsewhere)
        demand_marked(page, is_marked=True)
        expect(page.locator("#turns summary")).to_have_text(re.compile("Your turn *1"))
    page.locator("#turns summary").click()
    page.locator(f"#turns a[href='{path}']").click()
    page.wait_for_url(f"**{path}")

    assert player.has_choice()
    page.locator(".more > details > summary").click()
    page.locator("#leave-by-resigning summary").click()
    page.locator("form[action$='/resign'] button").click()
    page.locator("#result, .result").first.wait_for()
    demand_marked(page, is_marked=False)
    page.wait_for_function(FOLLOWED, arg=False)
    player.goes("/learn")
    expect(page.locator("#turns summary")).to_have_count(0)
    demand_marked(page, is_marked=False)
