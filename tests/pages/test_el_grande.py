"""A person plays El Grande in a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.pages.browsing import PHONE, RESULT, Player
from tests.workers.serving import Client, Serving

pytestmark = [pytest.mark.chromium, pytest.mark.xdist_group("chromium")]

SitDown = Callable[..., Player]


def test_a_whole_match_of_el_grande_is_played_to_its_end_by_clicking(sit_down: SitDown, house: Serving) -> None:
    player = sit_down()
    path = player.plays_against(1, "el_grande", "short")

    clicks = 0
    while player.is_asked():
        player.presses(clicks)
        clicks += 1

    assert clicks > 20
    match = Client(house.started.url).get(f"/matches/{path.rsplit('/', 1)[1]}")
    assert (match["status"], match["options"]["short"], match["head"]) == ("ended", "yes", player.head)
    places = player.page.locator(f"{RESULT} .places li").all_inner_texts()
    assert f"{max(match['scores'])} points" in places[0]


def test_five_seats_with_every_variant_can_be_played_at_phone_width(sit_down: SitDown) -> None:
    player = sit_down(PHONE)
    player.plays_against(4, "el_grande", "cards", "veterans", "new_regency", "shift_of_power")

    for click in range(6):
        assert player.is_asked()
        assert not player.is_wider_than_the_window
        player.presses(click)

    assert player.page.locator(".eg-area").count() == 10
    assert player.page.locator(".eg-player").count() == 5
    expect(player.page.locator(".eg-hand")).to_be_visible()
