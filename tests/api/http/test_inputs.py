"""Any input gives an error about the input, never a server error."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import pytest
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from api.contests.schemas import LIST_BYTES_MAX
from api.http.inputs import QUERY_PARAMETERS
from tests.api.service import SERVICE_TOKEN, Person, behind_sockets, make_operator

HUGE: Final = 2**70
NOBODYS: Final = str(UUID(int=0))
BODIES: Final = (b'{"title": "\xff\xfe"}', b"\xff", b'{"name": "a\\u0000b"}', b'[["a", {"b\\u0000": 1}]]')
PLAN: Final = {"name": "Cup", "title": "la_granja", "table": {"rated": False}}


@pytest.fixture
def operator(client: TestClient[Any]) -> Person:
    person = Person(client)
    make_operator(client, person.id)
    return person


def operations(client: TestClient[Any]) -> Iterator[tuple[str, str, Any]]:
    document = client.get("/api/schema/openapi.json").json()
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield method.upper(), path, operation


def fill_path(path: str, operation: Any, number: int = 1) -> str:
    """Return the path with this number, or an unknown id, for each parameter."""
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "path":
            is_number = parameter["schema"].get("type") == "integer"
            path = path.replace("{" + parameter["name"] + "}", str(number) if is_number else NOBODYS)
    return path


def test_every_operation_rejects_a_body_that_is_not_text(client: TestClient[Any], operator: Person) -> None:
    read = [
        each for each in operations(client) if "application/json" in each[2].get("requestBody", {}).get("content", {})
    ]

    for method, path, operation in read:
        for body in BODIES:
            headers = operator.headers | {"Content-Type": "application/json"}
            response = client.request(method, fill_path(path, operation), content=body, headers=headers)
            assert 400 <= response.status_code < 500, (method, path, body)
    assert len(read) > 50


def test_an_invalid_utf8_body_gives_a_reason(client: TestClient[Any], ann: Person) -> None:
    response = client.post("/api/matches", content=b'{"title": "\xff"}', headers=ann.headers)

    assert (response.status_code, response.json()["code"]) == (400, "request/malformed")
    assert response.json()["detail"] == "the body is not UTF-8: invalid start byte"


@pytest.mark.parametrize("ending", [b"]}", b"]"], ids=["unknown field", "no end"])
def test_a_large_body_is_refused_before_objects_are_built_of_it(tmp_path: Path, ending: bytes) -> None:
    """An empty list takes three bytes in a body and twenty times as many in memory."""
    content = b'{"a":[[]' + b",[]" * 300_000 + ending
    headers = {"Authorization": f"Bearer {SERVICE_TOKEN}", "Content-Type": "application/json"}
    with behind_sockets(tmp_path) as service, closing(service.connection(private=True)) as connection:
        tracemalloc.start()
        connection.request("POST", f"/api/tournaments/{NOBODYS}/pairing", content, headers)
        response = connection.getresponse()
        problem = json.loads(response.read())
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()

    assert (response.status, problem["code"]) == (400, "request/malformed")
    assert most < 10 * len(content)


def test_nul_is_rejected_in_every_text(client: TestClient[Any], ann: Person) -> None:
    for name in ("A\0B", {"a\0": "b"}, ["\0"]):
        assert ann.post("/tournaments", {"plan": PLAN | {"name": name}})[0] == 400
    assert ann.post("/tournaments", {"plan": PLAN | {"name": r"A\u0000B"}})[0] == 201
    assert client.get("/api/disputes?event=a%00", headers=ann.headers).status_code == 400
    assert client.get("/sign-in?back=a%00").status_code == 400


@pytest.mark.parametrize("content", [b"name=a%00b", b"name=\xff", b"name=%ff%fe"])
def test_a_form_that_is_not_text_is_rejected(client: TestClient[Any], content: bytes) -> None:
    client.get("/")
    headers = {"Content-Type": "application/x-www-form-urlencoded", "X-CSRFToken": client.cookies["csrftoken"]}

    response = client.post("/sign-in", content=content, headers=headers)

    assert 400 <= response.status_code < 500


@pytest.mark.parametrize(
    "path",
    [
        "/static/%00",
        "/static/vendor/a%00.js",
        "/static/" + "a" * 300,
        "/static/vendor/" + "a" * 300,
        "/static/" + "a/" * 3_000,
        "/static/esporles.css/under-a-file",
        "/tables/%00",
        "/api/players/a%00b",
        "/api/players/" + "a" * 300,
        "/" + "a" * 5_000,
    ],
)
def test_an_impossible_path_gives_404(client: TestClient[Any], path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_huge_number_in_a_path_gives_404(client: TestClient[Any], operator: Person) -> None:
    numbered = [each for each in operations(client) if fill_path(each[1], each[2], HUGE) != fill_path(each[1], each[2])]

    for method, path, operation in numbered:
        response = client.request(method, fill_path(path, operation, HUGE), headers=operator.headers, json={})
        assert response.status_code == 404, (method, path)
    assert operator.get(f"/audit/records/{HUGE}")[0] == 404
    assert len(numbered) > 10


def test_every_number_of_a_query_has_bounds(client: TestClient[Any]) -> None:
    unbounded = []
    for route in client.app.routes:
        if isinstance(route, HTTPRoute):
            for handler, model in route.route_handler_map.values():
                parameters = {parameter.field_name for parameter in model.expected_query_params}
                for name, field in handler.parsed_fn_signature.parameters.items():
                    kinds = {field.annotation, *(inner.annotation for inner in field.inner_types)}
                    if name in parameters and int in kinds and getattr(field.kwarg_definition, "le", None) is None:
                        unbounded.append(f"{route.path}?{name}")

    assert unbounded == []


@pytest.mark.parametrize(
    ("query", "detail"),
    [
        ("player=ann", "unknown query parameters: player; known: before, limit, status"),
        ("b=1&limit=3&a", "unknown query parameters: a, b; known: before, limit, status"),
        ("limit=3&limit=4", "given more than once: limit"),
    ],
)
def test_an_invalid_query_names_its_parameters(client: TestClient[Any], query: str, detail: str) -> None:
    response = client.get(f"/api/matches?{query}")

    assert (response.status_code, response.json()["code"]) == (400, "request/malformed")
    assert response.json()["detail"] == detail


def test_an_unknown_query_parameter_is_refused_by_every_operation(client: TestClient[Any], operator: Person) -> None:
    # Tiles and checkpoints are files.
    api_operations = [each for each in operations(client) if each[1].startswith("/api/")]
    for method, path, operation in api_operations:
        response = client.request(method, f"{fill_path(path, operation)}?playerr=x", headers=operator.headers)
        assert (response.status_code, response.json()["code"]) == (400, "request/malformed"), (method, path)


def test_every_parameter_of_the_document_is_known_to_the_guard(client: TestClient[Any]) -> None:
    known = {name for names in QUERY_PARAMETERS.of(client).values() for name in names}
    documented = {
        parameter["name"]
        for _, _, operation in operations(client)
        for parameter in operation.get("parameters", ())
        if parameter["in"] == "query"
    }

    assert documented <= known
    assert client.get("/api/matches?status=running&limit=2").status_code == 200
    assert client.get("/tables?anything=else").status_code in (200, 404)


def test_options_lists_the_methods_of_every_path(client: TestClient[Any], ann: Person) -> None:
    methods: dict[str, set[str]] = {}
    for method, path, operation in operations(client):
        methods.setdefault(fill_path(path, operation), set()).add(method)

    for path, allowed in methods.items():
        response = client.options(path, headers=ann.headers)
        expected = sorted(allowed | {"OPTIONS"} | ({"HEAD"} if "GET" in allowed else set()))
        assert (response.status_code, response.headers["allow"]) == (204, ", ".join(expected)), path
        assert client.options(path).status_code in (204, 401), path
        assert client.request("PROPFIND", path, headers=ann.headers).headers["allow"] == ", ".join(expected), path


@pytest.mark.parametrize("path", ["/", "/rules", "/static/esporles.css", "/sign-out", "/api/schema/openapi.json"])
def test_an_unsupported_method_lists_the_allowed_ones(client: TestClient[Any], path: str) -> None:
    response = client.request("DELETE", path)

    assert response.status_code in (404, 405)
    if response.status_code == 405:
        allowed = response.headers["allow"].split(", ")
        assert allowed == sorted(allowed)
        assert ("GET" in allowed) == ("HEAD" in allowed)


def test_one_idempotency_key_creates_one_object_of_each_kind(ann: Person) -> None:
    key = {"Idempotency-Key": "once"}
    table = {"title": "la_granja", "seats": 2}

    responses = [
        ann.post("/matches", table, **key),
        ann.post("/leagues", {"plan": PLAN}, **key),
        ann.post("/tournaments", {"plan": PLAN}, **key),
    ]

    assert [status for status, _ in responses] == [201] * 3
    ids = {responses[0][1]["matchId"], responses[1][1]["leagueId"], responses[2][1]["eventId"]}
    assert len(ids) == 3
    assert ann.post("/tournaments", {"plan": PLAN}, **key)[1]["eventId"] in ids


@pytest.mark.parametrize("points", [[{"size": 3, "points": [1] * 1_500}], [{"size": 3, "points": [2, 1]}] * 1_500])
@pytest.mark.parametrize("kind", ["leagues", "tournaments"])
def test_a_plan_with_more_points_than_places_is_rejected(ann: Person, kind: str, points: Any) -> None:
    status, problem = ann.post(f"/{kind}", {"plan": PLAN | {"scoring": {"points": points}}})

    assert status in (409, 422), problem


PHOTO: Final = (12 << 20) + (64 << 10)


def test_every_operation_limits_its_body(client: TestClient[Any]) -> None:
    """Long texts and lists have a higher limit than names and numbers; files and workers' results have the highest."""
    bounds: dict[int, list[str]] = {}
    for route in client.app.routes:
        if isinstance(route, HTTPRoute) and route.path.startswith("/api/"):
            for handler, _ in route.route_handler_map.values():
                if not {"GET", "OPTIONS"} & handler.http_methods:
                    bounds.setdefault(handler.resolve_request_max_body_size() or 0, []).append(handler.handler_name)

    known = [16 << 10, 64 << 10, 256 << 10, LIST_BYTES_MAX, 1 << 20, 3 << 19, 2 << 20, 8 << 20, PHOTO, 64 << 20]
    assert sorted(bounds) == known
    assert len(bounds[16 << 10]) > 30
    assert bounds[LIST_BYTES_MAX] == ["set_list"]
    assert bounds[256 << 10] == ["hand_in_hint"]
    assert bounds[1 << 20] == ["answer_pairing"]
    assert bounds[8 << 20] == ["import_study"]
    assert bounds[PHOTO] == ["add_photo"]
    assert bounds[64 << 20] == ["import_log"]


def test_a_body_that_is_too_long_is_rejected(client: TestClient[Any], ann: Person) -> None:
    response = client.post("/api/matches", content=b" " * (16 << 10) + b"{}", headers=ann.headers)

    assert (response.status_code, response.json()["code"]) == (413, "request/too_large")


def test_the_longest_text_fits_when_escaped(client: TestClient[Any], ann: Person) -> None:
    text = "\N{BOAR}" * 4_000
    plan = json.dumps({"plan": PLAN | {"text": text}})

    opened = client.post("/api/tournaments", content=plan, headers=ann.headers)

    assert opened.status_code == 201, opened.text
    path = f"/api/tournaments/{opened.json()['eventId']}/announcements"
    assert client.post(path, content=json.dumps({"text": text}), headers=ann.headers).is_success
    assert len(plan) > 40_000
