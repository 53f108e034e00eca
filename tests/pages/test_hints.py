"""With hints, at a table against a bot, in a browser: a question is answered, and the choice weighed."""

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.pages.browsing import BUTTONS, Player
from tests.workers.serving import DEADLINE_SECONDS

pytestmark = pytest.mark.chromium

SETTLED: Final = """() => {
  const told = document.querySelector("#hint [data-hint-state=ready]");
  return told && told.dataset.hintVersion === document.querySelector(".table").dataset.version;
}"""
"""The panel says what is known of the version that the page shows."""


def opens_with_hints(player: Player) -> None:
    player.goes("/open/el_grande")
    form = player.page.locator("form.set-up")
    form.locator("select[name=seat_2]").select_option("greedy")
    form.locator("input[name=hints]").check()
    player.opens_the_table()
    player.awaits_the_start()


def test_a_hint_marks_choices_and_the_choice_is_weighed(sit_down: Callable[..., Player]) -> None:
    player = sit_down()
    player.comes_in()
    opens_with_hints(player)
    page, hint = player.page, player.page.locator("#hint")

    assert player.is_asked()
    hint.get_by_role("button", name="What would you do?").click()
    lines = hint.locator("[data-hinted]")
    expect(lines.first).to_be_visible()
    assert 2 <= lines.count() <= 3
    places = page.locator(f"{BUTTONS}[data-place]")
    expect(places.first).to_be_visible()
    assert {button.get_attribute("data-place") for button in places.all()} <= {"1", "2", "3"}
    expect(page.locator(BUTTONS + "[data-place='1'] .words")).to_have_text(lines.first.locator("b").inner_text())

    player.presses(-1)
    page.wait_for_function(SETTLED, timeout=1_000 * DEADLINE_SECONDS)
