"""The organisers' workbench in a browser: results by keyboard, undo, two organisers, and moving people.

People are moved by pressing, by keys and by dragging, with the cost shown.
"""

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.pages.browsing import PHONE, Player
from tests.pages.test_organising import announce_event
from tests.workers.serving import Serving

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]
PEOPLE: Final = "Ana, Palma\nBlai; Sóller\nClara\nDolors\nEnric\nFrancina\nGabriel\nHelena"


def create_tournament(organiser: Player) -> str:
    """Create a face-to-face tournament at tables of two and paste its entrants."""
    event = announce_event(organiser, face_to_face=True)
    organiser.goes(f"{event}/desk/people")
    organiser.page.fill("form[action$='/desk/paste'] textarea", PEOPLE)
    organiser.follows("#paste", "**/desk/people")
    expect(organiser.page.locator("#registration")).to_contain_text("(8)")
    return event


def pair_round(organiser: Player, event: str) -> None:
    organiser.goes(f"{event}/desk")
    organiser.follows("#pair", "**/desk")
    organiser.page.locator("#publish").wait_for()


def publish_round(organiser: Player) -> None:
    organiser.follows("#publish", "**/desk")
    organiser.page.locator("form[data-result]").nth(3).wait_for()


def is_sent_once_whatever_comes_of_it(organiser: Player) -> None:
    """Enter a result whose request is lost, then refused."""
    page = organiser.page
    requests = list[str]()
    page.on("request", lambda request: requests.append(request.url) if request.method == "POST" else None)
    page.route("**/desk/result", lambda route: route.abort(), times=1)
    page.locator("#row_1_4 input[name=scores]").first.fill("40")
    page.locator("#row_1_4 input[name=scores]").last.fill("41")
    page.locator("#row_1_4 button").click()
    expect(page.locator("#notice")).to_contain_text("No response from the server")
    expect(page.locator("#row_1_4 input[name=scores]").first).to_have_value("40")
    assert len(requests) == 1
    page.locator("#row_1_4 form").evaluate("form => { form.noValidate = true; }")
    page.locator("#row_1_4 input[name=scores]").last.fill("many")
    page.locator("#row_1_4 button").click()
    expect(page.locator("input[value=many]")).to_have_count(1)
    expect(page.locator("input[aria-invalid]")).to_be_focused()
    assert len(requests) == 2
    assert [each.partition(":")[0] for each in organiser.complaints] == ["Failed to load resource"] * 2
    organiser.complaints.clear()


@pytest.mark.walk
def test_results_are_entered_by_keyboard_undone_and_seen_by_the_other_organiser(
    new_player: NewPlayer, service: Serving
) -> None:
    first, second = new_player(), new_player(PHONE)
    for each in (first, second):
        each.sign_in_as_guest()
    event = create_tournament(first)
    second_id = str(second.page.evaluate("fetch('/api/me').then(answer => answer.json())")["person"]["id"])
    first.goes(f"/desk/roles?event={event.rpartition('/')[2]}")
    form = first.page.locator("form[action='/desk/roles']", has=first.page.locator("input[name=person]")).first
    form.locator("input[name=person]").fill(second_id)
    form.locator("select[name=role]").select_option("organiser")
    first.follows(form.locator("button").first)
    pair_round(first, event)
    publish_round(first)
    second.goes(f"{event}/desk")
    page, second_page = first.page, second.page
    expect(page.locator("#needs")).to_contain_text("4 tables have no result yet")

    row = page.locator("#row_1_1")
    row.locator("input[name=scores]").first.focus()
    page.keyboard.type("71")
    page.keyboard.press("Enter")
    page.keyboard.type("80")
    expect(row.locator("output").first).to_have_text("2.")
    expect(row.locator("output").last).to_have_text("1.")
    page.keyboard.press("Enter")
    expect(row).to_contain_text("71 2.")
    expect(second_page.locator("#row_1_1")).to_contain_text("80 1.")
    expect(page.locator("#row_1_2 input[name=scores]").first).to_be_focused()
    expect(second_page.locator("#needs")).to_contain_text("3 tables have no result yet")
    assert not second.is_wider_than_the_window

    # Input in progress is kept while the other organiser enters a result; filters and search show open tables.
    page.keyboard.type("6")
    second_page.locator("#row_1_3 input[name=scores]").first.fill("50")
    second_page.locator("#row_1_3 input[name=scores]").last.fill("50")
    second_page.locator("#row_1_3 button").click()
    expect(page.locator("#row_1_3")).to_contain_text("50 1.")
    expect(page.locator("#row_1_2 input[name=scores]").first).to_have_value("6")
    page.locator("#show-open").check()
    expect(page.locator(".bench-row:visible")).to_have_count(2)
    page.locator("#show-all").check()
    page.fill("#find", "4")
    expect(page.locator(".bench-row:visible")).to_have_count(1)
    page.fill("#find", "")

    second_page.locator("#row_1_3 form[data-slip] button").click()
    expect(page.locator("#row_1_3 input[name=scores]")).to_have_count(2)
    expect(page.locator("#row_1_1 form[data-slip]")).to_have_count(1)
    expect(second_page.locator("#row_1_1 form[data-slip]")).to_have_count(0)

    is_sent_once_whatever_comes_of_it(first)


@pytest.mark.walk
def test_people_are_moved_by_press_keys_and_dragging_with_the_cost_shown(
    new_player: NewPlayer, service: Serving
) -> None:
    organiser = new_player()
    organiser.sign_in_as_guest()
    event = create_tournament(organiser)
    pair_round(organiser, event)
    page, people = organiser.page, organiser.page.locator(".bench-person")
    names = people.all_inner_texts()

    people.nth(0).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#seating-hint")).to_contain_text(f"{names[0]} is selected")
    people.nth(3).focus()
    with page.expect_navigation(url="**/desk/seating?first=*&second=*"):
        page.keyboard.press("Enter")
    expect(page.locator(".levels tbody tr")).to_have_count(7)
    page.fill("form[action$='/desk/swap'] input[name=reason]", "They have come together.")
    organiser.follows("form[action$='/desk/swap'] button[name=sure]", "**/desk")
    assert people.all_inner_texts()[:4] == [names[3], names[1], names[2], names[0]]

    with page.expect_navigation(url="**/desk/seating?first=*&second=*"):
        people.nth(0).drag_to(people.nth(3))
    page.fill("form[action$='/desk/swap'] input[name=reason]", "Back again.")
    organiser.follows("form[action$='/desk/swap'] button[name=sure]", "**/desk")
    assert people.all_inner_texts()[:4] == names[:4]


def test_an_announcement_is_previewed_before_publication(new_player: NewPlayer, service: Serving) -> None:
    organiser = new_player()
    organiser.sign_in_as_guest()
    event = announce_event(organiser)
    page = organiser.page
    organiser.goes(f"{event}/desk/word")
    page.fill("textarea[name=text]", "Prizes at six.")
    organiser.follows("button[name=preview]", "**/desk/announce")
    expect(page.locator("blockquote.said")).to_have_text("Prizes at six.")
    organiser.goes(event)
    expect(page.locator("main")).not_to_contain_text("Prizes at six.")
    organiser.goes(f"{event}/desk/word")
    page.fill("textarea[name=text]", "Prizes at six.")
    page.fill("input[name=since]", "2031-05-01T18:00")
    organiser.follows("form[action$='/desk/announce'] button.primary", "**/desk/word")
    expect(page.locator(".bench-list", has_text="Prizes at six.")).to_contain_text("from Thu, 1 May 2031, 18:00")
