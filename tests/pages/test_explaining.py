"""Pressing or hovering something that cannot be chosen shows the reason next to it."""

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.pages.browsing import PHONE, Player

pytestmark = [pytest.mark.chromium, pytest.mark.walk(one_in=2)]

NewPlayer = Callable[..., Player]

WHY: Final = "#why"
WORDS: Final = "#why-words"
SHOWN_WHOLE: Final = """() => {
  const box = document.getElementById('why').getBoundingClientRect();
  return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
}"""


def part_of(player: Player, name: str) -> str:
    return f'.field [data-part="{name}"]'


@pytest.mark.parametrize("size", [None, PHONE], ids=["desk", "phone"])
def test_pressing_an_illegal_part_shows_the_reason(new_player: NewPlayer, size: dict[str, int] | None) -> None:
    player = new_player(size) if size else new_player()
    player.plays_against(1)
    assert player.has_choice()
    version = player.version

    player.page.locator(part_of(player, "growth")).click()

    expect(player.page.locator(WORDS)).to_have_text("Fields grow once per round, after income.")
    assert player.page.evaluate(SHOWN_WHOLE)
    player.page.keyboard.press("Escape")
    expect(player.page.locator(WHY)).to_be_hidden()
    assert player.version == version
    assert not player.complaints


def test_hovering_shows_the_reason_and_leaving_cancels_it(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(1, "el_grande")
    assert player.has_choice()

    player.page.locator(f"{part_of(player, 'area-toledo')} text").first.hover()

    expect(player.page.locator(WORDS)).to_have_text("First play a power card.")
    player.page.locator("h1, header").first.hover()
    expect(player.page.locator(WHY)).to_be_hidden()


def test_pressing_a_legal_part_requests_no_reason(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(1, "el_grande")
    assert player.has_choice()
    requests = list[str]()
    player.page.on("request", lambda request: requests.append(request.url))

    player.chooses(player.page.locator(".field [data-part].legal").first.click)

    assert not [url for url in requests if "why-not" in url]
    expect(player.page.locator(WHY)).to_be_hidden()


AT: Final = "document.activeElement.dataset.part || document.activeElement.className"
TABS_MAX: Final = 60


@pytest.mark.parametrize("title", ["la_granja", "el_grande"])
def test_an_illegal_part_is_reached_and_explained_by_keyboard(new_player: NewPlayer, title: str) -> None:
    player = new_player()
    player.plays_against(1, title)
    assert player.has_choice()
    player.wait_until_settled()
    page, version = player.page, player.version
    keyboard = page.keyboard

    for _ in range(TABS_MAX):
        if page.evaluate(AT) == "field":
            break
        keyboard.press("Tab")
    focused = set[str]()
    for key in ("ArrowDown", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown"):
        keyboard.press(key)
        focused.add(page.evaluate(AT))
        if not page.evaluate("document.activeElement.classList.contains('legal')"):
            break
    part = page.evaluate(AT)
    keyboard.press("Enter")

    expect(page.locator(WORDS)).not_to_be_empty()
    expect(page.locator(WHY)).to_be_visible()
    assert page.evaluate(AT) == part
    assert player.version == version
    keyboard.press("Escape")
    expect(page.locator(WHY)).to_be_hidden()
