"""The rules of a title in a browser: searched, and opened from the table."""

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.pages.browsing import Player

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]
SHOWN: Final = ".rule:not([hidden])"


def test_a_search_filters_paragraphs_and_a_link_shows_all_again(new_player: NewPlayer) -> None:
    player = new_player()
    page = player.page
    player.goes("/rules/la_granja")
    rule_count = page.locator(".rule").count()

    page.fill("#rule-search", "CASTÍLLO stall édge")
    expect(page.locator(SHOWN)).to_have_count(0)
    expect(page.locator("#rule-none")).to_be_visible()
    page.fill("#rule-search", "LG-6.4.1")
    expect(page.locator(SHOWN)).to_have_id("stalls")
    page.fill("#rule-search", "STÁLLS Sháre")
    expect(page.locator(SHOWN)).to_have_id("stalls")
    expect(page.locator("#rule-found")).to_have_text(f"1 of {rule_count} paragraphs")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_role("navigation", name="Contents")).to_be_hidden()
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("navigation", name="Contents").get_by_role("link").first.click()

    expect(page.locator(SHOWN)).to_have_count(rule_count)
    assert not player.complaints


def test_a_reason_at_the_table_links_to_its_rule(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(1)
    assert player.has_choice()

    player.page.locator('.field [data-part="growth"]').click()
    with player.page.expect_popup() as popup:
        player.page.locator("#why-rule").click()

    rules = popup.value
    rules.wait_for_url("**/rules/la_granja#*")
    expect(rules.locator(".rule:target")).to_be_visible()
    assert not player.complaints
