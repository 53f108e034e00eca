"""Rated events by API and on pages: only organisers of the service may open them."""

from __future__ import annotations

from typing import Any, Final

import pytest
from litestar.testing import TestClient

from api.http.cookies import SESSION
from tests.api.http.forms import Visitor
from tests.api.service import Answer, Member, Person, make_operator, session_of

TABLE: Final[Any] = {"rated": True, "clock": {"kind": "correspondence", "seconds": 86_400}}
PLAN: Final[Any] = {"name": "Cup", "title": "la_granja", "size": 2, "table": TABLE}
STAGES: Final[Any] = {"smallest": 2, "stages": [{"kind": "swiss", "rounds": 2}]}
KINDS: Final = ("tournaments", "leagues")


def plan_of(kind: str, **table: Any) -> Any:
    return {"plan": PLAN | (STAGES if kind == "tournaments" else {}) | {"table": TABLE | table}}


def becomes_organiser(person: Person, *, granted: bool = True, event: str = "") -> None:
    """Grant or revoke the role as an operator, for the service or for one event."""
    operator = Person(person.client)
    make_operator(person.client, operator.id)
    wanted = {"person": person.id, "role": "organiser", "granted": granted} | ({"event": event} if event else {})
    assert operator.post("/roles", wanted)[0] == 200


def open_event(person: Person, kind: str, **table: Any) -> str:
    status, event = person.post(f"/{kind}", plan_of(kind, **table))
    assert status == 201, event
    return f"/{kind}/{event.get('eventId') or event['leagueId']}"


def change_plan(person: Person, path: str, plan: Any) -> Answer:
    method = "PUT" if path.startswith("/tournaments") else "POST"
    response = person.client.request(method, f"/api{path}/plan", json=plan, headers=person.headers)
    return response.status_code, response.json()


@pytest.fixture
def cleo(client: TestClient[Any], request: pytest.FixtureRequest) -> Member:
    return Member(client, f"Cleo {abs(hash(request.node.name)) % 100_000}")


@pytest.mark.parametrize("kind", KINDS)
def test_a_rated_event_needs_the_organiser_role(cleo: Member, kind: str) -> None:
    refusal = cleo.post(f"/{kind}", plan_of(kind))
    path = open_event(cleo, kind, rated=False)
    changed = change_plan(cleo, path, plan_of(kind))

    assert (refusal[0], refusal[1]["code"]) == (changed[0], changed[1]["code"]) == (403, "rated/not_organiser")
    assert cleo.get(path)[1]["rated"] is False


@pytest.mark.parametrize("kind", KINDS)
def test_the_role_for_one_event_is_not_enough(cleo: Member, kind: str) -> None:
    path = open_event(cleo, kind, rated=False)
    becomes_organiser(cleo, event=path.rpartition("/")[2])

    assert change_plan(cleo, path, plan_of(kind))[0] == 403


@pytest.mark.parametrize("kind", KINDS)
def test_an_event_is_unrated_while_its_opener_lacks_the_role(client: TestClient[Any], cleo: Member, kind: str) -> None:
    becomes_organiser(cleo)
    path = open_event(cleo, kind)
    page = path.replace("tournaments", "events")
    before, shown_before = cleo.get(path)[1]["rated"], client.get(page).text
    becomes_organiser(cleo, granted=False)

    assert (before, cleo.get(path)[1]["rated"]) == (True, False)
    assert "is not an organiser on this server" not in shown_before
    assert "is not an organiser on this server" in client.get(page).text


@pytest.mark.parametrize(("form", "field"), [("/events/new", "rated"), ("/leagues", "rated")])
def test_the_form_offers_rating_only_to_organisers_of_the_service(
    client: TestClient[Any], cleo: Member, form: str, field: str
) -> None:
    client.cookies.set(SESSION, session_of(client, cleo.id))
    visitor = Visitor(client)
    visitor.goes(form)
    without = visitor.text
    becomes_organiser(cleo)
    visitor.goes(form)

    assert f'name="{field}"' not in without
    assert "an operator grants it" in without
    assert f'name="{field}"' in visitor.text
