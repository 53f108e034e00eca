"""Parsing of form fields into structs, and messages about invalid ones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest
from litestar.datastructures import UploadFile

from api import app
from api.accounts.schemas import Credentials
from api.disputes.schemas import GiveRuling
from api.http.form_pages import TemplateForm
from api.http.forms import Form, FormRejected, read_fields
from api.leagues.schemas import MoveDeadline
from api.matches.schemas import ForkMatch
from api.site.pages.table_forms import ACT
from api.studies.schemas import MarkPlace, PlayVariation
from api.tournaments.pages.forms import PHOTO
from api.tournaments.schemas import Announce, AskPairing, Enter, NoteNoShow, OpenTournament, SetPairs
from domain.kernel.messages import say
from domain.matches.rulings.measures import PointsTaken, SeatWarned
from domain.standings.contest import Stage
from domain.studies.facts import Shape
from domain.titles.la_granja.actions import Pass

PAIRS: Final = Form("pairs", SetPairs, lines=frozenset({"forbidden", "wished"}))
PAIRING: Final = Form("pairing", AskPairing, words=frozenset({"byes"}))
TEMPLATES: Final = Path(app.__file__).parent / "templates"


def read(form: Form[Any], fields: Mapping[str, Any]) -> Any:
    return read_fields({name: value if isinstance(value, list) else [value] for name, value in fields.items()}, form)


def faults(form: Form[Any], fields: Mapping[str, Any]) -> dict[str, str]:
    with pytest.raises(FormRejected) as refusal:
        read(form, fields)
    return {each.path: say(each.message) for each in refusal.value.faults}


def test_an_empty_field_has_its_default_and_a_text_loses_the_blanks_at_its_ends() -> None:
    assert read(Form("enter", Enter), {"name": " Jana ", "count": "", "club": " "}) == Enter(name="Jana")


@pytest.mark.parametrize(
    ("form", "field"), [(ACT, "signed"), (PAIRS, "forbidden"), (PAIRING, "byes"), (Form("enter", Enter), "name")]
)
def test_a_file_in_a_field_that_takes_none_is_refused_by_its_name(form: Form[Any], field: str) -> None:
    upload = UploadFile("text/csv", "a.csv", b"1")

    messages = faults(form, {field: upload})
    upload.file.close()

    assert messages[field] == "“a.csv” is not a valid value."


def test_a_file_field_contains_the_file() -> None:
    upload = UploadFile("image/jpeg", "a.jpg", b"1")

    parsed = read(PHOTO, {"photo": upload, "caption": "The board"})
    upload.file.close()

    assert parsed.photo is upload


def test_a_password_keeps_its_blanks() -> None:
    form = Form("sign-in", Credentials, verbatim=frozenset({"password"}))

    assert read(form, {"name": " Ann ", "password": " x "}) == Credentials("Ann", " x ")


def test_a_list_is_sent_several_times_or_typed_into_one_field() -> None:
    fields = {"tables": ["1", "", "3"], "byes": "e1, e2  e3"}

    assert read(PAIRING, fields) == AskPairing(tables=(1, 3), byes=("e1", "e2", "e3"))
    assert read(PAIRS, {"forbidden": "e1 e2\n\ne3, e4"}) == SetPairs(forbidden=(("e1", "e2"), ("e3", "e4")))


def test_a_typed_list_may_contain_names() -> None:
    ids_by_name = {"bel serra": ("e1",), "ana": ("e2",), "blai": ("e3",), "joan": ("e4", "e5"), "e4": ("e4",)}
    pairs, pairing = replace(PAIRS, ids_by_name=ids_by_name), replace(PAIRING, ids_by_name=ids_by_name)

    assert read(pairs, {"forbidden": "bel  Serra, ANA\nAna Blai\ne4, Blai"}).forbidden == (
        ("e1", "e2"),
        ("e2", "e3"),
        ("e4", "e3"),
    )
    assert read(pairing, {"byes": "Ana, Bel Serra"}).byes == ("e2", "e1")
    assert faults(pairing, {"byes": "Anna"}) == {"byes": "No one here is called “Anna”. Check the spelling."}
    assert faults(pairs, {"wished": "Ana, Joan"}) == {"wished": "Several people are called “Joan”. Enter e4, e5."}


@pytest.mark.parametrize(
    ("sent", "expected"), [("true", True), ("on", True), ("", False), ("false", False), ("0", False)]
)
def test_a_box_is_ticked_or_not(sent: str, expected: bool) -> None:
    assert read(Form("no-show", NoteNoShow), {"entry": "e1", "reason": "So", "bot": sent}) == NoteNoShow(
        "e1", "So", expected
    )


def test_nested_fields_are_named_by_their_path() -> None:
    fields = {"plan.name": "Cup", "plan.title": "la_granja", "plan.options.edition": "deluxe"}
    fields |= {"plan.stages.1.kind": "heats", "plan.stages.1.rounds": "2", "plan.stages.4.kind": "final"}
    plan = read(Form("open", OpenTournament), fields).plan

    assert (plan.name, plan.options) == ("Cup", {"edition": "deluxe"})
    assert plan.stages == (Stage("heats", 2), Stage("final"))


def test_a_tagged_struct_is_named_by_its_type() -> None:
    fields = {"rule": "2", "reasons": "So", "measures.0.type": "seat_warned", "measures.0.seat": "1"}
    fields |= {"measures.1.type": "points_taken", "measures.1.seat": "0", "measures.1.points": "5"}

    assert read(Form("ruling", GiveRuling), fields).measures == (SeatWarned(1), PointsTaken(0, 5))
    assert faults(Form("ruling", GiveRuling), fields | {"measures.1.type": "hanged", "measures.0.seat": "x"}) == {
        "measures.0.seat": "Enter a whole number, not “x”.",
        "measures.1.type": "“hanged” is not an option. Choose one from the list.",
    }


def test_a_button_holds_an_action_as_json() -> None:
    form = Form("step", PlayVariation)
    (step,) = read(form, {"entry": "3", "steps.0.action": '{"type": "la_granja.pass"}'}).steps

    assert step.action == Pass()
    for wrong in ("close", '{"type": "la_granja.fly"}', "[1]", '{"type": "la_granja.pass", "by": 1}'):
        assert list(faults(form, {"entry": "3", "steps.0.action": wrong})) == ["steps.0.action"]


def test_a_day_lasts_until_its_end() -> None:
    form = Form("deadline", MoveDeadline)

    assert read(form, {"round": "1", "deadline": "2026-05-31", "reason": "So"}).deadline == datetime(
        2026, 5, 31, 23, 59, 59, tzinfo=UTC
    )
    assert faults(form, {"round": "1", "deadline": "2026-02-31", "reason": "So"}) == {
        "deadline": "Enter a date, not “2026-02-31”."
    }


def test_every_fault_is_found_at_once_in_the_order_of_the_fields() -> None:
    fields: dict[str, str | list[str]] = {
        "seeding": "-1",
        "wish": "1",
        "bot": "x" * 121,
        "name": ["a", "b"],
        "count": "½",
    }

    assert list(faults(Form("enter", Enter), fields).items()) == [
        ("seeding", "Enter a whole number from 0 to 100000, not “-1”."),
        ("wish", "This form has no such field."),
        ("bot", "Use at most 120 characters, not 121."),
        ("name", "This field was sent more than once."),
        ("count", "Enter a whole number from 1 to 500, not “½”."),
    ]


@pytest.mark.parametrize(
    ("form", "fields", "fault"),
    [
        (Form("announce", Announce), {}, {"text": "Fill in this field."}),
        (Form("announce", Announce), {"text": " "}, {"text": "Fill in this field."}),
        (Form("announce", Announce), {"text.0": "a"}, {"text.0": "This form has no such field."}),
        (Form("announce", Announce), {"text": "a", ".": "a"}, {".": "This form has no such field."}),
        (Form("announce", Announce), {"text": "a", "text.x": "a"}, {"text.x": "This form has no such field."}),
        (PAIRS, {"wished": "e1 e2 e3"}, {"wished": "Enter 2 values, not 3."}),
        (PAIRING, {"tables": ["1"] * 1_001}, {"tables": "Enter at most 1000 items, not 1001."}),
        (PAIRING, {"tables.x": "1"}, {"tables.x": "This form has no such field."}),
        (Form("fork", ForkMatch), {"at": "9" * 30}, {"at": f"Enter a whole number, not “{'9' * 30}”."}),
        (
            Form("marks", MarkPlace),
            {"entry": "1", "glyphs": "loud"},
            {"glyphs": "“loud” is not an option. Choose one from the list."},
        ),
        (Form("marks", MarkPlace), {"entry": "1", "shapes": "x"}, {"shapes": "“x” is not a valid value."}),
    ],
)
def test_a_fault_names_the_field_and_its_bounds(
    form: Form[Any], fields: Mapping[str, Any], fault: dict[str, str]
) -> None:
    assert faults(form, fields) == fault


def test_numbered_fields_are_read_in_their_order() -> None:
    fields = {"entry": "1", "shapes.10.part": "court", "shapes.9.part": "region-1", "shapes.9.to": "court"}

    assert read(Form("marks", MarkPlace), fields).shapes == (Shape("region-1", "court"), Shape("court"))


def test_fields_on_a_page_have_the_bounds_of_the_api() -> None:
    enter = TemplateForm(Form("enter", Enter))

    assert enter.limits("club") == ' maxlength="120"'
    assert enter.limits("count") == ' min="1" max="500"'
    assert [path.name for path in TEMPLATES.rglob("*.html") if re.search(r'maxlength="\d', path.read_text())] == []
