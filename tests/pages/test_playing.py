"""A person plays in a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.pages.browsing import BUTTONS, PHONE, RESULT, Player
from tests.workers.serving import Client, Serving

pytestmark = [pytest.mark.chromium, pytest.mark.xdist_group("chromium")]

SitDown = Callable[..., Player]


def test_a_whole_match_against_a_bot_is_played_to_its_end_by_clicking(sit_down: SitDown, house: Serving) -> None:
    player = sit_down()
    path = player.plays_against(1)

    clicks = 0
    while player.is_asked():
        player.presses(clicks)
        clicks += 1

    assert clicks > 20
    expect(player.page.locator(RESULT)).to_contain_text("points")
    match = Client(house.started.url).get(f"/matches/{path.rsplit('/', 1)[1]}")
    assert match["status"] == "ended"
    assert match["head"] == player.head
    places = player.page.locator(f"{RESULT} .places li").all_inner_texts()
    assert f"{max(match['scores'])} points" in places[0]


def test_the_first_page_shows_four_bots_that_play(sit_down: SitDown) -> None:
    player = sit_down()
    player.goes("/")

    before = player.head
    player.page.wait_for_function("before => document.querySelector('#status .head').innerText !== before", arg=before)

    expect(player.page.locator(".live")).to_contain_text("four bots")
    assert player.page.locator(".lg-farm").count() == 4


def test_the_share_of_luck_comes_from_the_browser(sit_down: SitDown, house: Serving) -> None:
    player = sit_down()
    path = player.plays_against(2)
    player.is_asked()

    entries = Client(house.started.url).get(f"/matches/{path.rsplit('/', 1)[1]}/entries")["entries"]

    shares = [entry["body"]["shareBy"] for entry in entries if entry["body"]["type"] == "seat_taken"]
    assert shares == ["client", "service", "service"]


def test_whoever_watches_sees_what_happens_as_it_happens_and_no_hand(sit_down: SitDown) -> None:
    player, watcher = sit_down(), sit_down()
    path = player.plays_against(1)
    player.is_asked()
    watcher.goes(path)

    player.presses(0)

    watcher.page.wait_for_function(
        "wanted => Number(document.querySelector('.table').dataset.version) >= wanted", arg=player.version
    )
    assert watcher.page.query_selector(BUTTONS) is None
    assert watcher.page.query_selector(".lg-hand") is None


def test_a_turn_can_be_played_by_keyboard_alone(sit_down: SitDown) -> None:
    player = sit_down()
    player.plays_against(1)
    player.is_asked()

    player.page.locator(BUTTONS).first.focus()
    for _ in range(3):
        player.is_asked()
        before = player.version
        player.page.keyboard.press("Tab")
        player.page.keyboard.press("1")
        player.page.wait_for_function(
            "before => Number(document.querySelector('.table').dataset.version) > before", arg=before
        )

    player.is_asked()
    player.page.locator(BUTTONS).first.focus()
    before = player.version
    player.page.keyboard.press("Enter")
    player.page.wait_for_function(
        "before => Number(document.querySelector('.table').dataset.version) > before", arg=before
    )


def test_a_match_can_be_played_at_phone_width(sit_down: SitDown) -> None:
    player = sit_down(PHONE)
    player.plays_against(3)

    for click in range(4):
        assert player.is_asked()
        assert not player.is_wider_than_the_window
        player.presses(click)

    player.goes("/")
    assert not player.is_wider_than_the_window


def test_a_page_that_lost_the_stream_is_whole_again_after_a_reload(sit_down: SitDown) -> None:
    player = sit_down()
    player.plays_against(1)
    player.is_asked()
    player.presses(0)
    version = player.version

    player.page.reload()

    assert player.is_asked()
    assert player.version >= version


def test_two_people_play_at_one_table(sit_down: SitDown) -> None:
    first, second = sit_down(), sit_down()
    first.goes("/")
    first.page.click("text=Open a table for people")
    first.page.wait_for_url("**/tables/*")
    second.goes("/")
    second.page.click("nav >> text=Sign in")
    second.page.click("text=Come in as a guest")
    second.page.wait_for_selector("text=Sign out")
    second.goes(first.page.url.removeprefix(first.url.rstrip("/")))
    second.page.click("text=Sit down")
    first.page.click("text=I am ready")
    second.page.click("text=I am ready")

    first.page.wait_for_selector(".lg-hand")
    second.page.wait_for_selector(".lg-hand")
    acting = first if first.page.query_selector(BUTTONS) else second
    acting.presses(0)

    assert acting.version > 6
