"""The pages in a client without JavaScript."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import pytest
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from api.http.cookies import SESSION as SESSION_COOKIE
from api.matches.service import MATCHES
from tests.api.http.forms import TOKEN, Visitor
from tests.api.service import AT_FIRST, PASSWORD, Person, behind_sockets, start_match

ACTION: Final = re.compile(r'<button id="action-0" name="action" value="([^"]+)"')
VERSION: Final = re.compile(r'name="version" value="(\d+)"')
FILLED: Final = {"uuid": str(UUID(int=7)), "str": "la_granja", "int": "2", "path": ""}
"""Values of path parameters."""
OPEN_STREAMS: Final = ("/live/stream", "/tables/stream", "/quick/stream")
"""Endless public streams, which a client in this process would wait for."""


@pytest.fixture
def visitor(client: TestClient[Any]) -> Visitor:
    return Visitor(client)


@pytest.fixture
def first_visitor(own_client: TestClient[Any]) -> Visitor:
    """Return a visitor of a new service."""
    return Visitor(own_client)


def test_a_visitor_without_an_account_plays_at_one_click(visitor: Visitor) -> None:
    response = visitor.sends("/play", {"bots": "1"})

    assert response.status_code == 200
    assert "/tables/" in str(response.url)
    assert "Guest" in visitor.text
    assert SESSION_COOKIE in visitor.client.cookies


def test_one_click_starts_a_match_with_hints(visitor: Visitor) -> None:
    visitor.sends("/play", {"bots": "1", "hints": "true"})

    assert "with hints" in visitor.text


@pytest.mark.parametrize(("path", "fields"), [("/play", {"bots": "1"}), ("/tables", {"seats": "2"})])
def test_an_invalid_field_creates_no_table(first_visitor: Visitor, path: str, fields: dict[str, str]) -> None:
    response = first_visitor.sends(path, {"ownLuck": "zz", **fields})

    assert response.status_code == 400
    assert "zz" in html.unescape(first_visitor.text)
    assert MATCHES.of(first_visitor.client).writer.matches.last_position() == AT_FIRST


def test_a_table_for_people_is_filled_with_a_bot_and_started_without_javascript(visitor: Visitor) -> None:
    visitor.sends("/tables", {"seats": "2"})
    match_id = re.search(r"/tables/([0-9a-f-]{36})", visitor.text)
    assert match_id
    table = f"/tables/{match_id[1]}"
    visitor.goes(table)
    visitor.sends(f"{table}/bot", {"seat": "1"})
    visitor.sends(f"{table}/ready")

    assert "Your hand" in visitor.text


def test_a_session_cookie_is_kept_from_scripts_and_from_other_sites(visitor: Visitor) -> None:
    token = TOKEN.findall(visitor.text)[0]

    response = visitor.client.post("/guest", data={"_csrf_token": token}, follow_redirects=False)

    cookie = response.headers["set-cookie"]
    assert cookie.startswith(f"{SESSION_COOKIE}=")
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie


def paths(client: TestClient[Any], method: str) -> Iterator[str]:
    """Yield every path with the method, except the API, which uses tokens."""
    for route in client.app.routes:
        if isinstance(route, HTTPRoute) and method in route.methods and not route.path.startswith("/api"):
            filled = re.sub(r"\{\w+:(\w+)\}", lambda parameter: FILLED[parameter[1]], route.path)
            if filled not in OPEN_STREAMS:
                yield filled.replace("/static", "/static/esporles.css").replace("css/vendor", "css")


POSTED_BY_MAIL: Final = {"/unsubscribe/la_granja"}
"""Mail programs post there without a page (RFC 8058); the path contains a signed token."""


def test_every_form_without_a_csrf_token_is_rejected(first_visitor: Visitor) -> None:
    first_visitor.sends("/guest")
    sent = [path for path in paths(first_visitor.client, "POST") if path not in POSTED_BY_MAIL]

    answers = {path: first_visitor.client.post(path, data={"bots": "1"}, follow_redirects=False) for path in sent}

    assert {path: answer.status_code for path, answer in answers.items()} == dict.fromkeys(sent, 403)
    assert len(sent) > 50
    assert MATCHES.of(first_visitor.client).writer.matches.last_position() == AT_FIRST
    assert first_visitor.client.get("/api/me").json()["isGuest"]


@pytest.mark.parametrize("path", ["/", "/tables", "/open/el_grande", "/sign-in", "/events/new", "/leagues", "/nowhere"])
def test_every_form_on_a_page_carries_the_token(client: TestClient[Any], path: str) -> None:
    """Also on error pages, so that the language switch works there."""
    text = client.get(path).text
    forms = re.findall(r'<form[^>]* method="post".*?</form>', text, re.DOTALL)
    (token,) = {*TOKEN.findall(text)}

    response = client.post("/language", data={"_csrf_token": token, "language": "de", "back": "/tables"})

    assert forms
    assert [form for form in forms if not TOKEN.search(form)] == []
    assert '<html lang="de"' in response.text


def test_a_form_refused_for_its_token_is_answered_with_forms_that_work(client: TestClient[Any]) -> None:
    token = TOKEN.search(client.post("/guest").text)
    assert token

    response = client.post("/language", data={"_csrf_token": token[1], "language": "de"})

    assert '<html lang="de"' in response.text


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_every_response_has_the_security_policy(visitor: Visitor, method: str) -> None:
    """Pages, errors, files and streams forbid foreign scripts, styles, forms and frames."""
    for path in paths(visitor.client, method):
        with visitor.client.stream(method, path, follow_redirects=False) as answer:
            assert answer.status_code < 500, path
        assert_forbidding(path, answer.headers)


def test_streams_have_the_security_policy(tmp_path: Path) -> None:
    with behind_sockets(tmp_path) as sockets:
        for path in OPEN_STREAMS:
            with closing(sockets.connection()) as connection:
                connection.request("GET", path)
                response = connection.getresponse()

                assert response.status == 200, path
                assert_forbidding(path, response.headers)


def assert_forbidding(path: str, headers: Any) -> None:
    policy = dict(rule.partition(" ")[::2] for rule in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'", path
    assert policy["script-src"] == policy["style-src"] == policy["form-action"] == "'self'", path
    assert headers["x-content-type-options"] == "nosniff", path


def test_a_session_reads_by_the_api_but_changes_nothing_there(visitor: Visitor) -> None:
    visitor.sends("/guest")

    assert visitor.client.get("/api/me").json()["isGuest"]
    response = visitor.client.post("/api/matches", json={"title": "la_granja", "seats": 2})
    assert (response.status_code, response.json()["code"]) == (401, "caller/unknown")


def test_signing_up_in_and_out(visitor: Visitor) -> None:
    visitor.goes("/sign-in")
    visitor.sends("/sign-up", {"name": "Ann", "password": PASSWORD})
    assert ">Ann<" in visitor.text
    visitor.sends("/sign-out")
    assert ">Ann<" not in visitor.text
    visitor.goes("/sign-in")

    wrong = visitor.sends("/sign-in", {"name": "Ann", "password": "not the password"})
    assert wrong.status_code == 401
    assert "wrong name or password" in visitor.text

    visitor.sends("/sign-in", {"name": "ann", "password": PASSWORD})
    assert ">Ann<" in visitor.text


def test_a_guest_keeps_the_seat_when_the_account_is_kept(visitor: Visitor) -> None:
    visitor.sends("/play", {"bots": "1"})
    match_id = re.findall(r"/tables/([0-9a-f-]{36})", visitor.text)[0]
    visitor.goes("/sign-in")

    visitor.sends("/sign-up", {"name": "Berta", "password": PASSWORD})

    match = visitor.client.get(f"/api/matches/{match_id}").json()
    assert (match["seat"], match["seats"][0]["player"]["name"]) == (0, "Berta")


def test_no_page_contains_inline_scripts_or_styles(visitor: Visitor, ann: Person, ben: Person) -> None:
    for path in ("/", "/sign-in", f"/tables/{start_match(ann, ben)}"):
        response = visitor.client.get(path)
        assert "script-src 'self'" in response.headers["content-security-policy"]
        assert not re.search(r"<script(?![^>]* src=)|<style| style=| on[a-z]+=|javascript:", response.text)


def test_static_files_of_a_page_exist(visitor: Visitor) -> None:
    for path in set(re.findall(r'(?:src|href)="(/static/[^"#]+)', visitor.text)):
        assert visitor.client.get(path).status_code == 200, path


def test_an_invalid_action_in_a_form_is_rejected(visitor: Visitor) -> None:
    visitor.sends("/play", {"bots": "1"})
    match_id = re.findall(r"/tables/([0-9a-f-]{36})", visitor.text)[0]

    for action in ("nonsense", '{"type": "la_granja.fly"}', ""):
        response = visitor.client.post(
            f"/tables/{match_id}/act",
            data={"_csrf_token": visitor.client.cookies["csrftoken"], "version": "6", "action": action},
        )
        assert response.status_code == 400


def test_a_guest_plays_turn_after_turn_by_forms(visitor: Visitor, ann: Person) -> None:
    visitor.sends("/tables", {"seats": "2"})
    match_id = re.findall(r"/tables/([0-9a-f-]{36})", visitor.text)[0]
    table = f"/tables/{match_id}"
    ann.sits(match_id, 1)
    ann.is_ready(match_id)
    visitor.goes(table)
    visitor.sends(f"{table}/ready")

    acted = 0
    while acted < 5:
        if (action := ACTION.search(visitor.goes(table))) and (version := VERSION.search(visitor.text)):
            response = visitor.sends(f"{table}/act", {"version": version[1], "action": html.unescape(action[1])})
            assert response.status_code == 200
            acted += 1
        else:
            assert ann.acts(match_id)[0] == 201
