"""A choice entered before it is asked: sent when its moment comes, dropped when it is gone, and thought better of."""

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.pages.browsing import Player, begin_together, whoever_is_asked

pytestmark = pytest.mark.chromium

SitDown = Callable[..., Player]

CHOSEN: Final = "#ahead [data-chosen]"


def two_at_el_grande(first: Player, second: Player) -> tuple[Player, Player]:
    """A match of two; who is asked for a power card, and who waits."""
    first.goes("/open/el_grande")
    first.page.select_option("form.set-up [name=seats]", "2")
    path = first.opens_the_table()
    second.goes(path)
    second.follows("text=Sit down")
    begin_together(first, second)
    asked = whoever_is_asked(first, second)
    waits = second if asked is first else first
    waits.sees(asked.version)
    waits.rests()
    return asked, waits


def power_cards(page: Page) -> list[int]:
    """The values that can be chosen ahead, or played."""
    values: list[int] = page.evaluate(
        "() => Array.from(document.querySelectorAll('#ahead [data-choice], #choices button[name=action]'),"
        " button => JSON.parse(button.dataset.choice || button.value).power)"
    )
    return values


def opens(player: Player) -> list[int]:
    """The list of what can be chosen ahead; the values in it."""
    player.page.locator("#ahead summary").click()
    player.page.locator("#ahead [data-choice]").first.wait_for()
    return power_cards(player.page)


def chooses_ahead(player: Player, power: int) -> None:
    player.page.locator("#ahead [data-choice]", has_text=f"power card {power}:").click()
    expect(player.page.locator(CHOSEN)).to_contain_text(f"Chosen ahead: Play power card {power}:")


def plays(player: Player, power: int) -> None:
    player.acts(player.page.locator("#choices button", has_text=f"power card {power}:").click)


def test_what_was_chosen_ahead_is_sent_at_its_moment_and_dropped_where_it_is_gone(sit_down: SitDown) -> None:
    """The dummy has played a card that nobody can play any more: twelve are left (EG-16.7)."""
    first, second = sit_down(), sit_down()
    for player in (first, second):
        player.comes_in()

    asked, waits = two_at_el_grande(first, second)
    low, middle, high, *others = opens(waits)
    assert len(others) == 9
    chooses_ahead(waits, low)
    waits.page.locator("#ahead [data-forget]").click()
    expect(waits.page.locator(CHOSEN)).to_be_empty()
    chooses_ahead(waits, middle)
    before = waits.version
    plays(asked, high)
    waits.sees(before + 2)
    assert {player["power"] for player in waits.own_match["view"]["players"]} == {middle, high}

    asked, waits = two_at_el_grande(first, second)
    low, middle, *_ = opens(waits)
    chooses_ahead(waits, low)
    plays(asked, low)
    expect(waits.page.locator("#notice")).to_contain_text(f"no longer possible: Play power card {low}:")
    assert waits.is_asked()
    assert low not in power_cards(waits.page)
    plays(waits, middle)
