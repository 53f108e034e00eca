"""The schedule of a tournament as an iCalendar file (RFC 5545)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID, uuid5

from icalendar import Calendar, Event, vText

from api.http.languages import _, join_words
from domain.kernel.messages import N_
from domain.kernel.texts import one_line
from domain.tournaments.schedule import Appointment
from domain.tournaments.state import Tournament

ICALENDAR: Final = "text/calendar"
HOUR: Final = timedelta(hours=1)
"""Assumed duration of an appointment without an end."""
APPOINTMENTS: Final[Mapping[str, str]] = {
    "entry_closes": N_("Registration closes"),
    "check_in": N_("Check-in"),
    "break": N_("Break"),
}


def encode_calendar(
    event: Tournament, appointments: Sequence[Appointment], names: Mapping[str, str], at: datetime
) -> bytes:
    """Return an iCalendar file of all appointments with a start or an end, in UTC; without an end, one lasts an hour.

    The UID of an appointment stays when it is moved, so that calendars move it too. `names` maps entries to names.
    """
    calendar = Calendar()
    calendar.add("prodid", "-//Esporles//EN")
    calendar.add("version", "2.0")
    # The library escapes only texts of properties it knows.
    calendar.add("x-wr-calname", vText(one_line(event.plan.name)))
    breaks = Counter[str]()
    for each in appointments:
        breaks[each.name] += each.kind == "break"
        if (starts := each.starts or each.ends) is not None:
            entry = Event()
            entry.add("uid", f"{name_of(event.id, each, breaks[each.name])}@esporles")
            entry.add("dtstamp", at.astimezone(UTC))
            entry.add("dtstart", starts.astimezone(UTC))
            entry.add("dtend", (each.ends or starts + HOUR).astimezone(UTC))
            entry.add("summary", one_line(f"{event.plan.name}: {summary_of(each)}"))
            if event.calendar.place:
                entry.add("location", one_line(event.calendar.place))
            if each.entries:
                entry.add("description", join_words([one_line(names[name]) for name in each.entries]))
            calendar.add_component(entry)
    return bytes(calendar.to_ical())


def name_of(event_id: UUID, each: Appointment, number: int) -> str:
    """Return a stable UID: kind and round number; for a break its name, and its number among equal names."""
    if each.kind == "round":
        return f"{event_id}-round-{each.round}"
    is_called = f"-{uuid5(event_id, each.name).hex}-{number}" if each.kind == "break" else ""
    return f"{event_id}-{each.kind}{is_called}"


def summary_of(each: Appointment) -> str:
    """Return the title of an appointment in the reader's language: its name, its kind, or round and table."""
    if each.kind != "round":
        return each.name or _(APPOINTMENTS[each.kind])
    if each.table:
        return _("Round {round}, table {table}", round=each.round, table=each.table)
    return _("Round {number}", number=each.round)
