"""An open page whose reader loses access, in a real browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.pages.browsing import Player
from tests.pages.conftest import at_a_browser
from tests.workers.serving import Serving

pytestmark = pytest.mark.chromium


@pytest.mark.walk
def test_the_page_of_a_private_table_closes_when_the_invitation_is_revoked(
    house: Serving, sit_down: Callable[..., Player]
) -> None:
    host, guest = house.player(), house.player()
    match_id = str(host.post("/matches", {"title": "la_granja", "seats": 2, "table": {"public": False}})["matchId"])
    made = host.post(f"/matches/{match_id}/invitations", {})
    guest.post("/invitations", {"secret": made["secret"]})
    player = at_a_browser(guest, sit_down())
    player.goes(f"/tables/{match_id}")
    expect(player.page.locator("[data-stream]")).to_be_visible()

    assert host.ask("DELETE", f"/matches/{match_id}/invitations/{made['id']}")[0] == 204
    host.post(f"/matches/{match_id}/seats", {"seat": 0})

    expect(player.page.locator("[data-stream]")).to_have_count(0)
    expect(player.page.locator("main")).to_contain_text("This table does not exist.")
    player.complaints.clear()  # the page that was refused
