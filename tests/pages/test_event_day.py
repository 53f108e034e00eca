"""A scheduled tournament day in a browser: waiting list, check-in, no-show, late entry, deadline, and schedule."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, expect

from tests.pages.browsing import PHONE, Player
from tests.pages.page_checks import Reader, violations
from tests.workers.serving import Serving

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]
ZONE: Final = "UTC"


def clock(minutes: float) -> str:
    """Return the time some minutes from now, in the format of a time field."""
    return (datetime.now(UTC) + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M")


def sets(organiser: Player, event: str, **dates: str) -> None:
    """Fill in the form of dates as the organiser."""
    page = organiser.page
    organiser.goes(f"{event}/dates")
    page.fill("input[name=zone]", ZONE)
    for name, value in dates.items():
        page.fill(f"input[name='{name}']", value)
    organiser.follows("#set-dates", "**/schedule?entry=all")


def announce_event(organiser: Player) -> str:
    """Announce an automatic tournament at tables of two with a waiting list, and return its path."""
    page = organiser.page
    organiser.goes("/events/new")
    page.fill("input[name=name]", "Fira d'agost")
    page.select_option("select[name=size]", "2")
    page.fill("input[name=cap]", "2")
    page.check("input[name=auto]")
    organiser.follows("#open-event", "**/desk")
    return "/events/" + page.url.split("/")[-2]


@pytest.mark.walk
def test_a_day_with_waiting_list_check_in_late_entry_and_scheduled_round(
    new_player: NewPlayer, service: Serving
) -> None:
    organiser, absent, present, waiting = new_player(), new_player(PHONE), new_player(PHONE), new_player(PHONE)
    for each in (organiser, absent, present, waiting):
        each.sign_in_as_guest()
    event = announce_event(organiser)
    sets(organiser, event, entryOpens=clock(60), place="Palma, Plaça Major", fee="10 €")
    absent.goes(event)
    expect(absent.page.locator("main")).to_contain_text("Registration opens at")
    expect(absent.page.locator("#take-part")).to_have_count(0)
    sets(organiser, event, entryOpens=clock(-60))
    for each in (absent, present, waiting):
        each.goes(event)
        each.follows("#take-part")
    expect(waiting.page.locator("main")).to_contain_text("You are on the waiting list.")

    # Of two entrants one checks in and one does not; the person on the waiting list checks in too.
    sets(organiser, event, checkInOpens=clock(-5), checkInCloses=clock(30))
    for each in (present, waiting):
        each.goes(event)
        each.follows("#check-in")
        expect(each.page.locator("main")).to_contain_text("You have checked in.")
        assert not each.is_wider_than_the_window
    organiser.goes(f"{event}/desk")
    expect(organiser.page.locator("#needs")).to_contain_text("1 player has not checked in")
    sets(organiser, event, checkInOpens=clock(-10), checkInCloses=clock(-1), **{"rounds.0.starts": clock(-1)})
    # The service closes the check-in and pairs the round automatically; the workbench updates without a reload.
    organiser.goes(f"{event}/desk")
    organiser.page.locator(".bench-row").first.wait_for()
    tournament: Any = read_tournament(service, event)
    assert [each["status"] for each in tournament["entries"]] == ["withdrawn", "in", "in"]
    assert [sorted(table["entries"]) for table in tournament["rounds"][0]["tables"]] == [["e2", "e3"]]

    # A late entry: the withdrawn player has no place, but a third person is admitted by a changed plan.
    absent.goes(f"{event}/schedule")
    expect(absent.page.locator("#schedule")).to_have_text("Schedule")
    present.goes(f"{event}/schedule")
    expect(present.page.locator("main")).to_contain_text("Round 1, table 1")
    late = new_player(PHONE)
    late.sign_in_as_guest()
    late.goes(event)
    late.follows("#take-part")
    expect(late.page.locator("main")).to_contain_text("You are on the waiting list.")
    organiser.goes(f"{event}/plan")
    organiser.page.fill("input[name=cap]", "4")
    organiser.page.fill("input[name=reason]", "There is one table more.")
    organiser.follows("#open-event", "**/desk")
    late.goes(event)
    expect(late.page.locator("main")).to_contain_text("You are registered.")

    runs_out(organiser, present, event)


def runs_out(organiser: Player, present: Player, event: str) -> None:
    """Let the deadline pass; places are drawn by lot, and the record gives the reason."""
    organiser.goes(f"{event}/dates")
    organiser.page.select_option("select[name=consequence]", "lots")
    organiser.page.fill("input[name='rounds.0.starts']", clock(-20))
    organiser.page.fill("input[name='rounds.0.deadline']", clock(-1))
    organiser.page.fill("input[name=checkInOpens]", "")
    organiser.page.fill("input[name=checkInCloses]", "")
    organiser.page.fill("input[name=reason]", "The hall closes.")
    organiser.follows("#set-dates", "**/schedule?entry=all")
    present.goes(f"{event}/record")
    present.looks_until("text=the deadline is over; by lot")
    expect(present.page.locator(".event-acts")).to_contain_text("The hall closes.")


def read_tournament(service: Serving, event: str) -> Any:
    """Return the tournament as the public API shows it."""
    return service.player().get(event.replace("/events/", "/tournaments/"))


def test_axe_finds_nothing_during_check_in(browser: Browser, service: Serving) -> None:
    organiser = Reader(browser, service.started.url)
    organiser.sign_in_as_guest()
    event = announce_event(organiser)
    organiser.goes(event)
    organiser.follows("#take-part")
    sets(organiser, event, checkInOpens=clock(-5), checkInCloses=clock(30))

    assert violations(organiser, event) == {}
    assert violations(organiser, f"{event}/people") == {}
    organiser.page.context.close()
