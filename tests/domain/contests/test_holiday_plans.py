"""A holiday planned at a table: refusals, and the time in which the clock of the seat stops."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any, Final

import pytest

from domain.contests.holiday_errors import (
    HolidayInLastDay,
    HolidayInPast,
    HolidayRefused,
    HolidayTooFarAhead,
    HolidayTooLong,
    HolidayTooShort,
)
from domain.contests.holiday_plans import (
    Holiday,
    HolidayTable,
    PlannedTable,
    check_holiday,
    plan_at_table,
    require_whole,
)
from domain.contests.holidays import DAY_MICROSECONDS, Span
from domain.kernel.values import replace
from domain.matches.aggregate import Match, seats_to_act
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.log.entries import microseconds
from domain.matches.play import commands
from domain.matches.play.absence_commands import announce_absence, end_absence
from domain.matches.play.absences import DAY, MICROSECONDS
from domain.matches.play.in_memory import InMemoryMatch
from tests.domain.matches.play.test_clocks import people_play

DAYS: Final = timedelta(days=1)


def by_post(days: int = 3, **terms: Any) -> InMemoryMatch:
    return people_play("la_granja", Table(clock=Clock("correspondence", days * DAY), time_out="skip", **terms))


def holiday_of(match: Match, after: float, days: float) -> Holiday:
    """Return a holiday that begins some days after the latest entry of a match."""
    first = int(match.timestamp.timestamp()) + 1 + int(after * DAY)
    return Holiday(first, first + int(days * DAY), microseconds(match.timestamp))


def plan(
    match: Match, holiday: Holiday, seat: int = 1, days: int | None = None, used: tuple[Span, ...] = (), **terms: Any
) -> PlannedTable | None:
    is_free = terms.pop("is_free", False)
    return plan_at_table(HolidayTable(match, seat, "Cup", days, used, is_free), holiday, match.timestamp, **terms)


def idle(match: Match) -> int:
    """Return a seat that owes nothing."""
    return 1 - seats_to_act(match)[0]


@pytest.mark.parametrize(
    ("after", "days", "refusal"),
    [
        (-1, 3, HolidayInPast),
        (0, 0.5, HolidayTooShort),
        (3, -2, HolidayTooShort),
        (366, 3, HolidayTooFarAhead),
    ],
)
def test_times_that_no_holiday_has_are_refused(after: float, days: float, refusal: type[HolidayRefused]) -> None:
    match = by_post().match
    holiday = holiday_of(match, after, days)
    with pytest.raises(refusal) as refused:
        check_holiday(holiday.first, holiday.last, match.timestamp)
    assert refused.value.values
    check_holiday(holiday_of(match, 0, 1).first, holiday_of(match, 0, 1).last, match.timestamp)


def test_a_table_gives_as_many_days_as_it_the_place_and_the_year_allow() -> None:
    match = by_post(absence_days=9).match
    holiday, seat = holiday_of(match, 1, 6), idle(match)
    first = holiday.first
    away = (Span((first - 20 * DAY) * MICROSECONDS, (first - 16 * DAY) * MICROSECONDS),)

    def days_of(**terms: Any) -> float:
        planned = plan(match, holiday, seat, **terms)
        assert planned is not None
        assert (planned.match_id, planned.seat, planned.first) == (match.id, seat, first)
        return (planned.last - planned.first) / DAY

    assert [days_of(), days_of(days=6), days_of(days=7, used=away)] == [6, 6, 3]
    assert [days_of(days=4, used=away), days_of(used=away)] == [0, 6]
    most = Span((first - 60 * DAY) * MICROSECONDS, (first - 20 * DAY) * MICROSECONDS)
    by_year = days_of(used=(most,), is_free=True)
    assert by_year in (2, 6), "two days are left, unless a year has begun since"
    match = by_post(absence_days=3).match
    planned = plan(match, holiday_of(match, 1, 6), idle(match))
    assert planned is not None
    assert isinstance(planned.refusal, HolidayTooLong)
    assert str(planned.refusal) == "Cup: 3 days of holiday are left, and this one takes 6"
    assert planned.last - planned.first == 3 * DAY
    with pytest.raises(HolidayTooLong):
        require_whole([planned])
    require_whole([replace(planned, refusal=None)])


def test_a_holiday_waits_for_the_turn_in_its_last_day() -> None:
    match = by_post(days=1).match
    late = replace(match, timestamp=match.timestamp + timedelta(hours=1))
    owing = seats_to_act(match)[0]
    planned = plan(late, holiday_of(late, 1, 3), owing)
    assert planned is not None
    assert isinstance(planned.refusal, HolidayInLastDay)
    assert planned.first == planned.last
    other = plan(late, holiday_of(late, 1, 3), 1 - owing)
    assert other is not None
    assert other.refusal is None


def test_a_holiday_begins_now_at_a_table_that_started_during_it() -> None:
    match = by_post().match
    holiday = replace(holiday_of(match, -2, 6), announced=0)
    planned = plan(match, holiday, idle(match))
    assert planned is not None
    assert planned.first == -(-microseconds(match.timestamp) // MICROSECONDS)
    assert planned.last == holiday.last
    assert plan(match, holiday_of(match, -5, 5.5), idle(match)) is None, "less than a day is left of it"


@pytest.mark.parametrize("status", ["live", "resigned", "over", "format"])
def test_other_tables_have_no_holidays(status: str) -> None:
    play = by_post()
    if status == "live":
        play = people_play("la_granja", Table(clock=Clock("increment", 3 * DAY)))
    if status == "over":
        play.append(lambda match: commands.void(match, SERVICE))
    seat = idle(play.match) if status != "over" else 0
    if status == "resigned":
        play.append(lambda match: commands.resign(match, seat, match.seats[seat].actor or ""))
    match = replace(play.match, format=2) if status == "format" else play.match

    assert plan(match, holiday_of(match, 1, 3), seat) is None


def test_a_holiday_is_announced_once_and_never_again_after_its_player_returned() -> None:
    play = by_post()
    seat, holiday = idle(play.match), holiday_of(play.match, 1, 5)
    announce = partial(announce_absence, seat=seat, by=SERVICE, first=holiday.first, last=holiday.last)
    at = play.match.timestamp
    play.append(lambda match: announce(match, at=at), at=at)
    assert plan(play.match, holiday, seat) is None
    back = at + DAYS
    play.append(lambda match: end_absence(match, seat, SERVICE, at=back), at=back)
    assert plan(play.match, holiday, seat) is None
    later = plan(play.match, holiday_of(play.match, 1, 5), seat)
    assert later is not None
    assert later.last - later.first == 5 * DAY
    assert plan(play.match, replace(holiday, announced=microseconds(back)), 1 - seat) is not None
    assert DAY_MICROSECONDS == DAY * MICROSECONDS
