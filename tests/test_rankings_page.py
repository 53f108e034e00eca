"""The page of ranking lists has the fields of every record in the order in which they are encoded."""

import re
import typing
from typing import Any, Final

import pytest
from msgspec import NODEFAULT
from msgspec.structs import fields

from domain.rankings.content import AnyPart, ListLine, ResultLine
from domain.rankings.facts import Fact, MonthResults
from domain.rankings.members import MembersChanged
from domain.rankings.rule import PeopleFilter, RankingRule
from domain.ratings.filters import ResultFilter
from domain.ratings.terms import Terms
from tests.test_records_page import text_of
from tests.test_tidy import ROOT

PAGE: Final = (ROOT / "docs" / "specifications" / "rankings.md").read_text()
ROWS: Final = dict(re.findall(r"^\| (`[^|]+) \| (`.+) \|$", PAGE, re.MULTILINE))
RECORDS: Final[dict[str, Any]] = {
    f"`{kind.__struct_config__.tag}`": kind
    for kind in (*typing.get_args(Fact), MembersChanged, *typing.get_args(AnyPart))
}
PARTS: Final[dict[str, Any]] = {
    "`results` of a rule": ResultFilter,
    "`terms`": Terms,
    "`results` of a closed month": MonthResults,
}


@pytest.mark.parametrize(("name", "kind"), {**RECORDS, **PARTS}.items())
def test_the_page_of_rankings_has_the_fields_in_order(name: str, kind: Any) -> None:
    found = ROWS[name]

    expected = ", ".join(f"`{field.encode_name}`" if kind is Terms else text_of(field) for field in fields(kind))
    assert found == expected


@pytest.mark.parametrize(("name", "kind"), [("`rule`", RankingRule), ("`people`", PeopleFilter)])
def test_the_page_of_rankings_names_the_parts_of_a_rule(name: str, kind: Any) -> None:
    assert re.findall(r"`(\w+)(?: = [^`]+)?`", ROWS[name]) == [field.encode_name for field in fields(kind)]


@pytest.mark.parametrize("kind", [ListLine, ResultLine])
def test_the_page_of_rankings_has_the_order_of_the_lists_in_lines(kind: Any) -> None:
    assert f"    [{','.join(field.encode_name for field in fields(kind))}]\n" in PAGE


def test_the_page_of_rankings_lists_no_other_record() -> None:
    assert {name for name in ROWS if name.startswith("`ranking")} == set(RECORDS)
    assert NODEFAULT not in (field.default for field in fields(PeopleFilter))
