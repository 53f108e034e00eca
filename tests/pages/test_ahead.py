"""Choosing an action before one's turn: it is sent in time, dropped if illegal, and can be withdrawn."""

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.pages.browsing import Player, begin_together, whoever_is_asked

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]

CHOSEN: Final = "#ahead [data-chosen]"


def two_at_el_grande(first: Player, second: Player) -> tuple[Player, Player]:
    """Begin a match of two; return the player to choose a power card, and the one who waits."""
    first.goes("/open/el_grande")
    first.page.select_option("form.set-up [name=seats]", "2")
    path = first.opens_the_table()
    second.goes(path)
    second.follows("button:text('Join')")
    begin_together(first, second)
    active = whoever_is_asked(first, second)
    waiting = second if active is first else first
    waiting.sees(active.version)
    waiting.wait_until_settled()
    return active, waiting


def power_cards(page: Page) -> list[int]:
    """Return the power cards that can be chosen ahead or played."""
    values: list[int] = page.evaluate(
        "() => Array.from(document.querySelectorAll('#ahead [data-choice], #choices button[name=action]'),"
        " button => JSON.parse(button.dataset.choice || button.value).power)"
    )
    return values


def opens(player: Player) -> list[int]:
    """Open the list of actions to choose ahead and return its power cards."""
    player.page.locator("#ahead summary").click()
    player.page.locator("#ahead [data-choice]").first.wait_for()
    return power_cards(player.page)


def chooses_ahead(player: Player, power: int) -> None:
    player.page.locator("#ahead [data-choice]", has_text=f"power card {power}:").click()
    expect(player.page.locator(CHOSEN)).to_contain_text(f"Chosen in advance: Play power card {power}:")


def plays(player: Player, power: int) -> None:
    player.acts(player.page.locator("#choices button", has_text=f"power card {power}:").click)


@pytest.mark.walk
def test_a_choice_made_ahead_is_sent_on_ones_turn_and_dropped_if_illegal(new_player: NewPlayer) -> None:
    """The dummy's card cannot be played by others: twelve are left (EG-16.7)."""
    first, second = new_player(), new_player()
    for player in (first, second):
        player.sign_in_as_guest()

    active, waiting = two_at_el_grande(first, second)
    low, middle, high, *others = opens(waiting)
    assert len(others) == 9
    chooses_ahead(waiting, low)
    waiting.page.locator("#ahead [data-forget]").click()
    expect(waiting.page.locator(CHOSEN)).to_be_empty()
    chooses_ahead(waiting, middle)
    before = waiting.version
    plays(active, high)
    waiting.sees(before + 2)
    assert {player["power"] for player in waiting.own_match["view"]["players"]} == {middle, high}

    active, waiting = two_at_el_grande(first, second)
    low, middle, *_ = opens(waiting)
    chooses_ahead(waiting, low)
    plays(active, low)
    expect(waiting.page.locator("#notice")).to_contain_text(f"no longer possible: Play power card {low}:")
    assert waiting.has_choice()
    assert low not in power_cards(waiting.page)
    plays(waiting, middle)
