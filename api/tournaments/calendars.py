"""The schedule of a tournament as an iCalendar file (RFC 5545)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID, uuid5

from api.contests.calendars import CalendarDate, encode_dates
from api.http.languages import _, join_words
from domain.kernel.messages import N_
from domain.kernel.texts import one_line
from domain.tournaments.schedule import Appointment
from domain.tournaments.state import Tournament

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
    return encode_dates(event.plan.name, dates_of(event, appointments, names), at)


def dates_of(
    event: Tournament, appointments: Sequence[Appointment], names: Mapping[str, str]
) -> Iterator[CalendarDate]:
    """Yield the appointments with a start or an end."""
    breaks = Counter[str]()
    for each in appointments:
        breaks[each.name] += each.kind == "break"
        if (starts := each.starts or each.ends) is not None:
            yield CalendarDate(
                uid=name_of(event.id, each, breaks[each.name]),
                starts=starts,
                ends=each.ends or starts + HOUR,
                summary=summary_of(each),
                place=event.calendar.place,
                description=join_words([one_line(names[name]) for name in each.entries]) if each.entries else "",
            )


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
