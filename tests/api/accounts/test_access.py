"""Passwords, sessions and tokens of an account, visible to and ended by its owner."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
from litestar.testing import TestClient

from api.accounts.access import SESSIONS_MAX, TOKENS_MAX, NoSuchSession, Token, TooManyTokens
from api.accounts.agents import describe_agent
from api.accounts.people import PEOPLE, People
from api.http.cookies import SESSION
from api.http.identity import Person
from tests.api.http.forms import Visitor
from tests.api.service import PASSWORD

AT: Final = datetime(2026, 1, 1, tzinfo=UTC)
ACCOUNT: Final = {"name": "Ann", "password": PASSWORD}
NEW: Final = "another battery"
FIREFOX: Final = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"


@pytest.fixture
def client(own_client: TestClient[Any]) -> TestClient[Any]:
    """Use a separate service, so that counts are exact."""
    return own_client


@pytest.fixture
def person(people: People) -> Person:
    return people.create("Ann", PASSWORD, AT)


@pytest.fixture
def ann(client: TestClient[Any]) -> Visitor:
    """Return a client signed in as Ann."""
    PEOPLE.of(client).create("Ann", PASSWORD, AT)
    visitor = Visitor(client)
    visitor.sends("/sign-in", ACCOUNT, {"User-Agent": FIREFOX})
    return visitor


def token_for(client: TestClient[Any], **wanted: Any) -> dict[str, Any]:
    response = client.post("/api/tokens", json=ACCOUNT | wanted)
    assert response.status_code == 201, response.text
    token: dict[str, Any] = response.json()
    return token


def asks(client: TestClient[Any], method: str, path: str, token: dict[str, Any], **more: Any) -> tuple[int, Any]:
    response = client.request(method, f"/api{path}", headers={"Authorization": f"Bearer {token['secret']}"}, **more)
    return response.status_code, response.json() if response.content else None


def test_sessions_are_listed_with_their_details(people: People, person: Person) -> None:
    first = people.access.start_session(person, AT, agent=FIREFOX)
    people.access.start_session(person, AT + timedelta(hours=1))
    later = AT + timedelta(hours=2)

    assert people.access.session(first, later) == person

    newest, oldest = people.access.sessions(person.id, later, secret=first).items
    assert (newest.created, newest.used, newest.is_this) == (AT + timedelta(hours=1), AT + timedelta(hours=1), False)
    assert (oldest.created, oldest.used, oldest.is_this, oldest.agent) == (AT, later, True, FIREFOX)
    assert people.access.sessions(person.id, AT + timedelta(days=31)).items == ()


def test_a_long_list_of_sessions_comes_in_pages(people: People, person: Person) -> None:
    for _ in range(3):
        people.access.start_session(person, AT)

    first = people.access.sessions(person.id, AT, limit=2)
    second = people.access.sessions(person.id, AT, limit=2, before=first.next)

    assert (len(first.items), len(second.items), second.next) == (2, 1, None)


def test_only_the_owner_can_end_a_session(people: People, person: Person) -> None:
    ben = people.create("Ben", PASSWORD, AT)
    secret = people.access.start_session(person, AT)
    (session,) = people.access.sessions(person.id, AT).items

    with pytest.raises(NoSuchSession):
        people.access.end_session_of(ben.id, session.id)
    assert people.access.session(secret, AT) == person

    people.access.end_session_of(person.id, session.id)
    assert people.access.session(secret, AT) is None


def test_a_token_has_label_scopes_expiry_and_last_use(people: People, person: Person) -> None:
    token, secret = people.access.issue_token(person, "my bot", AT, ("play", "read"), days=2)
    later = AT + timedelta(days=1)

    assert people.access.bearer(secret, later) is not None

    (shown,) = people.access.tokens(person.id).items
    assert shown == Token(token.id, "my bot", AT, ("read", "play"), AT + timedelta(days=2), later)
    assert people.access.bearer(secret, AT + timedelta(days=2, seconds=1)) is None


def test_frequent_uses_of_a_token_are_not_all_recorded(people: People, person: Person) -> None:
    _, secret = people.access.issue_token(person, "my bot", AT)
    for minutes in (0, 5, 9):
        people.access.bearer(secret, AT + timedelta(minutes=minutes))

    (token,) = people.access.tokens(person.id).items
    assert token.used == AT


def test_tokens_are_issued_with_scopes_and_expiry(client: TestClient[Any], ann: Visitor) -> None:
    token = token_for(client, label="my bot", scopes=["play", "read", "play"], days=30)
    whole = token_for(client)

    assert token["scopes"] == ["read", "play"]
    assert datetime.fromisoformat(token["ends"]) - datetime.fromisoformat(token["created"]) == timedelta(days=30)
    assert (whole["scopes"], whole["ends"]) == (["read", "play", "organise", "arbitrate", "admin"], None)
    listed = asks(client, "GET", "/tokens", whole)[1]["tokens"]
    assert [(each["id"], each["used"] is not None) for each in listed] == [(whole["id"], True), (token["id"], False)]


@pytest.mark.parametrize(
    "wrong", [{"scopes": []}, {"scopes": ["rule"]}, {"days": 0}, {"days": 401}, {"label": "x" * 81}]
)
def test_an_invalid_token_request_is_rejected(client: TestClient[Any], wrong: dict[str, Any]) -> None:
    response = client.post("/api/tokens", json=ACCOUNT | wrong)

    assert (response.status_code, response.json()["code"]) == (400, "request/malformed")


def test_changing_the_password_by_api_ends_all_sessions_and_tokens(client: TestClient[Any], ann: Visitor) -> None:
    token, session = token_for(client), client.cookies[SESSION]
    wrong = asks(client, "POST", "/me/password", token, json={"password": "not the one", "newPassword": NEW})
    short = asks(client, "POST", "/me/password", token, json={"password": PASSWORD, "newPassword": "short"})
    assert (wrong[0], wrong[1]["code"]) == (401, "account/wrong_credentials")
    assert (short[0], short[1]["code"]) == (400, "account/bad_password")

    assert asks(client, "POST", "/me/password", token, json={"password": PASSWORD, "newPassword": NEW}) == (204, None)

    assert asks(client, "GET", "/me", token)[0] == 401
    assert PEOPLE.of(client).access.session(session, datetime.now(UTC)) is None
    assert client.post("/api/tokens", json=ACCOUNT).status_code == 401
    assert client.post("/api/tokens", json=ACCOUNT | {"password": NEW}).status_code == 201


def test_sessions_are_listed_and_ended_by_the_api(client: TestClient[Any], ann: Visitor) -> None:
    token = token_for(client)

    (session,) = asks(client, "GET", "/me/sessions", token)[1]["sessions"]
    assert set(session) == {"id", "created", "used", "ends", "agent", "isThis"}
    assert session["agent"] == FIREFOX
    assert asks(client, "DELETE", f"/me/sessions/{session['id']}", token) == (204, None)
    again = asks(client, "DELETE", f"/me/sessions/{session['id']}", token)
    assert (again[0], again[1]["code"]) == (404, "session/unknown")

    assert client.get("/api/me").json()["person"] is None


def test_signing_out_everywhere_by_the_api(client: TestClient[Any], ann: Visitor) -> None:
    token, other = token_for(client), token_for(client)

    assert asks(client, "DELETE", "/me/sessions", token) == (204, None)

    assert client.get("/api/me").json()["person"] is None
    assert {asks(client, "GET", "/me", each)[0] for each in (token, other)} == {401}


def test_the_account_page_lists_sessions_and_tokens(client: TestClient[Any], ann: Visitor) -> None:
    token_for(client, label="my bot", scopes=["read"])

    page = ann.goes("/account")

    assert "Firefox · Linux" in page
    assert "(this browser)" in page
    assert "my bot" in page
    assert PASSWORD not in page


def test_changing_the_password_on_the_page_keeps_only_this_session(client: TestClient[Any], ann: Visitor) -> None:
    people = PEOPLE.of(client)
    elsewhere = people.access.start_session(people.check("Ann", PASSWORD), datetime.now(UTC))
    before = client.cookies[SESSION]
    ann.goes("/account")
    wrong = ann.sends("/account/password", {"password": "not the one", "newPassword": NEW})
    assert wrong.status_code == 401
    assert 'id="password-password-fault"' in ann.text

    response = ann.sends("/account/password", {"password": PASSWORD, "newPassword": NEW})

    assert response.url.path == "/account"
    assert client.get("/api/me").json()["person"]["name"] == "Ann"
    assert [people.access.session(each, datetime.now(UTC)) for each in (before, elsewhere)] == [None, None]
    assert people.check("Ann", NEW).name == "Ann"


def test_a_browser_is_signed_out_from_another(client: TestClient[Any], ann: Visitor) -> None:
    people = PEOPLE.of(client)
    elsewhere = people.access.start_session(people.check("Ann", PASSWORD), datetime.now(UTC))
    (newest, _) = re.findall(r'name="session" value="(\w+)"', ann.goes("/account"))

    ann.sends("/account/sessions/end", {"session": newest})

    assert people.access.session(elsewhere, datetime.now(UTC)) is None
    assert client.get("/api/me").json()["person"]["name"] == "Ann"


def test_signing_out_everywhere_on_the_page(client: TestClient[Any], ann: Visitor) -> None:
    token, session = token_for(client), client.cookies[SESSION]
    ann.goes("/account")

    ann.sends("/account/sign-out-everywhere")

    assert SESSION not in client.cookies
    assert PEOPLE.of(client).access.session(session, datetime.now(UTC)) is None
    assert asks(client, "GET", "/me", token)[0] == 401


def test_a_token_on_the_page_needs_the_password_and_is_shown_once(client: TestClient[Any], ann: Visitor) -> None:
    ann.goes("/account")
    wanted = {"label": "my bot", "scopes": "read", "days": "30"}
    assert ann.sends("/account/tokens", wanted | {"password": "not the one"}).status_code == 401

    shown = ann.sends("/account/tokens", wanted | {"password": PASSWORD})

    assert shown.headers["cache-control"] == "no-store"
    secret = re.search(r'<code id="secret">(esp_[^<]+)</code>', ann.text)
    assert secret
    assert asks(client, "GET", "/me", {"secret": secret[1]})[1]["person"]["name"] == "Ann"
    assert secret[1] not in ann.goes("/account")
    (token,) = re.findall(r'name="token" value="(\w+)"', ann.text)
    ann.sends("/account/tokens/revoke", {"token": token})
    assert asks(client, "GET", "/me", {"secret": secret[1]})[0] == 401


def test_a_guest_sees_sessions_and_how_to_keep_the_account(client: TestClient[Any]) -> None:
    visitor = Visitor(client)
    assert client.get("/account").status_code == 401
    visitor.sends("/guest")

    page = visitor.goes("/account")

    assert "Active sessions" in page
    assert "Keep this account" in page
    assert 'name="newPassword"' not in page


@pytest.mark.parametrize(
    ("agent", "description"),
    [
        (FIREFOX, "Firefox · Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0 Safari/537.36 Edg/142.0", "Edge · Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1", "Safari · iPhone"),
        ("curl/8.5.0", "curl/8.5.0"),
        ("", ""),
    ],
)
def test_user_agents_are_described_briefly(agent: str, description: str) -> None:
    assert describe_agent(agent) == description


def test_tokens_per_account_are_limited(people: People, person: Person) -> None:
    tokens = [people.access.issue_token(person, "", AT)[0] for _ in range(TOKENS_MAX)]

    with pytest.raises(TooManyTokens, match=f"at most {TOKENS_MAX} tokens"):
        people.access.issue_token(person, "", AT)

    people.access.revoke_token(person.id, tokens[0].id)
    assert people.access.issue_token(person, "", AT)[0].id
    assert people.access.issue_token(people.create_guest(AT), "", AT)[0].id


def test_a_further_session_ends_the_least_recently_used(people: People, person: Person) -> None:
    secrets = [people.access.start_session(person, AT + timedelta(minutes=number)) for number in range(SESSIONS_MAX)]
    later = AT + timedelta(days=1)
    people.access.session(secrets[0], later)

    newest = people.access.start_session(person, later)

    known = [
        people.access.session(secret, later) is not None for secret in (secrets[0], secrets[1], secrets[2], newest)
    ]
    assert known == [True, False, True, True]
