"""Errors of the API and of pages."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any, Final

import pytest
import structlog
from litestar.testing import TestClient

from api.http.errors import CODES, DETAIL_MAX, TITLES, install_refusals, problem_of
from api.http.identity import CALLER_ACCOUNTS
from api.http.refusals import SENTENCES
from api.subjects import JOINED
from domain.kernel.rules import UnknownOption
from domain.matches import errors
from domain.matches.errors import MatchError, StaleVersion
from tests.api.service import FaultyAccounts, Person

REFUSALS: Final = JOINED.refusals


@pytest.fixture
def client(own_client: TestClient[Any]) -> TestClient[Any]:
    """Use a separate service, so that counts are exact."""
    return own_client


def test_every_match_error_has_a_status_and_a_unique_code() -> None:
    tree = ast.parse(Path(errors.__file__).read_text(encoding="utf-8"))
    named = {node.name for node in tree.body if isinstance(node, ast.ClassDef)} - {MatchError.__name__}

    assert named == {kind.__name__ for kind in REFUSALS if kind.__module__ == errors.__name__}
    codes = [code for _, code in REFUSALS.values()]
    assert len(set(codes)) == len(codes)
    assert {status for status, _ in REFUSALS.values()} <= TITLES.keys()
    assert CODES.keys() <= TITLES.keys()


def test_a_stale_version_error_has_the_current_version() -> None:
    install_refusals(REFUSALS)
    problem = problem_of(StaleVersion("the match is at version 9, not 3", 9))

    assert (problem.status, problem.code, problem.version) == (409, "match/stale", 9)


def test_a_server_error_reveals_nothing_to_the_caller_and_no_value_to_the_log(client: TestClient[Any]) -> None:
    CALLER_ACCOUNTS.replace(client, FaultyAccounts())
    with structlog.testing.capture_logs() as logged:
        response = client.get("/api/me", headers={"Authorization": "Bearer esp_x"})

    assert (response.status_code, response.json()["code"]) == (500, "service/fault")
    assert logged[0]["kind"] == "KeyError"
    assert "card 17" not in response.text + repr(logged)


def test_a_refusal_on_a_page_is_a_page(client: TestClient[Any]) -> None:
    response = client.get("/tables/00000000-0000-0000-0000-000000000000")

    assert response.status_code == 404
    assert response.headers["content-type"].startswith("text/html")
    assert "no match" in response.text


@pytest.mark.parametrize(
    ("method", "path", "content", "headers", "detail"),
    [
        ("POST", "/matches", '{"title": "la_granja", "seats": "two"}', {}, "seats: Expected `int`, got `str`"),
        ("POST", "/matches", "[]", {}, "body: Expected `object`, got `array`"),
        ("POST", "/matches", "", {}, "body: is missing"),
        ("POST", "/matches", "[" * 10_000, {}, "the body is nested too deeply"),
        ("GET", "/matches?status=lost", "", {}, "status: Invalid enum value 'lost'"),
        ("GET", "/players/anybody?limit=0", "", {}, "limit: Expected `int` >= 1"),
        ("POST", "/matches", "{}", {"Idempotency-Key": "k" * 201}, "Idempotency-Key: Expected `str` of length <= 200"),
    ],
)
def test_an_invalid_value_is_named_as_sent(
    client: TestClient[Any], method: str, path: str, content: str, headers: dict[str, str], detail: str
) -> None:
    person = Person(client)

    response = client.request(method, f"/api{path}", content=content, headers=person.headers | headers)

    assert (response.status_code, response.json()["code"]) == (400, "request/malformed")
    assert detail in response.json()["detail"]


def test_every_refusal_has_a_sentence_in_the_readers_language() -> None:
    assert {code for _, code in REFUSALS.values()} | set(CODES.values()) <= set(SENTENCES)


def test_an_error_quotes_a_limited_part_of_the_value() -> None:
    install_refusals(REFUSALS)
    problem = problem_of(UnknownOption("x" * 1_000_000))

    assert len(problem.detail) == DETAIL_MAX + 1
