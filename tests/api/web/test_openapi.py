"""The OpenAPI document is true: a fuzzer driven by it finds no fault of ours and no answer it does not promise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from litestar.testing import TestClient
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api.app import create_app
from tests.api.house import Person, settings_in, started
from tests.seeding import entropy, sampled

CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES: Final = 25
OPERATIONS: Final = 121
"""How many the document has; a new one must be noticed here."""
LAST: Final = {"DELETE /api/me", "DELETE /api/me/sessions"}
"""After these nobody is known by the same token."""
SLOW: Final = {"/api/accounts", "/api/me/password", "/api/tokens"}
"""What hashes passwords is asked less often."""


@schemathesis.serializer("application/jsonl", "text/csv")
def as_lines(_: Any, value: Any) -> bytes:
    """A file that is none."""
    return str(value).encode(errors="replace")


class Used:
    """A service with a match in every state, and people who sit at them."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        self.people = (Person(client), Person(client))
        ended = started(*self.people)
        self.people[1].post(f"/matches/{ended}/resignation", {})
        self.matches = (self.people[0].opens(2), started(*self.people), started(*self.people), ended)


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Used]:
    with TestClient(create_app(settings_in(tmp_path_factory.mktemp("fuzzed")), entropy())) as client:
        yield Used(client)


@pytest.fixture(scope="module")
def operations(used: Used) -> dict[str, Any]:
    document = used.client.get("/api/schema/openapi.json").json()
    schema = schemathesis.openapi.from_dict(document)
    found = [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
    return {f"{operation.method.upper()} {operation.path}": operation for operation in found}


def test_the_document_is_of_openapi_3_1_and_leaves_pages_out(used: Used, operations: dict[str, Any]) -> None:
    document = used.client.get("/api/schema/openapi.json").json()

    assert document["openapi"].startswith("3.1")
    assert len(operations) == OPERATIONS
    assert all(path.startswith("/api/") for path in document["paths"])


def test_files_are_documented_in_the_forms_they_come_and_go_in(used: Used) -> None:
    paths = used.client.get("/api/schema/openapi.json").json()["paths"]
    file = paths["/api/tournaments/{event_id}/files/{what}"]

    assert set(file["get"]["responses"]["200"]["content"]) == {"text/csv", "application/json"}
    assert set(file["post"]["requestBody"]["content"]) == {"text/csv", "application/json"}
    assert {"200", "201"} <= file["post"]["responses"].keys()
    for path in ("/api/logs", "/api/studies"):
        assert set(paths[path]["post"]["requestBody"]["content"]) == {"application/jsonl"}


def test_a_list_for_spreadsheets_says_its_encoding_once(used: Used) -> None:
    answer = used.client.get("/api/rankings/la_granja/2/list.csv")

    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.text.startswith("place,kind,player,")


@pytest.mark.parametrize("index", range(OPERATIONS))
def test_an_operation_answers_what_its_document_says(used: Used, operations: dict[str, Any], index: int) -> None:
    name, operation = sorted(operations.items())[index]
    if name.endswith("/stream"):
        # An endless answer: its beginning is looked at by the tests of the stream.
        assert "text/event-stream" in operation.definition.raw["responses"]["200"]["content"]
        return

    @given(case=operation.as_strategy(), match_id=st.sampled_from([*used.matches, None]), who=st.integers(-1, 1))
    @settings(
        max_examples=sampled(4 if operation.path in SLOW else EXAMPLES),
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def fuzz(case: Any, match_id: str | None, who: int) -> None:
        if match_id is not None and "match_id" in case.path_parameters:
            case.path_parameters["match_id"] = match_id
        # Who asks to be forgotten or signed out is somebody else than the people of the other tests.
        person = Person(used.client) if name in LAST else used.people[who]
        headers = person.headers if who >= 0 else {}
        sent = case.as_transport_kwargs(base_url="http://testserver.local")
        if isinstance(sent.get("data"), bytes):
            sent["content"] = sent.pop("data")
        answer = used.client.request(
            sent["method"],
            sent["url"],
            params=sent.get("params"),
            headers={**(sent.get("headers") or {}), **headers},
            **{key: sent[key] for key in ("json", "content", "data") if sent.get(key) is not None},
        )
        case.validate_response(answer, checks=CHECKS)

    fuzz()
