"""Confirmation of irreversible actions, presses while offline, and requests for a pause."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from domain.proofs.match import verify_content
from tests.pages.browsing import BUTTONS, PHONE, Player, begin_together
from tests.pages.test_verify import gives
from tests.workers.serving import Serving

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]
STEPS_MAX: Final = 60


def reaches_a_question(player: Player) -> None:
    """Play on until a confirmation of an action with chance is shown; confirm secret choices on the way."""
    for _ in range(STEPS_MAX):
        player.page.wait_for_selector(BUTTONS)
        before = player.version
        card = player.page.locator(f"{BUTTONS}:has-text('Play card')")
        (card if card.count() else player.page.locator(BUTTONS).last).first.click()
        player.page.wait_for_function(
            "before => Number(document.querySelector('.table').dataset.version) > before"
            " || document.querySelector('#chooser[open]')",
            arg=before,
        )
        if player.page.locator("#chooser[open]").count():
            if "Dice are rolled" in player.page.locator("#chooser h2").inner_text():
                return
            # The bot may have chosen in secret in the same moment.
            expect(player.page.locator("#chooser h2")).to_contain_text("secret choice")
            player.acts(player.page.locator("#chooser .choices button").click)
    raise AssertionError(f"nothing was asked: {player}")


@pytest.mark.walk
def test_chance_asks_for_confirmation_and_offline_presses_wait_or_are_dropped(
    new_player: NewPlayer,
) -> None:
    player = new_player(with_confirmation=True)
    page: Any = player.page
    player.plays_against(1)
    reaches_a_question(player)
    expect(page.locator("#chooser h2")).to_contain_text("you cannot take it back")
    before = player.version

    page.locator("#chooser [data-cancel]").click()
    assert player.version == before
    card = page.locator(f"{BUTTONS}:has-text('Play card')").first
    card.click()
    player.acts(page.locator("#chooser .choices button").click)

    page.wait_for_selector(BUTTONS)
    unsent, before = page.locator("#unsent"), player.version
    player.complaints.clear()
    page.context.set_offline(True)
    page.locator(BUTTONS).last.click()
    expect(unsent).to_contain_text("was not sent")
    unsent.locator("[data-drop]").click()
    expect(unsent).to_be_hidden()
    page.locator(BUTTONS).last.click()
    unsent.locator("[data-wait]").click()
    expect(unsent).to_contain_text("will be sent when you are back online")
    assert player.version == before
    page.context.set_offline(False)
    player.sees(before + 1)
    expect(unsent).to_be_hidden()
    player.complaints.clear()


@pytest.mark.walk
def test_a_pause_request_is_withdrawn_and_a_rematch_changes_the_seats(new_player: NewPlayer, service: Serving) -> None:
    first, second = new_player(), new_player()
    first.goes("/")
    first.follows(first.page.locator("text=Create a table").first)
    path = first.opens_the_table()
    second.sign_in_as_guest()
    second.goes(path)
    second.follows("button:text('Join')")
    begin_together(first, second)
    first.page.locator(".more > details > summary").click()
    first.page.locator("form[action$='/pause'] button").click()
    expect(second.page.locator("#seats .badge.warn")).to_be_visible()
    expect(second.page.locator(".more > form[action$='/pause'] button")).to_have_text("Accept pause")

    first.page.locator("form[action$='/withdraw-pause'] button").click()

    expect(second.page.locator("#seats .badge.warn")).to_have_count(0)
    expect(second.page.locator("#narration")).to_contain_text("withdraws the request for a pause")
    log = first.page.request.get(f"{service.started.url}api/matches/{path.rsplit('/', 1)[1]}/log").body()
    assert b'"withdrawn":0' in log
    assert verify_content(log).fault is None
    first.goes("/verify")
    gives(first.page, log)
    expect(first.page.locator("#report")).to_contain_text("No problems found.")

    first.goes(path)
    second.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    first.page.locator(".more > details > summary").click()
    first.page.locator("#leave-by-resigning summary").click()
    first.page.locator("form[action$='/resign'] button").click()
    first.page.locator(".rematch button").wait_for()
    count_cut = "names => names.filter(name => name.scrollWidth > name.clientWidth + 1).length"
    assert second.page.locator(".places-list b, .seated .who").evaluate_all(count_cut) == 0, (
        "names are whole on a phone"
    )
    with first.page.expect_download() as download:
        first.page.click(".result a[download$='.proof.jsonl']")
    proof = Path(download.value.path()).read_bytes()
    first.goes("/verify")
    gives(first.page, proof)
    expect(first.page.locator("#report")).to_contain_text("No problems found.")
    first.goes(path)
    first.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    first.page.locator("[data-share]").click()
    expect(first.page.locator("[data-share]")).to_have_text("Link copied.")
    assert first.page.evaluate("navigator.clipboard.readText()") == first.page.url
    first.follows(".after form[action$='/studies'] button", "**/replay?*study=*")
    first.goes(path)
    first.follows(".rematch button", "**/tables/*")
    accept = second.page.locator(".rematch button", has_text="Accept rematch")
    accept.wait_for()
    second.follows(accept, "**/tables/*")
    assert first.here == second.here
    begin_together(second, first)
    expect(second.page.locator(".seated li.own .seat-mark")).to_have_class(re.compile("seat-0"))
    first.page.wait_for_selector(".lg-hand")
