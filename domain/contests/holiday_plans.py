"""A holiday of a person, planned for all of their correspondence tables at once.

Each table stops the clock of its seat for as long as its own days and the common ones allow, at least for a day.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from domain.contests.holiday_errors import (
    HolidayInLastDay,
    HolidayInPast,
    HolidayRefused,
    HolidayTooFarAhead,
    HolidayTooLong,
    HolidayTooShort,
)
from domain.contests.holidays import DAY_MICROSECONDS, Span, allowed_end, allowed_end_by_year
from domain.kernel.values import Value
from domain.matches.aggregate import Match
from domain.matches.log.entries import microseconds
from domain.matches.play.absence_commands import is_in_last_day, pending_absence, used_time
from domain.matches.play.absence_terms import allowed_days
from domain.matches.play.absences import AHEAD_DAYS_MAX, DAY, MICROSECONDS

LATENESS: Final = 60
"""Seconds by which a holiday may begin before it is announced, so that one can begin now."""


class Holiday(Value, frozen=True):
    """A holiday from `first` until before `last`, in Unix seconds, announced at a time in microseconds."""

    first: int
    last: int
    announced: int


class HolidayTable(NamedTuple):
    """A table of a person, and the limits of a holiday there.

    `name`: of its contest, or of the title. `days` and `used`: the common days of the tables that share them, and the
    time away at all of these tables. Without `days`, the used time counts for each calendar year if it `is_free`, and
    the tables of a contest share no days otherwise.
    """

    match: Match
    seat: int
    name: str
    days: int | None
    used: tuple[Span, ...]
    is_free: bool


class PlannedTable(Value, frozen=True):
    """The time in which the clock of a seat will stop (seconds), and why it is no longer; `first` = `last`: never."""

    match_id: UUID
    seat: int
    name: str
    first: int
    last: int
    refusal: HolidayRefused | None = None


def check_holiday(first: int, last: int, at: datetime) -> None:
    """Raise `HolidayRefused` for times (seconds) that no holiday can have."""
    now = int(at.timestamp())
    if first < now - LATENESS:
        raise HolidayInPast(f"the holiday begins on {day_of(first)}, which is in the past", {"first": day_of(first)})
    if last - first < DAY:
        raise HolidayTooShort(
            f"a holiday lasts at least a day, and this one begins on {day_of(first)} and ends on {day_of(last)}",
            {"first": day_of(first), "last": day_of(last)},
        )
    if first > now + AHEAD_DAYS_MAX * DAY:
        raise HolidayTooFarAhead(
            f"a holiday begins within {AHEAD_DAYS_MAX} days, and this one on {day_of(first)}",
            {"first": day_of(first)},
        )


def day_of(seconds: int) -> str:
    """Return a time in UTC to the minute."""
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%d %H:%M UTC")


def has_holidays(match: Match, seat: int) -> bool:
    """Return whether holidays concern a seat: a person who has not resigned plays there by correspondence."""
    info = match.seats[seat]
    return (
        match.status in ("running", "paused")
        and match.format > 2
        and match.table.clock.kind == "correspondence"
        and info.is_person
        and not info.resigned
    )


def plan_at_table(table: HolidayTable, holiday: Holiday, at: datetime) -> PlannedTable | None:
    """Return the time in which the holiday stops the clock of the seat; None if it has been announced there.

    Also None after the player has ended it at this table, at the end of the holiday, and without holidays there.
    """
    match, seat = table.match, table.seat
    if not has_holidays(match, seat) or pending_absence(match, seat, at) is not None:
        return None
    first, now = holiday.first, -(-microseconds(at) // MICROSECONDS)
    first = max(first, now)
    if holiday.last - first < DAY or was_ended(match, seat, holiday):
        return None
    last, days = end_at_table(table, Span(first * MICROSECONDS, holiday.last * MICROSECONDS))
    planned = PlannedTable(match.id, seat, table.name, first, last)
    if is_in_last_day(match, seat, at):
        values: dict[str, int | str] = {"table": table.name}
        refusal: HolidayRefused = HolidayInLastDay(f"{table.name}: less than a day is left for your turn", values)
        return PlannedTable(match.id, seat, table.name, first, first, refusal)
    if last == holiday.last:
        return planned
    wanted = -(-(holiday.last - first) // DAY)
    refusal = HolidayTooLong(
        f"{table.name}: {days} days of holiday are left, and this one takes {wanted}",
        {"table": table.name, "days": days, "wanted": wanted},
    )
    return PlannedTable(match.id, seat, table.name, first, last, refusal)


def was_ended(match: Match, seat: int, holiday: Holiday) -> bool:
    """Return whether the seat has ended an absence at this table since the holiday was announced."""
    return any(each.seat == seat and each.at > holiday.announced for each in match.ended_absences)


def end_at_table(table: HolidayTable, wanted: Span) -> tuple[int, int]:
    """Return the latest end at a table (seconds), the start if it is too short, and the whole days until then."""
    own = allowed_days(table.match.table) * DAY_MICROSECONDS - used_time(table.match, table.seat)
    end = min(wanted.last, wanted.first + max(0, own))
    if table.days is not None:
        end = min(end, allowed_end(table.used, wanted, table.days))
    elif table.is_free:
        end = min(end, allowed_end_by_year(table.used, wanted))
    days = (end - wanted.first) // DAY_MICROSECONDS
    first = wanted.first // MICROSECONDS
    return (end // MICROSECONDS if days else first), days


def require_whole(planned: Iterable[PlannedTable]) -> None:
    """Raise the first refusal of a table at which the holiday would be shorter."""
    for each in planned:
        if each.refusal is not None:
            raise each.refusal
