"""Sessions and the forms that belong to them: what was good before signing in is worth nothing after."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE, NoGuest, People
from api.app import create_app
from api.http.cookies import FORMS, SESSION
from tests.api.house import PASSWORD, settings_in
from tests.api.http.forms import TOKEN, Visitor
from tests.seeding import entropy

AT = datetime(2026, 1, 1, tzinfo=UTC)
ACCOUNT = {"name": "Ann", "password": PASSWORD}


@pytest.fixture
def client(own_client: TestClient[Any]) -> TestClient[Any]:
    return own_client


def known_by(client: TestClient[Any], session: str) -> Any:
    """Whom a copy of the cookie would be."""
    client.cookies.clear()
    return client.get("/api/me", headers={"Cookie": f"{SESSION}={session}"}).json()["person"]


def test_the_cookies_of_a_guest_die_when_the_guest_becomes_an_account(client: TestClient[Any]) -> None:
    visitor = Visitor(client)
    visitor.sends("/guest")
    stolen = client.cookies[SESSION]
    people = PEOPLE.of(client)
    guest = people.access.session(stolen, datetime.now(UTC))
    assert guest is not None
    elsewhere = people.access.start_session(guest, datetime.now(UTC))

    visitor.sends("/sign-up", ACCOUNT)

    kept = client.cookies[SESSION]
    assert known_by(client, kept) == {"id": guest.id, "name": "Ann"}
    assert known_by(client, stolen) is None
    assert known_by(client, elsewhere) is None


@pytest.mark.parametrize(
    ("door", "fields"),
    [("/sign-in", ACCOUNT), ("/sign-up", {"name": "Cleo", "password": PASSWORD}), ("/guest", {})],
)
def test_the_session_a_browser_came_with_ends_at_every_sign_in(
    client: TestClient[Any], door: str, fields: dict[str, str]
) -> None:
    people = PEOPLE.of(client)
    people.create("Ann", PASSWORD, AT)
    visitor = Visitor(client)
    visitor.sends("/guest")
    before = client.cookies[SESSION]

    visitor.sends(door, fields)

    assert client.cookies[SESSION] != before
    assert known_by(client, before) is None


def test_a_guest_becomes_one_account_though_two_ask_at_once(people: People) -> None:
    guest = people.create_guest(AT)

    def claim(name: str) -> str:
        try:
            return people.claim(guest, name, PASSWORD, AT).name
        except NoGuest as refused:
            return str(refused)

    with ThreadPoolExecutor(2) as threads:
        told = set(threads.map(claim, ("Ann", "Ben")))

    found = people.find(guest.id)
    assert found is not None
    assert told == {found.name, f"{guest.name} is no guest any more"}


def test_a_form_is_good_in_its_own_session_alone(client: TestClient[Any]) -> None:
    """Token and cookie of somebody else's browser, planted together in this one, are refused."""
    visitor = Visitor(client)
    visitor.sends("/guest")
    planted = client.cookies[FORMS]
    client.cookies.clear()
    Visitor(client).sends("/guest")
    client.cookies.set(FORMS, planted, domain="testserver.local")

    answer = client.post("/language", data={"_csrf_token": planted, "language": "de"}, follow_redirects=False)

    assert answer.status_code == 403


def test_a_form_from_before_signing_in_is_refused_after(client: TestClient[Any]) -> None:
    visitor = Visitor(client)
    early = TOKEN.findall(visitor.text)[0]
    visitor.sends("/guest")

    late = TOKEN.findall(visitor.text)[0]
    refused = client.post("/language", data={"_csrf_token": early, "language": "de"}, follow_redirects=False)
    answer = client.post("/language", data={"_csrf_token": late, "language": "de"}, follow_redirects=False)

    assert late != early
    assert (refused.status_code, answer.status_code) == (403, 303)


def test_behind_tls_cookies_are_for_this_host_alone(tmp_path: Path) -> None:
    settings = msgspec.structs.replace(settings_in(tmp_path), secure_cookies=True)
    with TestClient(create_app(settings, entropy()), base_url="https://esporles.example") as client:
        first = client.get("/")
        token = TOKEN.findall(first.text)[0]
        came = client.post("/guest", data={"_csrf_token": token}, follow_redirects=False)
        left = client.post("/sign-out", data={"_csrf_token": TOKEN.findall(client.get("/").text)[0]})

        assert left.status_code == 200
        assert SESSION not in client.cookies
        for answer, name in ((first, FORMS), (came, SESSION), (left.history[0], SESSION)):
            cookie = answer.headers["set-cookie"]
            assert cookie.startswith(f"__Host-{name}=")
            assert {"Secure", "Path=/", "HttpOnly", "SameSite=lax"} <= set(cookie.split("; "))
            assert "Domain" not in cookie
        for answer in (first, client.get("/api/health"), client.get("/nowhere"), client.get("/static/esporles.css")):
            assert answer.headers["strict-transport-security"] == "max-age=31536000"


def test_without_tls_no_browser_is_told_to_ask_for_it(client: TestClient[Any]) -> None:
    assert "strict-transport-security" not in client.get("/").headers
