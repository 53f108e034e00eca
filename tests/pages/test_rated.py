"""A rated table in a browser: the checkbox selects a clock, and a guest is offered an account instead."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.pages.browsing import PHONE, Player
from tests.pages.conftest import at_a_browser
from tests.workers.serving import Serving

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]


def test_ticking_rated_selects_a_clock(new_player: NewPlayer, service: Serving) -> None:
    host, guest = at_a_browser(service.player(), new_player(PHONE)), new_player()
    host.goes("/open/la_granja")
    assert host.page.input_value("[name=clock]") == "none"

    host.page.check("[name=rated]")
    expect(host.page.locator("[name=clock]")).to_have_value("match-1500-30")
    expect(host.page.locator("[name=clock] option[value=none]")).to_be_disabled()
    host.page.uncheck("[name=rated]")
    expect(host.page.locator("[name=clock] option[value=none]")).to_be_enabled()
    host.page.check("[name=rated]")
    host.page.select_option("[name=leavingMax]", "20")
    assert not host.is_wider_than_the_window
    path = host.opens_the_table()
    expect(host.page.locator(".terms")).to_contain_text("rated")
    assert not host.is_wider_than_the_window

    guest.goes(path)
    expect(guest.page.locator(".gathering")).to_contain_text("you need an account to join")
    expect(guest.page.locator(".gathering form[action$='/sit']")).to_have_count(0)
    guest.goes("/open/la_granja")
    expect(guest.page.locator("[name=rated]")).to_be_disabled()
    host.goes(path)
    host.page.locator(".gathering form[action$='/leave']").last.locator("button").click()
