"""A live tournament in a browser: results entered from a phone while offline, the big screen, and printed sheets."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.pages.browsing import PHONE, Player
from tests.pages.test_workbench import create_tournament, pair_round, publish_round
from tests.workers.serving import Serving

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]
KEPT = "JSON.parse(localStorage.getItem('claims') || '[]').length"


def sheets(pdf: bytes) -> int:
    """Return the number of printed pages."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.walk
def test_a_result_entered_offline_is_kept_and_counts_after_confirmation(
    new_player: NewPlayer, service: Serving
) -> None:
    organiser, phone = new_player(), new_player(PHONE)
    organiser.sign_in_as_guest()
    event = create_tournament(organiser)
    pair_round(organiser, event)
    publish_round(organiser)
    screen, page = organiser.page, phone.page
    organiser.goes(f"{event}/desk/print/codes")
    codes = {
        strip.locator("strong").inner_text(): strip.locator(".strip-code").inner_text()
        for strip in screen.locator(".strip").all()
    }
    organiser.goes(f"{event}/desk/print/slips")
    codes_loaded = screen.locator(".slip .qr").evaluate_all("all => all.map(each => each.naturalWidth > 0)")
    assert codes_loaded == [True] * 4
    slip_address = screen.locator(".slip-address").first.inner_text()
    assert not any(code in slip_address for code in codes.values())
    organiser.goes(f"{event}/desk/print/wall")
    assert sheets(screen.pdf(prefer_css_page_size=True)) == 1, "no empty sheet before it"
    organiser.goes(f"{event}/screen")
    expect(screen.locator(".slide.now")).to_contain_text("Find your table")
    expect(screen.locator(".slide:visible")).to_have_count(1)
    assert screen.evaluate("document.documentElement.scrollHeight <= innerHeight")

    phone.goes(f"{event}/tables/1/1")
    names = page.locator(".event-seats .event-who").all_inner_texts()
    page.context.set_offline(True)
    page.locator("select[name=entry]").select_option(label=names[0])
    page.fill("input[name=code]", codes[names[0]])
    for field, points in zip(page.locator("input[name=scores]").all(), ("71", "80"), strict=True):
        field.fill(points)
    page.click("#claim")
    expect(page.locator("#claim-status")).to_contain_text("You are offline.")
    assert page.evaluate(KEPT) == 1
    page.context.set_offline(False)
    expect(page.locator("#claim-status")).to_have_text("Your result was received.")
    expect(page.locator("#waits")).to_have_text("Confirmed by 1 of 2.")
    assert page.evaluate(KEPT) == 0
    assert not phone.is_wider_than_the_window

    confirmation = page.locator(".claim-said form")
    confirmation.locator("select").select_option(label=names[1])
    confirmation.locator("input[name=code]").fill("0000" if codes[names[1]] != "0000" else "0001")
    confirmation.locator("button").click()
    expect(page.locator("#claim-status")).to_contain_text("This is not the code of this player.")
    confirmation.locator("input[name=code]").fill(codes[names[1]])
    confirmation.locator("button").click()
    expect(page.locator("#counts")).to_have_text("The result is confirmed.")

    # The screen updates by its stream: the winner is first without a reload.
    screen.keyboard.press(" ")
    screen.keyboard.press("ArrowLeft")
    expect(screen.locator(".slide.now li").first).to_contain_text(names[1])
    # The browser reports the network failure and the wrong code as failed requests.
    assert all("Failed to load resource" in complaint for complaint in phone.complaints)
    phone.complaints.clear()
