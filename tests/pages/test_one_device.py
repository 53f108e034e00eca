"""Two people share one phone: the page is covered between their turns, however it is opened."""

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.pages.browsing import BUTTONS, PHONE, RESULT, VERSION, Player

pytestmark = pytest.mark.chromium

COVER: Final = "body:not([inert]) #actions:not([inert]) .pass"
ASKED: Final = f"body:not([inert]) {BUTTONS}"
PEOPLE: Final = ("Ann", "Ben")
TURNS: Final = 5


def opens_on_one_device(player: Player, title: str) -> str:
    player.goes("/")
    player.follows(f"a[href='/open/{title}?oneDevice=true']")
    form = player.page.locator("form.set-up")
    expect(form.locator("input[name=oneDevice]")).to_be_checked()
    expect(form.locator("select[name=clock]")).to_be_hidden()
    for number, name in enumerate(PEOPLE, 1):
        form.locator(f"input[name=name_{number}]").fill(name)
    return player.opens_the_table()


FIELD: Final = "document.querySelector('.field').textContent.trim().split(/\\s+/).join(' ')"
"""The text of the board, including hidden parts."""


def field_of(page: Page) -> str:
    text: str = page.evaluate(FIELD)
    return text


def shows(page: Page, field: str) -> None:
    """Wait for this board, because a page's fragments arrive one after the other."""
    page.wait_for_function(f"wanted => {FIELD} === wanted", arg=field)


def is_covered(player: Player, spectator: Player) -> int:
    """Check that the page shows the spectator's view and asks for the next person; return their seat."""
    page = player.page
    page.wait_for_selector(COVER)
    seat = int(page.locator(f"{COVER} input[name=seat]").get_attribute("value") or "")
    expect(page.locator(COVER)).to_contain_text(f"Pass the device to {PEOPLE[seat]}")
    spectator.sees(player.version)
    assert page.locator("#actions button[name=action]").count() == 0
    announcement = page.locator("#announce").text_content() or ""
    assert not [name for name in PEOPLE if f"{name}:" in announcement]
    shows(page, field_of(spectator.page))
    return seat


def takes_the_device(player: Player) -> None:
    player.page.locator(f"{COVER} button").click()
    player.page.wait_for_selector(ASKED)


def ends_the_turn(player: Player) -> None:
    """Press the last button, which closes the turn if that is possible, until the page is covered."""
    page = player.page
    while page.locator(COVER).count() == 0 and page.locator(RESULT).count() == 0:
        before = player.version
        page.locator(ASKED).last.click()
        page.wait_for_function(f"seen => document.querySelector('.table') && {VERSION} > seen", arg=before)
        page.wait_for_selector(f"{COVER}, {ASKED}, {RESULT}")


@pytest.mark.walk
@pytest.mark.parametrize("title", ["la_granja", "el_grande"])
def test_two_people_play_on_one_phone(new_player: Callable[..., Player], title: str) -> None:
    player, spectator = new_player(PHONE), new_player()
    path = opens_on_one_device(player, title)
    page, seats = player.page, list[int]()
    spectator.goes(path)

    for turn in range(TURNS):
        seats.append(is_covered(player, spectator))
        takes_the_device(player)
        expect(page.locator("#actions .prompt")).to_contain_text(f"{PEOPLE[seats[-1]]}:")
        if turn == 1:
            page.wait_for_function(f"covered => {FIELD} !== covered", arg=field_of(spectator.page))
            own_field = field_of(page)
            player.follows(page.get_by_role("link", name="Hide my cards"))
            assert is_covered(player, spectator) == seats[-1]
            takes_the_device(player)
            shows(page, own_field)
            page.go_back()
            page.wait_for_selector("form.set-up")
            page.go_forward()
            assert is_covered(player, spectator) == seats[-1]
            other_page = page.context.new_page()
            takes_the_device(player)
            other_page.goto(page.url)
            other_page.wait_for_selector(COVER)
            shows(other_page, field_of(spectator.page))
            other_page.close()
        ends_the_turn(player)
    assert set(seats) == {0, 1}
