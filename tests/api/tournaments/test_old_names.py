"""Files of events with old unchecked names that contain line breaks and control characters."""

from datetime import UTC, datetime, timedelta
from typing import Final

import pytest
from icalendar import Calendar

from api.tournaments.calendars import encode_calendar
from domain.kernel.values import replace
from domain.tournaments.calendar import Calendar as Dates
from domain.tournaments.imports import csv_of
from domain.tournaments.schedule import Appointment
from domain.tournaments.trf import tournament_report
from tests.domain.tournaments.building import Story

DAY: Final = datetime(2026, 5, 1, tzinfo=UTC)
HOSTILE: Final = "Cup\r\nATTENDEE:mailto:x@example.org\x00\u2028;,\\"


def test_a_name_starts_no_line_of_a_calendar() -> None:
    event = Story(2).state
    event = replace(event, plan=replace(event.plan, name=HOSTILE), calendar=Dates(place=HOSTILE))
    appointments = (
        Appointment(kind="round", starts=DAY, round=1, entries=("e1",)),
        Appointment(kind="break", starts=DAY, ends=DAY + timedelta(hours=1), name=HOSTILE),
    )

    content = encode_calendar(event, appointments, {"e1": HOSTILE}, DAY)

    assert b"\x00" not in content
    assert not any(line.startswith(b"ATTENDEE") for line in content.splitlines())
    read = Calendar.from_ical(content)
    assert [entry["location"] for entry in read.walk("VEVENT")] == ["Cup ATTENDEE:mailto:x@example.org ;,\\"] * 2
    assert "x-wr-calname" in read


def test_a_tournament_report_has_one_line_per_player() -> None:
    event = Story(2).state
    event = replace(event, plan=replace(event.plan, name=HOSTILE), calendar=Dates(place=HOSTILE))

    content = tournament_report(event, {}, {"e1": HOSTILE, "e2": "Jana"})

    assert [line[:3] for line in content.decode().splitlines()] == ["012", "022", "062", "092", "001", "001"]
    assert b"\x00" not in content


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_no_cell_starts_as_a_formula(start: str) -> None:
    assert csv_of(["name"], [[f"{start}cmd()"]]).decode().partition("\r\n")[2].lstrip('"').startswith("'")
