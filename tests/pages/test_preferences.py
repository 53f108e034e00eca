"""Preferences apply to pages and boards as delivered, without later changes by scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.pages.browsing import BUTTONS, Player

pytestmark = [pytest.mark.chromium, pytest.mark.walk(one_in=2)]

NewPlayer = Callable[..., Player]
LISTEN: Final = """() => {
  window.sounded = [];
  document.addEventListener('esporles:sounded', event => sounded.push(event.detail.sound));
}"""
STYLE: Final = "(element, name) => getComputedStyle(element).getPropertyValue(name)"
CHOICES: Final = {
    "colours": "red-green",
    "patterns": "on",
    "density": "compact",
    "motion": "off",
    "clicks": "two",
    "confirm": "never",
    "numbers": "on",
    "sound": "all",
    "hours": "12",
    "theme": "dark",
}


def style(player: Player, selector: str, name: str) -> str:
    return str(player.page.locator(selector).first.evaluate(STYLE, name))


def test_every_preference_applies_on_the_next_page_and_at_the_table(new_player: NewPlayer) -> None:
    player = new_player(with_confirmation=True)
    page = player.page
    page.emulate_media(reduced_motion="no-preference")
    path = player.plays_against(1)
    player.has_choice()
    defaults = (
        style(player, "body", "font-size"),
        style(player, "#actions .seat-mark, .seated .seat-mark", "background-color"),
    )
    player.goes("/preferences")
    page.evaluate(LISTEN)
    for sound in ("turn", "dice", "piece", "end"):
        page.locator(f"[data-try={sound}]").click()
    page.wait_for_function("sounded.length === 4")

    for name, value in CHOICES.items():
        page.locator(f".preferences select[name={name}]").select_option(value)
        assert page.get_attribute("html", f"data-{name}") == value, "it is seen before it is kept"
    player.follows(".preferences button.primary")
    expect(page.locator(".notice.good")).to_be_visible()
    assert page.evaluate("Object.entries(document.documentElement.dataset).sort().join()") == ",".join(
        f"{name},{value}" for name, value in sorted(CHOICES.items())
    )

    player.goes(path)
    player.has_choice()
    assert style(player, "body", "font-size") == "14px"
    assert style(player, ".seated .seat-mark", "background-color") not in {"", defaults[1]}
    assert "gradient" in style(player, ".seated .seat-mark", "background-image")
    fill = style(player, ".lg-farm.own .lg-left [href^='#lg-token']", "--filling")
    assert "seat-pattern" in fill
    assert style(player, "#narration [data-told]", "animation-name") == "none"
    newest = page.locator("#narration [data-told]").first
    assert (
        newest.evaluate("line => getComputedStyle(line, '::before').content")
        == f'"{newest.get_attribute("data-told")}"'
    )

    page.evaluate(LISTEN)
    version_before, requests_before = player.version, player.request_count
    button = page.locator(BUTTONS).first
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert (player.version, player.request_count) == (version_before, requests_before), "the first press marks alone"
    page.keyboard.press("Escape")
    expect(page.locator("#actions .armed")).to_have_count(0)
    button.click()
    button.click()
    player.sees(version_before + 1)
    page.wait_for_function("sounded.length > 0")
