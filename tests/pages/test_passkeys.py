"""Passkeys in a browser with a virtual authenticator: created, used, listed and removed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.pages.browsing import PHONE, Player
from tests.workers.serving import Serving

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]

PASSWORD: Final = "correct horse battery"
MAKE: Final = "form[data-passkey=make]"
USE: Final = "form[data-passkey=use]"
INSIDE: Final = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class Holder(Player):
    """A person whose device stores passkeys, at the address for which they are created."""

    def __init__(self, browser: Browser, service: Serving, size: Any = None) -> None:
        port = urlsplit(service.started.url).port
        super().__init__(browser, f"http://localhost:{port}/", *([size] if size else []))
        self.devices = self.page.context.new_cdp_session(self.page)
        self.devices.send("WebAuthn.enable")
        self.device = self.devices.send("WebAuthn.addVirtualAuthenticator", {"options": INSIDE})["authenticatorId"]

    def is_known(self, *, is_verified: bool) -> None:
        """Set whether the device verifies its user."""
        options = {"authenticatorId": self.device, "isUserVerified": is_verified}
        self.devices.send("WebAuthn.setUserVerified", options)

    @property
    def passkeys(self) -> list[Any]:
        """The passkeys on the device."""
        credentials: list[Any] = self.devices.send("WebAuthn.getCredentials", {"authenticatorId": self.device})[
            "credentials"
        ]
        return credentials

    def signs_up(self, name: str) -> None:
        self.goes("/sign-in")
        form = self.page.locator("form[action='/sign-up']")
        form.locator("input[name=name]").fill(name)
        form.locator("input[name=password]").fill(PASSWORD)
        self.follows(form.locator("button"))

    def adds(self, label: str) -> None:
        self.goes("/account")
        self.page.locator(f"{MAKE} input[name=label]").fill(label)
        self.follows(f"{MAKE} button")

    def leaves(self) -> None:
        """Delete the session's cookies."""
        self.page.context.clear_cookies()
        self.goes("/sign-in")

    @property
    def who(self) -> str:
        return self.page.locator(".tools .account .who").text_content() or ""


@contextmanager
def at_a_device(browser: Browser, service: Serving, size: Any = None) -> Iterator[Holder]:
    holder = Holder(browser, service, size)
    yield holder
    holder.page.context.close()


@pytest.mark.walk
@pytest.mark.parametrize("size", [None, PHONE])
def test_a_passkey_is_made_used_and_removed(browser: Browser, service: Serving, size: Any) -> None:
    name = "Paula" if size else "Petra"
    with at_a_device(browser, service, size) as holder:
        holder.signs_up(name)
        holder.adds("Her key ring")
        assert holder.page.locator("section.passkey td").first.text_content() == "Her key ring"
        assert [each["isResidentCredential"] for each in holder.passkeys] == [True]
        assert not holder.is_wider_than_the_window
        holder.leaves()

        holder.follows(f"{USE} button")
        assert holder.who == name
        holder.leaves()
        holder.page.locator("[data-passkey-name]").fill(name)
        holder.follows(f"{USE} button")
        assert holder.who == name
        assert holder.passkeys[0]["signCount"] >= 2

        holder.goes("/account")
        holder.follows("form[action='/account/passkeys/remove'] button")
        assert holder.page.locator("form[action='/account/passkeys/remove']").count() == 0
        holder.leaves()
        holder.follows(f"{USE} button")
        expect(holder.page.locator(".passkey .notice")).to_contain_text(
            "No account uses this passkey. Choose another one or sign in another way."
        )
        assert not holder.is_wider_than_the_window
        assert [each for each in holder.complaints if "401" not in each] == []


def test_a_device_without_user_verification_creates_and_signs_nothing(browser: Browser, service: Serving) -> None:
    with at_a_device(browser, service) as holder:
        holder.signs_up("Paloma")
        holder.is_known(is_verified=False)
        holder.goes("/account")
        holder.page.locator(f"{MAKE} button").click()
        expect(holder.page.locator(f"{MAKE} [data-passkey-failed]")).to_be_visible()
        assert holder.passkeys == []

        holder.is_known(is_verified=True)
        holder.adds("")
        assert "Chrom" in (holder.page.locator("section.passkey td").first.text_content() or "")
        holder.leaves()
        holder.is_known(is_verified=False)
        holder.page.locator(f"{USE} button").click()
        expect(holder.page.locator(f"{USE} [data-passkey-failed]")).to_be_visible()
        assert holder.complaints == []


def test_the_same_device_is_not_added_twice(browser: Browser, service: Serving) -> None:
    with at_a_device(browser, service) as holder:
        holder.signs_up("Pilar")
        holder.adds("First")
        holder.page.locator(f"{MAKE} button").click()
        expect(holder.page.locator(f"{MAKE} [data-passkey-failed]")).to_be_visible()
        assert len(holder.passkeys) == 1


def test_no_passkey_button_is_shown_where_passkeys_cannot_work(
    new_player: NewPlayer, browser: Browser, service: Serving
) -> None:
    """At another address the page links to the right one; without scripts it shows nothing."""
    player = new_player()
    player.goes("/sign-in?back=/rankings")
    expect(player.page.locator(USE)).to_be_hidden()
    link = player.page.locator("[data-passkey-elsewhere] a")
    expect(link).to_be_visible()
    port = urlsplit(service.started.url).port
    assert link.get_attribute("href") == f"http://localhost:{port}/sign-in?back=/rankings"

    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"http://localhost:{port}/sign-in")
    expect(page.locator(USE)).to_be_hidden()
    expect(page.locator("[data-passkey-elsewhere]")).to_be_hidden()
    expect(page.locator("form[action='/sign-in']")).to_be_visible()
    context.close()
