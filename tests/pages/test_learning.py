"""Lessons in a real browser: first matches in two languages, interrupted and resumed, and one-minute lessons.

One first match is played to its end, both with --all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from api.lessons.texts import load_texts
from tests.pages.browsing import Player
from tests.pages.page_checks import AXE, FIND
from tests.seeding import IS_EXPLORING, derive_number

pytestmark = [pytest.mark.chromium, pytest.mark.walk(one_in=2)]

NewPlayer = Callable[..., Player]

GUIDE: Final = "#actions .guide"
ASKED_OR_OVER: Final = "#actions:not([inert]) .actions button, #actions .guide:not(.guide-on)"
CLOSING: Final = "#actions .action-group.closing button"
BUTTONS: Final = "#actions .actions button"
LEFT_AFTER: Final = 10
"""Number of actions before the learner leaves and returns in another language."""
TITLES: Final = ("la_granja", "el_grande")
TO_ITS_END: Final = TITLES if IS_EXPLORING else (TITLES[derive_number("first match") % len(TITLES)],)
"""First matches that are played to their end; `tests/lessons` plays the lines of both."""


def speaks(player: Player, language: str) -> None:
    """Change the language of the pages."""
    player.goes("/learn")
    player.page.locator(".languages summary").click()
    player.follows(f".languages button[value={language}]")


def begins(player: Player, practice: str) -> None:
    """Begin the practice match of a lesson from the list of lessons."""
    player.goes("/learn")
    player.follows(f"form[action='/learn/{practice}'] button", "**/tables/*")
    player.page.wait_for_selector(GUIDE)


def does_as_told(player: Player, times: int = 1_000) -> bool:
    """Press the closing action if there is one, else the first; return whether the lesson is over."""
    for _ in range(times):
        player.page.wait_for_selector(ASKED_OR_OVER)
        if player.page.locator(f"{GUIDE}:not(.guide-on)").count():
            return True
        closing = player.page.locator(CLOSING)
        player.acts((closing if closing.count() else player.page.locator(BUTTONS)).first.click)
    return False


@pytest.mark.walk
@pytest.mark.parametrize(("title", "language", "second"), [("la_granja", "de", "uk"), ("el_grande", "cs", "pl")])
def test_a_first_match_is_interrupted_and_resumed_in_another_language(
    new_player: NewPlayer, title: str, language: str, second: str
) -> None:
    player = new_player()
    speaks(player, language)
    begins(player, f"{title}/first")
    expect(player.page.locator(f"{GUIDE} h2")).to_have_text(load_texts(title, language)["first"].title)
    player.page.wait_for_selector(".field .pointed-out")
    assert not does_as_told(player, LEFT_AFTER)
    table = player.here

    speaks(player, second)
    begins(player, f"{title}/first")

    assert player.here == table, "the lesson has waited"
    expect(player.page.locator(f"{GUIDE} h2")).to_have_text(load_texts(title, second)["first"].title)
    if title not in TO_ITS_END:
        assert not does_as_told(player, LEFT_AFTER)
        return
    assert does_as_told(player)
    last_line = player.page.locator(f"{GUIDE} .guide-line").inner_text()
    assert load_texts(title, second)["first"].end.strip().partition("**")[2].partition("**")[0] in last_line
    assert player.own_match["status"] == "ended"


def test_a_one_minute_lesson_is_missed_retried_and_solved(new_player: NewPlayer) -> None:
    player = new_player()
    begins(player, "la_granja/market")
    player.chooses(player.page.locator('.field [data-part="stall-3"]').click)
    player.page.wait_for_selector(f"{GUIDE}.guide-missed")

    player.follows(f"{GUIDE} button.primary", "**/tables/*")
    player.chooses(player.page.locator('.field [data-part="stall-8"]').click)

    player.page.wait_for_selector(f"{GUIDE}.guide-solved")
    player.follows(f"{GUIDE} button.primary", "**/tables/*")
    expect(player.page.locator(f"{GUIDE} h2")).to_have_text("The siesta")
    player.page.wait_for_selector('#actions:not([inert]) button[value*="choose_donkey"]')
    player.acts(player.page.locator("""#actions button[value*='"tile":3']""").click)
    player.page.wait_for_selector(f"{GUIDE}.guide-solved")


def test_the_castle_is_opened_and_the_king_moves_first(new_player: NewPlayer) -> None:
    player = new_player()
    begins(player, "el_grande/castle")
    player.acts(player.page.locator("""#actions button[value*='"region":"toledo"']""").click)
    player.page.wait_for_selector(f"{GUIDE}.guide-solved")
    begins(player, "el_grande/king")
    player.page.wait_for_selector(".eg-land.legal")
    player.page.evaluate(AXE)
    assert player.page.evaluate(FIND) == [], "regions and the card in play can be chosen there"
    player.acts(player.page.locator("""#actions button[value*='"place":"sevilla"']""").click)
    player.acts(player.page.locator("""#actions button[value*='"area":"granada","count":3']""").click)
    player.page.wait_for_selector(f"{GUIDE}.guide-solved")
