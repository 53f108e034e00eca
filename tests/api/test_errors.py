"""Refusals and faults on the wire."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import structlog
from litestar.testing import TestClient

from api.errors import CODES, REFUSALS, TITLES, problem_of
from domain.match import errors
from domain.match.errors import MatchError, StaleVersion


def test_every_refusal_of_the_match_has_a_status_and_a_code_of_its_own() -> None:
    tree = ast.parse(Path(errors.__file__).read_text(encoding="utf-8"))
    named = {node.name for node in tree.body if isinstance(node, ast.ClassDef)} - {MatchError.__name__}

    assert named == {kind.__name__ for kind in REFUSALS if issubclass(kind, MatchError)}
    codes = [code for _, code in REFUSALS.values()]
    assert len(set(codes)) == len(codes)
    assert {status for status, _ in REFUSALS.values()} <= TITLES.keys()
    assert CODES.keys() <= TITLES.keys()


def test_a_stale_version_carries_the_present_one() -> None:
    problem = problem_of(StaleVersion("the match stands at version 9, not 3", 9))

    assert (problem.status, problem.code, problem.version) == (409, "match/stale", 9)


def test_a_fault_says_nothing_about_itself_to_the_caller_and_no_value_to_the_log(client: TestClient[Any]) -> None:
    def broken(*_: Any) -> None:
        raise KeyError("card 17 in the hand of seat 2")

    client.app.state.people.find = broken
    client.app.state.people.bearer = broken
    with structlog.testing.capture_logs() as logged:
        answer = client.get("/api/me", headers={"Authorization": "Bearer esp_x"})

    assert (answer.status_code, answer.json()["code"]) == (500, "service/fault")
    assert logged[0]["kind"] == "KeyError"
    assert "card 17" not in answer.text + repr(logged)


def test_a_refusal_on_a_page_is_a_page(client: TestClient[Any]) -> None:
    answer = client.get("/tables/00000000-0000-0000-0000-000000000000")

    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert "there is no match" in answer.text
