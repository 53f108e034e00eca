"""Explanations of terms and cards next to the board: on hover, tap and focus."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.pages.browsing import PHONE, Player
from tests.seeding import one_in

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]

BOX: Final = "#beside"
COVERS: Final = """element => {
  const over = (one, two) =>
    one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom;
  const box = document.getElementById('beside').getBoundingClientRect();
  const at = document.querySelector('#actions .dock').getBoundingClientRect();
  const inside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
  return [over(box, element.getBoundingClientRect()), over(box, at), !inside];
}"""
"""Whether the box covers the explained term or the current question, or leaves the window."""


def lies_beside(page: Page, selector: str) -> bool:
    """Return whether the box is entirely visible and covers neither the explained term nor the current question."""
    faults: list[bool] = page.locator(selector).first.evaluate(COVERS)
    return not any(faults)


@pytest.mark.walk
@pytest.mark.parametrize("title", one_in(2, ["la_granja", "el_grande"], "terms"))
def test_a_term_opens_its_paragraph_on_hover_press_and_keys(new_player: NewPlayer, title: str) -> None:
    player = new_player()
    player.plays_against(1, title)
    assert player.has_choice()
    player.wait_until_settled()
    page, version = player.page, player.version
    term = page.locator(".field .term").nth(3)
    anchor = str(term.get_attribute("href")).partition("#")[2]

    term.hover()
    expect(page.locator(f"{BOX} a[href$='#{anchor}']")).to_be_visible()
    assert lies_beside(page, f".field .term[href$='#{anchor}']")
    page.locator(".standing").hover()
    expect(page.locator(BOX)).to_be_hidden()
    term.click()
    expect(page.locator(BOX)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(BOX)).to_be_hidden()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(page.locator(f"{BOX} a[href$='#{anchor}']")).to_be_visible()

    assert player.version == version


@pytest.mark.parametrize("size", [None, PHONE], ids=["desk", "phone"])
def test_a_question_shows_its_rule(new_player: NewPlayer, size: Any) -> None:
    player = new_player(size) if size else new_player()
    player.plays_against(1)
    assert player.has_choice()
    player.wait_until_settled()

    player.page.locator(".dock-head .term").click()

    expect(player.page.locator(f"{BOX} h2")).to_have_text("Phase I: farm")
    expect(player.page.locator(BOX)).to_contain_text("Play a farm card and draw")
    assert lies_beside(player.page, ".dock-head .term")


def test_a_card_opens_enlarged_from_its_number_and_on_focus(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(1)
    assert player.has_choice()
    player.wait_until_settled()
    page, version = player.page, player.version
    number = page.locator(".lg-hand .lg-number").first
    card = (number.text_content() or "").strip()

    number.click()
    expect(page.locator(f"{BOX} .lg-large .lg-number")).to_have_text(card)
    assert lies_beside(page, f".lg-hand .lg-number[href$='#card-{card}']")
    page.keyboard.press("Escape")
    page.locator(".lg-building .term").first.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")

    expect(page.locator(BOX)).to_contain_text("Craft buildings")
    assert player.version == version
