"""Archive, explorer and player pages in a browser, with a real match."""

from collections.abc import Callable

import pytest

from tests.pages.browsing import PHONE, Player
from tests.pages.sample_content import until
from tests.workers.serving import Client

pytestmark = pytest.mark.chromium


@pytest.mark.walk
def test_a_match_of_bots_is_found_in_the_archive_and_the_explorer(
    new_player: Callable[..., Player], operator: Client
) -> None:
    table = {"title": "el_grande", "seats": 2, "options": {"short": "yes"}, "table": {"public": True}}
    match_id = operator.post("/matches", table)["matchId"]
    for seat in (0, 1):
        operator.post(f"/matches/{match_id}/seats", {"seat": seat, "bot": "random"})
    until(
        operator,
        "/archive?title=el_grande",
        lambda response: match_id in {each["matchId"] for each in response["matches"]},
    )
    reader = new_player(PHONE)

    reader.goes("/archive")
    reader.page.get_by_label("Game").select_option("el_grande")
    reader.page.get_by_role("button", name="Search").click()
    assert reader.page.get_by_label("Game").input_value() == "el_grande"
    reader.page.locator(f"a[href='/tables/{match_id}/replay']").click()
    reader.page.get_by_role("heading", name="Position statistics").wait_for()

    reader.goes("/explorer/el_grande?seats=2&who=bots")
    reader.page.get_by_role("heading", name="Home regions").wait_for()
    reader.page.get_by_role("link", name="Openings").click()
    reader.page.locator(".moves a").first.click()
    reader.page.get_by_role("link", name="Matches with this opening").click()
    assert reader.page.locator("table.listing tbody tr").count() >= 1


def test_a_player_page_is_found_by_name(new_player: Callable[..., Player], operator: Client) -> None:
    reader = new_player()

    reader.goes(f"/players/{operator.get('/me')['person']['name']}")

    assert reader.page.get_by_role("heading", level=1).inner_text() == operator.get("/me")["person"]["name"]
