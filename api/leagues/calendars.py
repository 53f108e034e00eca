"""The dates of a season as an iCalendar file (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from api.contests.calendars import CalendarDate, encode_dates
from api.http.languages import _
from domain.leagues.duties import expected_rounds
from domain.leagues.season_state import Season
from domain.leagues.state import League

HOUR: Final = timedelta(hours=1)
"""Assumed duration of a date without an end."""


def encode_calendar(league: League, season: Season, at: datetime) -> bytes:
    """Return an iCalendar file of the end of registration and the rounds, in UTC.

    Rounds that are not open have their expected times; a round without a known time is left out.
    """
    return encode_dates(f"{league.plan.name}, {season.name}", dates_of(league, season), at)


def dates_of(league: League, season: Season) -> Iterator[CalendarDate]:
    """Yield the dates of a season that are known."""
    uid = f"{league.id}-season-{season.number}"
    if (closes := season.entry_closes) is not None:
        yield CalendarDate(f"{uid}-entry_closes", closes, closes + HOUR, _("Registration closes"))
    opened = [
        (number, clock.opened_at, deadline)
        for number, (clock, deadline) in enumerate(zip(season.clocks, season.deadlines, strict=True), start=1)
    ]
    for number, starts, ends in (*opened, *expected_rounds(league, season)):
        yield CalendarDate(f"{uid}-round-{number}", starts, ends, _("Round {number}", number=number))
