"""The page of records lists the fields of every record in the order in which they are encoded."""

import json
import re
import typing
from typing import Any, Final

import pytest
from msgspec import NODEFAULT
from msgspec.structs import FieldInfo, fields

from domain.contests.conditions import EntryConditions, RatingBand
from domain.contests.holidays import HolidayRule
from domain.roles.state import RoleGranted, RoleRevoked
from domain.standings.contest import Scoring, Stage
from domain.tournaments.fact_base import SeatedAnew
from domain.tournaments.facts import Fact
from domain.tournaments.plan import Plan
from tests.test_tidy import ROOT

PAGE: Final = (ROOT / "docs" / "specifications" / "records.md").read_text()
ROWS: Final = dict(re.findall(r"^\| `([a-z_.]+)` \| (.+) \|$", PAGE, re.MULTILINE))
RECORDS: Final[dict[str, Any]] = {
    kind.__struct_config__.tag: kind for kind in (*typing.get_args(Fact), RoleGranted, RoleRevoked)
}
PARTS: Final[dict[str, Any]] = {
    "plan": Plan,
    "stages": Stage,
    "scoring": Scoring,
    "holidays": HolidayRule,
    "conditions": EntryConditions,
    "ratings": RatingBand,
    "tables": SeatedAnew,
}
LONG: Final = {"table", "stages", "scoring", "tie_breaks"}
"""Fields whose default the page describes in words."""


def cell(kind: Any) -> str:
    """Return the fields of a record as the page lists them."""
    return ", ".join(map(text_of, fields(kind)))


def text_of(field: FieldInfo) -> str:
    if field.default is NODEFAULT and field.default_factory is NODEFAULT:
        return f"`{field.encode_name}`"
    default = field.default if field.default is not NODEFAULT else field.default_factory()
    if field.name in LONG:
        return f"`{field.encode_name} = …`"
    return f"`{field.encode_name} = {json.dumps(default)}`"


@pytest.mark.parametrize(("name", "kind"), {**RECORDS, **PARTS}.items())
def test_the_page_of_records_has_the_fields_in_order(name: str, kind: Any) -> None:
    assert ROWS[name] == cell(kind)


def test_the_page_of_records_lists_no_other_record() -> None:
    assert set(ROWS) == {*RECORDS, *PARTS}
