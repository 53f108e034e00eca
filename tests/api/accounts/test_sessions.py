"""Sessions and CSRF tokens from before signing in are invalid afterwards."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE, NoGuest, People
from api.http.cookies import FORMS, SESSION
from tests.api.http.forms import TOKEN, Visitor
from tests.api.service import PASSWORD, settings_in
from tests.seeding import entropy
from tests.service_app import create_app

AT = datetime(2026, 1, 1, tzinfo=UTC)
ACCOUNT = {"name": "Ann", "password": PASSWORD}


@pytest.fixture
def client(own_client: TestClient[Any]) -> TestClient[Any]:
    return own_client


def fetch_person(client: TestClient[Any], session: str) -> Any:
    """Return the person identified by a copied cookie."""
    client.cookies.clear()
    return client.get("/api/me", headers={"Cookie": f"{SESSION}={session}"}).json()["person"]


def test_a_guests_sessions_end_when_it_becomes_an_account(client: TestClient[Any]) -> None:
    visitor = Visitor(client)
    visitor.sends("/guest")
    stolen = client.cookies[SESSION]
    people = PEOPLE.of(client)
    guest = people.access.session(stolen, datetime.now(UTC))
    assert guest is not None
    elsewhere = people.access.start_session(guest, datetime.now(UTC))

    visitor.sends("/sign-up", ACCOUNT)

    session = client.cookies[SESSION]
    assert fetch_person(client, session) == {"id": guest.id, "name": "Ann"}
    assert fetch_person(client, stolen) is None
    assert fetch_person(client, elsewhere) is None


@pytest.mark.parametrize(
    ("door", "fields"),
    [("/sign-in", ACCOUNT), ("/sign-up", {"name": "Cleo", "password": PASSWORD}), ("/guest", {})],
)
def test_signing_in_ends_the_previous_session(client: TestClient[Any], door: str, fields: dict[str, str]) -> None:
    people = PEOPLE.of(client)
    people.create("Ann", PASSWORD, AT)
    visitor = Visitor(client)
    visitor.sends("/guest")
    before = client.cookies[SESSION]

    visitor.sends(door, fields)

    assert client.cookies[SESSION] != before
    assert fetch_person(client, before) is None


def test_concurrent_conversions_of_a_guest_create_one_account(people: People) -> None:
    guest = people.create_guest(AT)

    def claim(name: str) -> str:
        try:
            return people.claim(guest, name, PASSWORD, AT).name
        except NoGuest as error:
            return str(error)

    with ThreadPoolExecutor(2) as threads:
        results = set(threads.map(claim, ("Ann", "Ben")))

    found = people.find(guest.id)
    assert found is not None
    assert results == {found.name, f"{guest.name} is no longer a guest"}


def test_a_csrf_token_is_valid_only_in_its_session(client: TestClient[Any]) -> None:
    """A token and cookie from another browser are rejected together."""
    visitor = Visitor(client)
    visitor.sends("/guest")
    planted = client.cookies[FORMS]
    client.cookies.clear()
    Visitor(client).sends("/guest")
    client.cookies.set(FORMS, planted, domain="testserver.local")

    response = client.post("/language", data={"_csrf_token": planted, "language": "de"}, follow_redirects=False)

    assert response.status_code == 403


def test_a_form_from_before_signing_in_is_rejected(client: TestClient[Any]) -> None:
    visitor = Visitor(client)
    early = TOKEN.findall(visitor.text)[0]
    visitor.sends("/guest")

    late = TOKEN.findall(visitor.text)[0]
    refusal = client.post("/language", data={"_csrf_token": early, "language": "de"}, follow_redirects=False)
    response = client.post("/language", data={"_csrf_token": late, "language": "de"}, follow_redirects=False)

    assert late != early
    assert (refusal.status_code, response.status_code) == (403, 303)


def test_cookies_have_the_host_prefix_over_tls(tmp_path: Path) -> None:
    settings = msgspec.structs.replace(settings_in(tmp_path), secure_cookies=True)
    with TestClient(create_app(settings, entropy()), base_url="https://esporles.example") as client:
        first = client.get("/")
        token = TOKEN.findall(first.text)[0]
        came = client.post("/guest", data={"_csrf_token": token}, follow_redirects=False)
        response = client.post("/sign-out", data={"_csrf_token": TOKEN.findall(client.get("/").text)[0]})

        assert response.status_code == 200
        assert SESSION not in client.cookies
        for answer, name in ((first, FORMS), (came, SESSION), (response.history[0], SESSION)):
            cookie = answer.headers["set-cookie"]
            assert cookie.startswith(f"__Host-{name}=")
            assert {"Secure", "Path=/", "HttpOnly", "SameSite=lax"} <= set(cookie.split("; "))
            assert "Domain" not in cookie
        for answer in (first, client.get("/api/health"), client.get("/nowhere"), client.get("/static/esporles.css")):
            assert answer.headers["strict-transport-security"] == "max-age=31536000"


def test_hsts_is_not_sent_without_tls(client: TestClient[Any]) -> None:
    assert "strict-transport-security" not in client.get("/").headers
