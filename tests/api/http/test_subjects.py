"""Subjects declare their parts; joining rejects what two subjects declare, and names both."""

from typing import Any

import pytest
from litestar import Router, get, post

from api.http.page_links import PageLink
from api.http.subjects import DuplicateDeclaration, Subject, join_subjects
from api.subjects import BASE_SUBJECTS, SUBJECTS
from domain.kernel.loading import load
from domain.kernel.rules import UnknownOption
from domain.matches.errors import StaleVersion
from tests.test_tidy import ROOT


@get("/tables/{match_id:uuid}")
async def table() -> None: ...


@get("/tables/{table:uuid}")
async def other_table() -> None: ...


@post("/tables/{match_id:uuid}")
async def change_table() -> None: ...


def build_router(*handlers: Any) -> Router:
    return Router("/", route_handlers=list(handlers))


TWICE = (
    ("the refusal", {"refusals": {UnknownOption: (422, "a/b")}}, {"refusals": {UnknownOption: (422, "a/c")}}),
    (
        "the code 'match/stale'",
        {"refusals": {StaleVersion: (409, "match/stale")}},
        {"refusals": {UnknownOption: (422, "match/stale")}},
    ),
    ("GET /api/tables/{:uuid}", {"routes": (build_router(table),)}, {"routes": (build_router(other_table),)}),
    ("GET /tables/{:uuid}", {"pages": (table,)}, {"pages": (build_router(other_table),)}),
    ("GET /tables/{:uuid}", {"pages": (table,)}, {"roots": (other_table,)}),
    ("the link '/events'", {"links": (PageLink("/events", "Events"),)}, {"links": (PageLink("/events", "Cups"),)}),
)


@pytest.mark.parametrize(("what", "one", "other"), TWICE)
def test_a_duplicate_declaration_is_rejected(what: str, one: dict[str, Any], other: dict[str, Any]) -> None:
    with pytest.raises(DuplicateDeclaration, match=f"{what}.* is declared by matches and by leagues"):
        join_subjects([Subject("matches", **one), Subject("leagues", **other)])


def test_a_subject_is_joined_once() -> None:
    with pytest.raises(DuplicateDeclaration, match="the subject 'leagues' is declared by leagues and by leagues"):
        join_subjects([Subject("leagues"), Subject("leagues")])


def test_subjects_share_a_path_with_different_methods() -> None:
    joined = join_subjects([Subject("matches", pages=(table,)), Subject("leagues", pages=(change_table,))])

    assert joined.pages == (table, change_table)


def test_every_declaration_is_joined() -> None:
    names = sorted(path.parent.name for path in (ROOT / "api").glob("*/subject.py"))

    assert {each.name: each for each in SUBJECTS} == {
        BASE_SUBJECTS.name: BASE_SUBJECTS,
        **{name: load(f"api.{name}.subject", "SUBJECT") for name in names},
    }
    folders = {path.parent.name for path in (ROOT / "api").glob("*/__init__.py")} - {"http"}
    assert set(names) == folders
