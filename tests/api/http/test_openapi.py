"""A fuzzer driven by the OpenAPI document finds no server error and no undocumented response."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from litestar.testing import TestClient

from ops.dev.access import PAGE
from tests.api.service import behind_sockets, settings_in
from tests.fuzzed_requests import STREAM
from tests.fuzzing import SLOW, Distant, Used, checks_of, sampled_settings
from tests.seeding import entropy, example_count
from tests.service_app import create_app
from tests.test_tidy import ROOT

OPERATIONS: Final = re.findall(r"^\| `([A-Z]+ /(?:api|tlog)\S*)` \|", PAGE.read_text(), re.MULTILINE)
"""The documented operations, from the table of access rights."""


@pytest.fixture(scope="module")
def fuzz_target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Used]:
    with TestClient(create_app(settings_in(tmp_path_factory.mktemp("fuzzed")), entropy())) as client:
        yield Used(client)


@pytest.fixture(scope="module")
def distant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Used]:
    """Start a service behind sockets, so that streams can be read before they end."""
    with behind_sockets(tmp_path_factory.mktemp("distant")) as sockets, Distant(sockets) as client:
        yield Used(client)


@pytest.fixture(scope="module")
def operations(fuzz_target: Used) -> dict[str, Any]:
    return fuzz_target.operations()


def test_the_document_is_of_openapi_3_1_and_leaves_pages_out(fuzz_target: Used, operations: dict[str, Any]) -> None:
    document = fuzz_target.client.get("/api/schema/openapi.json").json()

    assert document["openapi"].startswith("3.1")
    assert sorted(operations) == sorted(OPERATIONS)
    assert all(path.startswith(("/api/", "/tlog/")) for path in document["paths"])


DOCUMENT: Final = """
import sys
from pathlib import Path
from litestar.testing import TestClient
from api.app import create_app
from tests.api.service import settings_in

with TestClient(create_app(settings_in(Path(sys.argv[1])))) as client:
    Path(sys.argv[1], "document.json").write_bytes(client.get("/api/schema/openapi.json").content)
"""


def test_the_document_has_the_same_bytes_at_every_start(tmp_path: Path) -> None:
    """A different order of sets changes neither schemas nor defaults."""
    starts = {}
    for seed in ("1", "2"):
        (tmp_path / seed).mkdir()
        program = [sys.executable, "-c", DOCUMENT, str(tmp_path / seed)]
        starts[seed] = subprocess.Popen(program, env=os.environ | {"PYTHONHASHSEED": seed}, cwd=ROOT)

    assert [start.wait() for start in starts.values()] == [0, 0]
    first, second = (Path(tmp_path, seed, "document.json").read_bytes() for seed in starts)
    assert first == second
    assert not any("default" in schema for schema in json.loads(first)["components"]["schemas"].values())


def test_media_types_of_files_are_documented(fuzz_target: Used) -> None:
    paths = fuzz_target.client.get("/api/schema/openapi.json").json()["paths"]
    file = paths["/api/tournaments/{event_id}/files/{what}"]

    assert set(file["get"]["responses"]["200"]["content"]) == {
        "text/csv",
        "application/json",
        "text/plain",
        "application/pdf",
    }
    assert set(file["post"]["requestBody"]["content"]) == {"text/csv", "application/json"}
    assert {"200", "201"} <= file["post"]["responses"].keys()
    for path in ("/api/logs", "/api/studies"):
        assert set(paths[path]["post"]["requestBody"]["content"]) == {"application/jsonl"}


def test_conditional_requests_are_documented(fuzz_target: Used) -> None:
    paths = fuzz_target.client.get("/api/schema/openapi.json").json()["paths"]
    for part in ("", "/at/{version}", "/entries", "/log"):
        operation = paths[f"/api/matches/{{match_id}}{part}"]["get"]
        assert "If-None-Match" in {parameter["name"] for parameter in operation["parameters"]}
        assert "ETag" in operation["responses"]["200"]["headers"]
        assert "content" not in operation["responses"]["304"]


def test_a_csv_list_declares_its_charset_once(fuzz_target: Used) -> None:
    answer = fuzz_target.client.get("/api/rankings/la_granja/2/list.csv")

    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.text.startswith("place,kind,player,")


def test_every_schema_is_satisfiable(fuzz_target: Used) -> None:
    """A list whose items match two schemas matches none, and structs have no defaults."""
    schemas = fuzz_target.client.get("/api/schema/openapi.json").json()["components"]["schemas"]

    assert schemas["AskPairing"]["properties"]["tables"]["items"] == {"type": "integer"}
    assert ", {}]" not in str(schemas)
    assert [name for name, schema in schemas.items() if "default" in schema] == []


def fuzz(fuzz_target: Used, operation: Any, examples: int) -> None:
    @sampled_settings(examples)
    @given(case=operation.as_strategy(), number=st.integers(0, 2**32))
    def ask(case: Any, number: int) -> None:
        answer = fuzz_target.send(case, random.Random(number))
        case.validate_response(answer, checks=checks_of(answer))

    ask()


@pytest.mark.parametrize("name", OPERATIONS)
def test_responses_of_an_operation_match_the_document(
    fuzz_target: Used, operations: dict[str, Any], name: str, request: pytest.FixtureRequest
) -> None:
    operation = operations[name]
    is_stream = STREAM in operation.definition.raw["responses"].get("200", {}).get("content", {})
    if is_stream:
        fuzz_target = request.getfixturevalue("distant")
    fuzz(fuzz_target, operation, example_count(4) if operation.path in SLOW else example_count(5, 50))
