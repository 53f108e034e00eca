"""Short texts must be one line without control characters."""

from __future__ import annotations

from typing import Any, Final

import pytest
from litestar.testing import TestClient
from msgspec import inspect

from api.accounts.pages.account import TOKEN
from api.http.forms import Form, FormRejected, read_fields
from api.studies.pages.forms import SETTINGS
from api.tournaments.pages.plan import PLAN
from domain.kernel.messages import say
from domain.kernel.texts import LINE_DESCRIPTION, ONE_LINE
from ops.dev.bench.samples import bodies
from tests.api.http.forms import forms, visit
from tests.api.service import Person, start_match

SHORT_MAX: Final = 400
"""Longer texts may have several lines."""
NO_NAMES: Final = {
    # Parsed as a number, a time or a code.
    "BreakRow.ends",
    "BreakRow.starts",
    "CalendarForm.checkInCloses",
    "CalendarForm.checkInOpens",
    "CalendarForm.entryCloses",
    "CalendarForm.entryOpens",
    "HolidayForm.first",
    "HolidayForm.last",
    "LeagueForm.starts",
    "PeriodRow.first",
    "PeriodRow.last",
    "RoundRow.deadline",
    "RoundRow.starts",
    "AnnounceLater.since",
    "PrizeRow.amount",
    "PlanForm.bye",
    "PlanForm.points",
    "ClaimForm.code",
    "ClaimResult.code",
    "Calendar.zone",
    "SeasonSchedule.zone",
    # Compared with known values, and never stored.
    "Erased.password",
    "Enter.password",
    "EnterLeague.password",
    "ListAlternate.password",
    "SetEntryPassword.password",
    "EntryPasswordForm.password",
    "JoinForm.password",
    "HandIn.head",
    "AcceptForm.secret",
    "AcceptInvitation.secret",
    "SettleOutgoing.message",
    # Validated as addresses and keys when parsed.
    "AddDevice.auth",
    "AddDevice.p256dh",
    "NoteBounce.address",
    "SetAddress.address",
    # Several lines are allowed, as in longer reasons.
    "RemoveMessage.reason",
    "ReportMessage.reason",
}


def find_unbounded(kinds: list[Any]) -> set[str]:
    """Return the unrestricted short texts of these types, as struct and field."""
    found = set[str]()

    def look(holder: inspect.StructType, name: str, kind: inspect.Type, description: str) -> None:
        if (
            isinstance(kind, inspect.StrType)
            and kind.pattern is None
            and (kind.max_length or SHORT_MAX + 1) <= SHORT_MAX
        ):
            found.update({f"{holder.cls.__name__}.{name}"} if description != LINE_DESCRIPTION else ())

    for kind in kinds:
        visit(kind, look)
    return found


def test_every_short_text_of_an_operation_or_a_form_is_one_line(service: TestClient[Any]) -> None:
    kinds = [kind for _, _, kind in bodies(service.app)] + [form.kind for form in forms()]

    assert len(kinds) > 150
    assert find_unbounded(kinds) == NO_NAMES


@pytest.mark.parametrize("unfit", ["\n", "\0", "\u202e", "\u2028"])
@pytest.mark.parametrize(
    ("form", "field", "others"),
    [
        (PLAN, "name", {}),
        (SETTINGS, "title", {}),
        (TOKEN, "label", {"scopes": "read"}),
    ],
)
def test_a_form_shows_the_fault_at_the_field(form: Form[Any], field: str, others: dict[str, str], unfit: str) -> None:
    fields = {name: [value] for name, value in others.items()} | {field: [f"A{unfit}B"]}
    with pytest.raises(FormRejected) as refusal:
        read_fields(fields, form)

    messages = {each.path: say(each.message) for each in refusal.value.faults}
    assert messages == {field: "Enter a single line without control characters."}


PLANS: Final = {"name": "Cup", "title": "la_granja", "table": {"rated": False}}
CALENDAR: Final = {"zone": "UTC"}
BREAK: Final = {"starts": "2031-05-01T10:00:00Z", "ends": "2031-05-01T11:00:00Z", "name": "Lunch\nlater"}
DIVISIONS: Final = [{"name": "First\u2028Second", "groups": 0}]


@pytest.mark.parametrize(
    ("method", "path", "wanted"),
    [
        ("POST", "/api/tournaments", {"plan": {**PLANS, "name": "Cup\nfinal"}}),
        ("POST", "/api/leagues", {"plan": {**PLANS, "name": "\u202eLeague"}}),
        ("POST", "/api/leagues", {"plan": {**PLANS, "divisions": DIVISIONS}}),
        ("POST", "/api/circuits", {"plan": {"name": "Tour\nde France", "table": [{"size": 1, "points": [1]}]}}),
        ("POST", "{league}/seasons", {"name": "Spring\r"}),
        ("POST", "{event}/entries", {"name": "Ana\n"}),
        ("POST", "{event}/entries", {"name": "Ana", "club": "\tClub"}),
        ("PUT", "{event}/calendar", {"calendar": {**CALENDAR, "place": "Palma\nMallorca"}}),
        ("PUT", "{event}/calendar", {"calendar": {**CALENDAR, "fee": "5\x7f"}}),
        ("PUT", "{event}/calendar", {"calendar": {**CALENDAR, "breaks": [BREAK]}}),
        ("PUT", "{event}/prizes", {"prizes": {"places": [{"amount": 1, "name": "Cup\n"}]}}),
        ("PUT", "{event}/prizes", {"prizes": {"currency": "\u2067€"}}),
        ("PUT", "{league}/prizes", {"prizes": {"currency": "\u2067€"}}),
        ("POST", "/api/matches/{match}/annotations", {"title": "Mine\n"}),
    ],
)
def test_the_api_rejects_names_with_several_lines(
    places: dict[str, str], organiser: Person, method: str, path: str, wanted: Any
) -> None:
    response = organiser.client.request(method, path.format(**places), json=wanted, headers=organiser.headers)

    assert response.status_code in {400, 409, 422}, response.text
    detail = response.json()["detail"]
    assert "contains a character that is not allowed:" in detail or "of one line without control" in detail


@pytest.fixture(scope="module")
def organiser(service: TestClient[Any]) -> Person:
    return Person(service)


@pytest.fixture(scope="module")
def places(organiser: Person) -> dict[str, str]:
    event = organiser.post("/tournaments", {"plan": PLANS})[1]["eventId"]
    league = organiser.post("/leagues", {"plan": PLANS})[1]["leagueId"]
    match = start_match(organiser, Person(organiser.client))
    return {"event": f"/api/tournaments/{event}", "league": f"/api/leagues/{league}", "match": match}


def test_the_document_has_the_pattern(service: TestClient[Any]) -> None:
    schemas = service.get("/api/schema/openapi.json").json()["components"]["schemas"]

    assert schemas["OpenStudy"]["properties"]["title"]["pattern"] == ONE_LINE
    assert schemas["Plan"]["properties"]["name"]["description"] == LINE_DESCRIPTION
