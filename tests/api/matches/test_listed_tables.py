"""Limits on listed tables that wait for players, and closing such tables."""

from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from litestar.testing import TestClient

from api.matches.admission import LISTED_OF_GUEST_MAX
from tests.api.http.forms import Visitor
from tests.api.matches.test_concurrency import run_at_once
from tests.api.service import Answer, Member, Person, behind_sockets, catch_up, make_operator, settings_in
from tests.seeding import entropy
from tests.service_app import create_app

MOST: Final = 2
"""The limit for guests; people in these tests are guests unless stated otherwise."""
TABLE: Final = {"title": "la_granja", "seats": 2}
REFUSED: Final = (409, "table/too_many_listed")


@pytest.fixture
def service(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Start a service that allows two listed waiting tables per opener."""
    settings = settings_in(tmp_path_factory.mktemp("service"))
    settings = msgspec.structs.replace(settings, listed_tables_per_person=MOST)
    with TestClient(create_app(settings, entropy())) as client:
        yield client


def code(answer: Answer) -> tuple[int, str]:
    return answer[0], answer[1].get("code", "")


def opens(person: Person, **wanted: Any) -> Answer:
    return person.post("/matches", {**TABLE, **wanted})


@pytest.mark.parametrize("is_followed", [True, False])
def test_another_listed_table_is_refused_with_the_bound(ann: Person, ben: Person, is_followed: bool) -> None:
    """The limit holds whether or not the read models are up to date."""
    for _ in range(MOST):
        assert opens(ann)[0] == 201
    if is_followed:
        catch_up(ann.client)

    refusal = opens(ann)

    assert code(refusal) == REFUSED
    assert f"already has {MOST} listed tables waiting for players; the limit is {MOST}" in refusal[1]["detail"]
    assert refusal[1]["values"] == {"tables": MOST, "most": MOST}
    assert opens(ben)[0] == 201


def test_the_error_page_suggests_a_solution(ann: Person) -> None:
    for _ in range(MOST):
        opens(ann)

    answer = Visitor(ann.client).sends("/tables", {"title": "la_granja", "seats": "2"}, ann.headers)

    assert answer.status_code == 409
    assert f"{MOST} of {MOST}" in answer.text


def test_private_tables_and_those_that_have_begun_do_not_count(ann: Person, ben: Person) -> None:
    tables = [ann.opens() for _ in range(MOST)]
    assert opens(ann, table={"public": False})[0] == 201
    ann.sits(tables[0], 0)
    ben.sits(tables[0], 1)
    ann.is_ready(tables[0])
    ben.is_ready(tables[0])

    assert opens(ann)[0] == 201
    assert code(opens(ann)) == REFUSED


def test_an_operator_is_not_bound(ann: Person) -> None:
    make_operator(ann.client, ann.id)

    assert [opens(ann)[0] for _ in range(MOST + 1)] == [201] * (MOST + 1)


def test_an_operator_is_not_bound_on_pages_either(ann: Person) -> None:
    make_operator(ann.client, ann.id)
    visitor, form = Visitor(ann.client), {"title": "la_granja", "seats": "2"}

    statuses = [visitor.sends("/tables", form, ann.headers).status_code for _ in range(MOST + 1)]

    assert statuses == [200] * (MOST + 1)


def test_a_guest_has_fewer_listed_tables_than_an_account(tmp_path: Path) -> None:
    settings = msgspec.structs.replace(settings_in(tmp_path), listed_tables_per_person=LISTED_OF_GUEST_MAX + 2)
    with TestClient(create_app(settings, entropy())) as client:
        guest, account = Person(client), Member(client, "Ann")
        answers = [[opens(person)[0] for _ in range(LISTED_OF_GUEST_MAX + 3)] for person in (guest, account)]

    assert [statuses.count(201) for statuses in answers] == [LISTED_OF_GUEST_MAX, LISTED_OF_GUEST_MAX + 2]


def test_concurrent_requests_do_not_exceed_the_limit(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("at-once")
    settings = msgspec.structs.replace(settings_in(folder), listed_tables_per_person=MOST)
    with behind_sockets(folder, settings) as sockets:
        token = sockets.token_of("Ann")
        answers = run_at_once([partial(sockets.ask, "POST", "/matches", TABLE, token) for _ in range(MOST + 3)])

    assert sorted(status for status, _ in answers) == [201] * MOST + [409] * 3


def test_an_opener_closes_a_table(ann: Person, ben: Person) -> None:
    tables = [ann.opens() for _ in range(MOST)]

    assert code(ben.delete(f"/matches/{tables[0]}")) == (403, "match/not_allowed")
    status, body = ann.delete(f"/matches/{tables[0]}")

    assert (status, body["status"]) == (200, "void")
    assert opens(ann)[0] == 201


def test_a_table_is_closed_from_its_page(ann: Person) -> None:
    table = ann.opens()
    visitor = Visitor(ann.client)

    response = visitor.sends(f"/tables/{table}/close", {}, {**ann.headers, "HX-Request": "true"})

    assert (response.status_code, response.headers["HX-Redirect"]) == (200, "/")
    assert ann.get(f"/matches/{table}")[1]["status"] == "void"


def test_a_started_match_cannot_be_closed(ann: Person, ben: Person) -> None:
    table = ann.opens()
    for seat, person in enumerate((ann, ben)):
        person.sits(table, seat)
    for person in (ann, ben):
        person.is_ready(table)

    assert ann.delete(f"/matches/{table}")[0] in {403, 409}
    assert ann.get(f"/matches/{table}")[1]["status"] == "running"
