"""The documentation site in a real browser, under the content security policy of the service."""

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from ops.dev.docs import build_in_checkout
from tests.pages.browsing import Player

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]
BACKGROUND: Final = "getComputedStyle(document.body).backgroundColor"


def test_pages_search_and_dark_theme_comply_with_the_policy(new_player: NewPlayer) -> None:
    build_in_checkout()
    player = new_player()
    page = player.page
    page.emulate_media(color_scheme="light")

    player.goes("/docs")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Esporles")
    light = page.evaluate(BACKGROUND)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(BACKGROUND)
    toggle = page.locator(".theme-toggle-content .theme-toggle")
    toggle.click()
    chosen = page.evaluate("document.body.dataset.theme")
    page.reload()

    assert light == "rgb(255, 255, 255)"
    assert dark != light
    assert chosen in {"light", "dark"}
    assert page.evaluate("document.body.dataset.theme") == chosen
    page.get_by_role("textbox", name="Search").fill("checkpoint")
    page.keyboard.press("Enter")
    expect(page.locator("#search-results li").first).to_be_visible()
    page.locator("#search-results li a").first.click()
    expect(page.locator("mark, .highlighted").first).to_be_visible()
    assert not player.complaints
