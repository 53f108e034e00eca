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
    service: Serving, new_player: Callable[..., Player]
) -> None:
    host, guest = service.player(), service.player()
    match_id = str(host.post("/matches", {"title": "la_granja", "seats": 2, "table": {"public": False}})["matchId"])
    invitation = host.post(f"/matches/{match_id}/invitations", {})
    guest.post("/invitations", {"secret": invitation["secret"]})
    player = at_a_browser(guest, new_player())
    player.goes(f"/tables/{match_id}")
    expect(player.page.locator("[data-stream]")).to_be_visible()

    assert host.ask("DELETE", f"/matches/{match_id}/invitations/{invitation['id']}")[0] == 204
    host.post(f"/matches/{match_id}/seats", {"seat": 0})

    expect(player.page.locator("[data-stream]")).to_have_count(0)
    expect(player.page.locator("main")).to_contain_text("This table does not exist.")
    player.complaints.clear()  # the page that was refused
