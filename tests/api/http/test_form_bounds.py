"""Limits of forms: number of fields, number of reported faults, and linear parsing time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from litestar.exceptions import HTTPException
from litestar.testing import TestClient

from api.http.form_bounds import FIELDS_MAX, ITEMS_MAX
from api.http.form_faults import FAULTS_MAX, FieldFault
from api.http.forms import BUTTON, Form, FormRejected, read_fields
from api.http.language import LANGUAGE
from api.http.limits import FORM_BYTES_MAX, TEXT_BYTES_MAX
from api.tournaments.schemas import AskPairing, OpenTournament, SetPairs
from tests.api.http.forms import TOKEN, Visitor
from tests.api.service import settings_in
from tests.call_counts import GROWTH_MAX, growth
from tests.service_app import create_app

NUMBERS = Form("numbers", AskPairing, words=frozenset({"byes"}))
PAIRS = Form("pairs", SetPairs, lines=frozenset({"forbidden", "wished"}))


class Loose(msgspec.Struct):
    """A list and a mapping without bounds."""

    names: tuple[str, ...]
    options: dict[str, str]


def read(form: Form[Any], fields: Mapping[str, list[Any]]) -> Any:
    try:
        return read_fields(fields, form)
    except FormRejected as error:
        return error.faults


def unknown(count: int) -> dict[str, list[Any]]:
    return {f"wish{number}": ["1"] for number in range(count)}


def test_a_form_with_too_many_fields_is_rejected_before_parsing() -> None:
    with pytest.raises(HTTPException, match="the form has 9000 fields; at most 2 are read") as refusal:
        read_fields(unknown(9_000), LANGUAGE)

    assert refusal.value.status_code == 413


def test_parsing_stops_at_the_last_reported_fault() -> None:
    faults = read(NUMBERS, {"tables": ["1"]} | unknown(1_000))

    assert [each.path for each in faults] == [f"wish{number}" for number in range(FAULTS_MAX)]


def test_the_first_fault_of_nested_names_is_reported() -> None:
    faults = read(
        NUMBERS, {"wish.a": ["1"], "wish.b": ["1"], "tables.x.y": ["1"], "tables.x.z": ["1"], "byes.1.2": ["x"]}
    )

    assert [each.path for each in faults] == ["wish.a", "tables.x.y", "byes.1.2"]


def test_parsing_time_is_linear_in_unknown_fields() -> None:
    assert growth(lambda count: read(NUMBERS, unknown(count)), 400) <= GROWTH_MAX


def test_parsing_time_is_linear_in_list_items() -> None:
    def several(count: int) -> object:
        return read(NUMBERS, {"tables": [str(number) for number in range(1, count + 1)]})

    def parse_pairs(count: int) -> object:
        return read(PAIRS, {"forbidden": ["\n".join(f"e{number} e{number + 1}" for number in range(count))]})

    def wrong(count: int) -> object:
        return read(PAIRS, {"forbidden": ["\n".join(f"e{number}" for number in range(count))]})

    for do in (several, parse_pairs, wrong):
        assert growth(do, 400) <= GROWTH_MAX


def test_an_ambiguous_name_is_resolved_once() -> None:
    ids_by_name = {"joan": tuple(f"e{number}" for number in range(2_000))}
    form = Form("numbers", AskPairing, words=frozenset({"byes"}), ids_by_name=ids_by_name)

    (fault,) = read(form, {"byes": ["Joan, " * 2_000]})

    assert fault == FieldFault("byes", fault.message)
    assert fault.message.args == {"value": "Joan", "choices": "e0, e1, e2, e3, e4"}


def test_the_bound_follows_from_the_struct() -> None:
    assert BUTTON.fields_max == 0
    assert LANGUAGE.fields_max == 2
    assert NUMBERS.fields_max == 1_000 + 1 + 1
    assert PAIRS.fields_max == 3
    assert Form("pairs", SetPairs).fields_max == FIELDS_MAX
    assert Form("loose", Loose).fields_max == 2 * ITEMS_MAX
    assert Form("open", OpenTournament).fields_max <= FIELDS_MAX


def test_the_parser_rejects_forms_with_too_many_fields(tmp_path: Path) -> None:
    with TestClient(create_app(settings_in(tmp_path))) as client:
        visitor = Visitor(client)
        visitor.goes("/sign-in")
        many = {f"f{number}": "1" for number in range(9_000)}
        response = visitor.sends("/language", {"language": "cs", **many})
        assert response.status_code == 413

        few = {f"f{number}": "1" for number in range(30)}
        visitor.goes("/sign-in")
        assert visitor.sends("/language", {"language": "cs", **few}).status_code == 413
        visitor.goes("/sign-in")
        assert visitor.sends("/language", {"language": "cs", "f": "1"}).status_code == 400


def test_only_forms_for_pasted_files_may_be_long(tmp_path: Path) -> None:
    upload = f"/events/{UUID(int=7)}/tables/1/1/photos"
    with TestClient(create_app(settings_in(tmp_path))) as client:
        visitor = Visitor(client)
        visitor.goes("/sign-in")
        assert visitor.sends(upload, {"caption": "a" * (FORM_BYTES_MAX + 1)}).status_code == 413

        visitor.goes("/sign-in")
        token = TOKEN.search(visitor.text)
        assert token
        fields = {"_csrf_token": token[1], "caption": "a" * (TEXT_BYTES_MAX + 1)}
        response = client.post(upload, data=fields, files={"photo": ("p.jpg", b"p")})
        assert response.status_code == 413
