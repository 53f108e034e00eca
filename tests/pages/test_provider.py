"""Signing in with a provider in a browser: redirect, return, choice of a name, and the next sign-in."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from api.http.preferences import LANGUAGE_COOKIE
from tests.api.accounts.sign_in_clients import CLIENT, SECRET, Provider, providing
from tests.pages.browsing import PHONE, Player
from tests.pages.page_checks import Reader, violations
from tests.workers.serving import Serving, serving

pytestmark = pytest.mark.chromium

HERE: Final = "form[action^='/sign-in/provider'] button"


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with providing() as provider:
        yield provider


@pytest.fixture(scope="module")
def club(provider: Provider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Run a service with the provider, which redirects to the service's address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with serving(
        tmp_path_factory.mktemp("club"),
        1,
        ESPORLES_PORT=str(port),
        ESPORLES_OPENID_ISSUER=provider.issuer,
        ESPORLES_OPENID_CLIENT=CLIENT,
        ESPORLES_OPENID_SECRET=SECRET,
        ESPORLES_OPENID_LABEL="Chess Club",
    ) as service:
        yield service


def new_player(browser: Browser, club: Serving) -> Player:
    return Player(browser, f"http://localhost:{urlsplit(club.started.url).port}/", PHONE)


@pytest.mark.walk("provider")
def test_a_new_person_signs_up_with_the_provider_and_signs_in_again(
    browser: Browser, club: Serving, provider: Provider
) -> None:
    player = new_player(browser, club)
    player.goes("/sign-in?back=/rankings")
    assert not player.is_wider_than_the_window
    player.follows(HERE, "**/sign-in/name")
    name = player.page.locator("main input[name=name]")
    expect(name).to_have_value("Ann")
    assert not player.is_wider_than_the_window
    name.fill("Anna Board")
    player.follows("main form[action='/sign-in/name'] button", "**/rankings")
    account_name = player.page.locator(".tools .account .who")
    expect(account_name).to_have_text("Anna Board")
    player.goes("/account")
    expect(player.page.locator("main code")).to_have_text("s-1")
    assert not player.is_wider_than_the_window
    player.page.context.clear_cookies()

    player.goes("/sign-in?back=/events")
    player.follows(HERE, "**/events")

    expect(account_name).to_have_text("Anna Board")
    assert player.complaints == []
    player.page.context.close()


@pytest.mark.walk("provider")
def test_an_account_adds_the_provider_as_a_sign_in_method(browser: Browser, club: Serving, provider: Provider) -> None:
    provider.person = {"sub": "s-9"}
    player = new_player(browser, club)
    player.goes("/sign-in")
    form = player.page.locator("form[action='/sign-up']")
    form.locator("input[name=name]").fill("Berta")
    form.locator("input[name=password]").fill("correct horse battery")
    player.follows(form.locator("button"))
    player.goes("/account")

    player.follows("form[action='/account/identities'] button", "**/account")

    expect(player.page.locator("main code")).to_have_text("s-9")
    player.page.context.clear_cookies()
    player.goes("/sign-in")
    player.follows(HERE, "**/")
    expect(player.page.locator(".tools .account .who")).to_have_text("Berta")
    assert player.complaints == []
    player.page.context.close()


@pytest.mark.walk("provider")
def test_pages_of_provider_sign_in_have_no_faults(browser: Browser, club: Serving, provider: Provider) -> None:
    """The general tour of pages has no sign-in in progress, and no account with a second sign-in method."""
    provider.person = {"sub": "s-7", "preferred_username": "Dora"}
    reader = Reader(browser, f"http://localhost:{urlsplit(club.started.url).port}/")
    reader.goes("/sign-in")
    reader.follows(HERE, "**/sign-in/name")
    faults_found = violations(reader, "/sign-in/name")
    # Otherwise the browser's language would be stored with the account.
    reader.page.context.clear_cookies(name=LANGUAGE_COOKIE)
    reader.follows("main form[action='/sign-in/name'] button", "**/")
    faults_found |= {f"account, {looks}": faults for looks, faults in violations(reader, "/account").items()}
    reader.page.context.close()

    assert faults_found == {}
