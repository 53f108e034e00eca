"""Incidents of a tournament day in a browser: withdrawal from a proposal, changed seats, no-show, late entry.

The record names every act of the organiser with its reason.
"""

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Browser, expect

from tests.pages.browsing import PHONE, Player
from tests.pages.page_checks import Reader, violations
from tests.workers.serving import Client, Serving

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]
LATE: Final = "The bus was late."


def announce_event(organiser: Player, *, face_to_face: bool = False) -> str:
    """Announce a tournament at tables of two with substitute bots, or face to face, and return its path."""
    page = organiser.page
    organiser.goes("/events/new")
    page.fill("input[name=name]", "Torneig de la sal")
    page.select_option("select[name=size]", "2")
    if face_to_face:
        page.check("input[name=faceToFace]")
    else:
        page.select_option("select[name=bot]", "random")
    organiser.follows("#open-event", "**/desk")
    return "/events/" + page.url.split("/")[-2]


def joins(event: str, *clients: Client) -> None:
    """Enter people without a browser."""
    for client in clients:
        client.post(f"{event.replace('/events/', '/tournaments/')}/entries", {})


def pairs_without_who_has_gone(organiser: Player, absent: Player, event: str) -> None:
    """Check that a proposal with a withdrawn player cannot be published until it is paired again."""
    page = organiser.page
    organiser.goes(f"{event}/desk")
    organiser.follows("#pair", "**/desk")
    organiser.looks_until("#publish")
    absent.goes(event)
    absent.follows("text=Withdraw")
    organiser.goes(f"{event}/desk")
    expect(page.locator("#misfits")).to_contain_text("has withdrawn.")
    expect(page.locator("#publish")).to_be_disabled()
    organiser.follows("text=Re-pair other tables", "**/desk")
    organiser.looks_until("#publish:not([disabled])")
    organiser.follows("#publish", "**/desk")
    organiser.looks_until(".bench-row")


def seats_otherwise(organiser: Player, event: str) -> None:
    """Swap the player with a bye for another; the cost is shown first."""
    page = organiser.page
    organiser.goes(f"{event}/desk/seating")
    people = page.locator(".bench-person")
    people.first.click()
    with page.expect_navigation(url="**/desk/seating?first=*&second=*"):
        people.last.click()
    expect(page.locator("form[action$='/desk/swap'] .levels tbody tr")).to_have_count(7)
    page.fill("form[action$='/desk/swap'] input[name=reason]", "They have come all the way.")
    organiser.follows("form[action$='/desk/swap'] button[name=sure]", "**/desk")


def notes_and_withdraws(organiser: Player, event: str) -> None:
    """Record a no-show: no player is preselected, the page asks for confirmation, and the record is withdrawn."""
    page = organiser.page
    organiser.goes(f"{event}/desk/tables/1")
    form = page.locator("form[action$='/desk/no-show']")
    assert form.locator("select[name=entry]").input_value() == ""
    entry = form.locator("select[name=entry] option[value^=e]").first.get_attribute("value")
    form.locator("select[name=entry]").select_option(entry)
    form.locator("input[name=reason]").fill("Not seen.")
    organiser.follows(form.locator("button"), "**/desk/no-show")
    expect(form).to_contain_text("as a no-show?")
    organiser.follows("form[action$='/desk/no-show'] button[name=sure]", "**/desk")
    organiser.goes(f"{event}/desk/tables/1")
    withdrawal = page.locator("form[action$='/desk/came']")
    withdrawal.locator("input[name=reason]").fill(LATE)
    organiser.follows(withdrawal.locator("button"), "**/desk")
    organiser.goes(f"{event}/desk/tables/1")
    expect(page.locator("form[action$='/desk/came']")).to_have_count(0)


@pytest.mark.walk
def test_a_round_with_a_withdrawal_changed_seats_and_a_late_entry(new_player: NewPlayer, service: Serving) -> None:
    organiser, absent, late = new_player(), new_player(PHONE), new_player(PHONE)
    for player in (organiser, absent, late):
        player.sign_in_as_guest()
    event = announce_event(organiser)
    for player in (absent, late):
        player.goes(event)
        player.follows("#take-part")
    joins(event, service.player(), service.player())
    pairs_without_who_has_gone(organiser, absent, event)
    seats_otherwise(organiser, event)
    notes_and_withdraws(organiser, event)

    late.goes(f"{event}/record")
    acts = late.page.locator(".event-acts")
    for text in ("They have come all the way.", "Not seen.", LATE, "published the round"):
        expect(acts).to_contain_text(text)
    assert not late.is_wider_than_the_window
    organiser.goes(f"{event}/desk/word")
    organiser.follows("text=Audit trail", "**/desk/audit?event=*")
    expect(organiser.page.locator("main")).to_contain_text(LATE)


def asks_about_somebody(reader: Player) -> None:
    """Reach the question whether a player is really absent."""
    form = reader.page.locator("form[action$='/desk/no-show']")
    form.locator("select[name=entry]").select_option(index=1)
    form.locator("input[name=reason]").fill("-")
    reader.follows(form.locator("button"), "**/desk/no-show")
    form.locator("button[name=sure]").wait_for()


@pytest.mark.walk
def test_axe_finds_nothing_on_a_confirmation_for_the_organiser(browser: Browser, service: Serving) -> None:
    organiser = Reader(browser, service.started.url)
    organiser.sign_in_as_guest()
    event = announce_event(organiser)
    joins(event, service.player(), service.player(), service.player())
    organiser.goes(f"{event}/desk")
    organiser.follows("#pair", "**/desk")
    organiser.looks_until("#publish")
    organiser.follows("#publish", "**/desk")
    organiser.looks_until(".bench-row")

    assert violations(organiser, f"{event}/desk/tables/1", asks_about_somebody) == {}
    organiser.page.context.close()
