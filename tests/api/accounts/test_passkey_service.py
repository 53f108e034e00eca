"""Visitors of a shared link take a seat there, and return there after signing in."""

from __future__ import annotations

import re
from typing import Any

import pytest
from litestar.testing import TestClient

from tests.api.http.forms import Visitor
from tests.api.service import PASSWORD, Person


@pytest.fixture
def visitor(client: TestClient[Any]) -> Visitor:
    return Visitor(client)


def test_an_invited_stranger_takes_a_seat_as_a_guest(visitor: Visitor, ann: Person) -> None:
    match_id = ann.opens(2, table={"public": False})
    table = f"/tables/{match_id}"
    assert ">Join<" not in visitor.goes(table)
    visitor.goes("/invitation")
    visitor.sends("/invitation", {"secret": ann.invites(match_id)})
    assert ">Join<" in visitor.text

    response = visitor.sends(f"{table}/sit", {"seat": "1"})

    assert response.url.path == table
    assert "(you)" in visitor.text
    assert re.search(r"<span class=\"who\">Guest ", visitor.text)


def test_a_stranger_who_is_too_late_sees_the_current_table(visitor: Visitor, ann: Person) -> None:
    match_id = ann.opens(2)
    ann.sits(match_id, 0)

    assert visitor.sends(f"/tables/{match_id}/sit", {"seat": "0"}).status_code == 409
    assert "The match has moved on" in visitor.text
    assert visitor.sends("/tables/00000000-0000-0000-0000-000000000007/sit", {"seat": "0"}).status_code == 404


@pytest.mark.parametrize(
    ("door", "fields"),
    [
        ("/sign-in", {"name": "Dora", "password": PASSWORD}),
        ("/sign-up", {"name": "Cleo", "password": PASSWORD}),
        ("/guest", {}),
    ],
)
def test_signing_in_returns_to_the_previous_page(
    visitor: Visitor, ann: Person, door: str, fields: dict[str, str]
) -> None:
    visitor.sends("/sign-up", {"name": "Dora", "password": PASSWORD})
    visitor.sends("/sign-out")
    place = f"/tables/{ann.opens(2)}?from=a+letter"
    link = re.search(r'href="(/sign-in\?back=[^"]+)"', visitor.goes(place))
    assert link
    action = re.search(rf'action="({door}\?back=[^"]+)"', visitor.goes(link[1]))
    assert action

    wrong = visitor.sends(f"/sign-in{action[1].removeprefix(door)}", {"name": "Dora", "password": "not the password"})
    assert wrong.status_code == 401
    assert action[1] in visitor.text
    response = visitor.sends(action[1], fields)

    assert str(response.url).endswith(place)


def test_signing_in_redirects_to_no_other_site(visitor: Visitor) -> None:
    response = visitor.sends("/guest?back=//elsewhere.example/", {})

    assert response.url.path == "/"
    assert "elsewhere" not in visitor.goes("/sign-in?back=https://elsewhere.example/").partition("<main")[2]


def test_an_unauthorised_visitor_gets_a_link_to_sign_in(visitor: Visitor, ann: Person) -> None:
    response = visitor.sends(f"/tables/{ann.opens(2)}/pause")

    assert response.status_code == 401
    assert '<a class="button primary" href="/sign-in">' in visitor.text
    assert "bearer" not in visitor.text
