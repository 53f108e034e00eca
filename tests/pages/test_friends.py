"""Following and challenging people, and marking an account as a bot, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote
from zipfile import ZipFile

import pytest
from playwright.sync_api import expect

from tests.pages.browsing import PHONE, Player
from tests.pages.conftest import OPERATOR, at_a_browser, fetch_name
from tests.workers.serving import Serving

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]


@pytest.mark.walk
def test_a_friend_is_challenged_from_their_page_and_joins_the_table(service: Serving, new_player: NewPlayer) -> None:
    first, second = service.player(), service.player()
    ann, ben = at_a_browser(first, new_player()), at_a_browser(second, new_player(PHONE))

    # Each follows the other from the other's page, and stays there.
    ann.goes(f"/players/{fetch_name(second)}")
    ann.page.get_by_role("button", name="Follow").click()
    expect(ann.page.get_by_role("button", name="Unfollow")).to_be_visible()
    expect(ann.page.locator(".badge", has_text="friend")).to_have_count(0)
    ben.goes(f"/players/{fetch_name(first)}")
    ben.page.get_by_role("button", name="Follow").click()
    expect(ben.page.locator(".badge", has_text="friend")).to_be_visible()
    ben.goes(f"/players/{fetch_name(second)}")
    expect(ben.page.locator("#company")).to_have_count(0)

    # A challenge is a table where the challenger is seated and which waits for the challenged person only.
    ann.goes(f"/players/{fetch_name(second)}")
    ann.page.locator("summary", has_text="Challenge").click()
    ann.page.get_by_role("button", name="La Granja").click()
    ann.page.wait_for_url("**/tables/*")
    table = ann.here

    # Its link, copied or read as a QR code, admits a person without an account.
    ann.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.goes(f"{table}/invitations")
    ann.follows(ann.page.get_by_role("button", name="Create link"))
    expect(ann.page.get_by_role("img", name="QR code of the link").locator("svg")).to_be_visible()
    ann.page.get_by_role("button", name="Copy link").click()
    expect(ann.page.locator("[data-told]")).to_have_text("Copied")
    link = ann.page.evaluate("navigator.clipboard.readText()")
    assert link == ann.page.locator("#link").input_value()
    eve = new_player()
    eve.page.goto(link)
    eve.page.wait_for_url(f"**{table}")
    ann.goes(table)

    ben.goes("/account/people")
    expect(ben.page.locator("#challenges ~ ul")).to_contain_text(f"{fetch_name(first)} challenges you")
    ben.page.get_by_role("link", name="Go to the table").click()
    ben.page.wait_for_url(f"**{table}")
    ben.page.get_by_role("button", name="Join").click()
    expect(ann.page.locator(".seats")).to_contain_text(fetch_name(second))
    ben.goes("/account/people")
    expect(ben.page.locator("main")).to_contain_text("No open challenges.")

    # Deleting an account removes its data and its name from others' pages.
    name = fetch_name(second)
    ben.goes("/account")
    with ben.page.expect_download() as download:
        ben.page.locator("a[href='/api/me/data.zip']").click()
    assert "account.json" in ZipFile(download.value.path()).namelist()
    ben.page.locator("summary", has_text="Delete account").click()
    ben.page.locator("form[action='/account/erase'] input[type=password]").fill(OPERATOR["password"])
    ben.follows(ben.page.get_by_role("button", name="Delete account permanently"))
    expect(ann.page.locator(".seats")).not_to_contain_text(name)
    assert first.ask("GET", f"/players/{quote(name)}")[0] == 404


def test_an_account_marked_as_a_bot_is_shown_as_one_at_tables(service: Serving, new_player: NewPlayer) -> None:
    person, program = service.player(), service.player()
    bot_player, ann = at_a_browser(program, new_player()), at_a_browser(person, new_player(PHONE))

    bot_player.goes("/account")
    bot_player.page.locator("summary", has_text="Convert to a bot account").click()
    bot_player.page.get_by_role("button", name="Convert account").click()
    expect(bot_player.page.locator("summary", has_text="Convert to a bot account")).to_have_count(0)
    ann.goes("/open/la_granja")
    ann.page.locator("input[name=programs]").check()
    ann.opens_the_table()
    match_id = ann.here.rpartition("/")[2]
    program.post(f"/matches/{match_id}/seats", {"seat": 1})

    expect(ann.page.locator(".seats")).to_contain_text(f"{fetch_name(program)} (bot)")
    without_bots = str(person.post("/matches", {"title": "la_granja", "seats": 2})["matchId"])
    status, error = program.ask("POST", f"/matches/{without_bots}/seats", {"seat": 1})
    assert (status, error["code"]) == (403, "seat/no_bots")
