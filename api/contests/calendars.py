"""Dates of a contest as an iCalendar file (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final, NamedTuple

from icalendar import Calendar, Event, vText

from domain.kernel.texts import one_line

ICALENDAR: Final = "text/calendar"


class CalendarDate(NamedTuple):
    """A date of a calendar file; `uid` stays when it is moved, so that calendars move it too."""

    uid: str
    starts: datetime
    ends: datetime
    summary: str
    place: str = ""
    description: str = ""


def encode_dates(name: str, dates: Iterable[CalendarDate], at: datetime) -> bytes:
    """Return an iCalendar file of these dates in UTC; `at` is the time of the export."""
    calendar = Calendar()
    calendar.add("prodid", "-//Esporles//EN")
    calendar.add("version", "2.0")
    # The library escapes only texts of properties it knows.
    calendar.add("x-wr-calname", vText(one_line(name)))
    for each in dates:
        entry = Event()
        entry.add("uid", f"{each.uid}@esporles")
        entry.add("dtstamp", at.astimezone(UTC))
        entry.add("dtstart", each.starts.astimezone(UTC))
        entry.add("dtend", each.ends.astimezone(UTC))
        entry.add("summary", one_line(f"{name}: {each.summary}"))
        if each.place:
            entry.add("location", one_line(each.place))
        if each.description:
            entry.add("description", each.description)
        calendar.add_component(entry)
    return bytes(calendar.to_ical())
