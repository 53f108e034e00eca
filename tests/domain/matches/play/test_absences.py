"""Announced absences stop a seat's clock in correspondence matches, within limits (docs/specifications/log.md)."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from domain.kernel.rules import UnknownOption
from domain.kernel.values import replace
from domain.matches.aggregate import Match, legal_actions, seats_to_act
from domain.matches.consequences import append
from domain.matches.errors import AbsenceRefused, NotRunning, NotSeated, TimeOutRefused
from domain.matches.facts import SERVICE, Clock, Table, TimedOut
from domain.matches.log.log_files import log_of
from domain.matches.play import absence_commands, commands
from domain.matches.play.absence_commands import announce_absence, end_absence
from domain.matches.play.absences import (
    AHEAD_DAYS_MAX,
    DAY,
    DAYS_MAX,
    MICROSECONDS,
    Absence,
    AbsenceAnnounced,
    end_absences,
    latest_absence,
    own_time,
    wall_time,
)
from domain.matches.play.clocks import expiry_time, time_left, times_left_ms
from domain.matches.play.in_memory import InMemoryMatch
from domain.matches.seats.event_tables import fault_of_event_table
from domain.matches.verification.verify import verify
from domain.notifications.turns import quarter_left_at
from tests.domain.matches.match_helpers import BOT, build_ruling
from tests.domain.matches.play.test_clocks import people_play, take_action

DAYS = timedelta(days=1)


def correspondence(days: int = 3, kind: Any = "correspondence", format: int = 3) -> InMemoryMatch:
    return people_play("la_granja", Table(clock=Clock(kind, days * DAY), time_out="skip"), format=format)


def seconds(at: datetime, days: float = 0) -> int:
    return int(at.timestamp() + days * DAY) + 1


def announce(play: InMemoryMatch, seat: int, after: float, days: float, by: str | None = None) -> None:
    at = play.match.timestamp
    first, last = seconds(at, after), seconds(at, after + days)
    play.append(lambda match: announce_absence(match, seat, by or f"p{seat}", first, last, at=at), at=at)


def owing(match: Match) -> int:
    return seats_to_act(match)[0]


def test_a_clock_stands_still_while_its_seat_is_away() -> None:
    play = correspondence()
    seat, start = owing(play.match), play.match.timestamp
    announce(play, seat, 1, 10)
    match = play.match

    assert time_left(match, seat, start + 12 * DAYS) == pytest.approx(1 * DAY * MICROSECONDS, abs=2 * MICROSECONDS)
    assert expiry_time(match, seat) == pytest.approx(
        round((start + 13 * DAYS).timestamp()) * MICROSECONDS, abs=2 * MICROSECONDS
    )
    assert expiry_time(match, 1 - seat) is None
    assert quarter_left_at(match, seat) == pytest.approx(
        round((start + 12.25 * DAYS).timestamp()) * MICROSECONDS, abs=2 * MICROSECONDS
    )
    assert times_left_ms(match)[seat] == 3 * DAY * 1000
    with pytest.raises(TimeOutRefused):
        commands.time_out(match, seat, SERVICE, at=start + 12.9 * DAYS)
    play.append(lambda match: commands.time_out(match, seat, SERVICE, at=start + 13.1 * DAYS), at=start + 13.1 * DAYS)
    assert verify(log_of(play.entries)).is_good


def test_a_time_out_within_an_absence_is_false() -> None:
    play = correspondence()
    seat, start = owing(play.match), play.match.timestamp
    announce(play, seat, 1, 10)
    _, added = append(play.match, TimedOut(seat, SERVICE, "skip"), start + 5 * DAYS)
    report = verify(log_of((*play.entries, *added)))

    assert report.fault is not None
    assert report.fault.entry == play.match.version + 1


def test_ending_an_absence_restarts_the_clock_and_cancelling_removes_it() -> None:
    play = correspondence()
    seat, start = owing(play.match), play.match.timestamp
    announce(play, seat, 1, 10)
    back = start + 3 * DAYS
    play.append(lambda match: end_absence(match, seat, f"p{seat}", at=back), at=back)
    assert time_left(play.match, seat, back + DAYS) == pytest.approx(1 * DAY * MICROSECONDS, abs=2 * MICROSECONDS)
    announce(play, seat, 0.5, 2)
    now = play.match.timestamp
    play.append(lambda match: end_absence(match, seat, SERVICE, at=now), at=now)

    assert len(play.match.absences) == 1
    with pytest.raises(AbsenceRefused, match="has no announced absence"):
        end_absence(play.match, seat, f"p{seat}", at=now)
    take_action(play)
    assert verify(log_of(play.entries)).is_good
    assert verify(log_of(play.entries, None)).is_good


def expect_refusal(match: Match, seat: int, first: float, days: float, by: str = "", at: datetime | None = None) -> str:
    now = at or match.timestamp
    with pytest.raises(AbsenceRefused) as caught:
        announce_absence(match, seat, by or f"p{seat}", seconds(now, first), seconds(now, first + days), at=now)
    return str(caught.value)


def test_invalid_absences_are_rejected() -> None:
    play = correspondence()
    match = play.match
    seat = owing(match)

    assert "an absence lasts at least one day" in expect_refusal(match, seat, 0, 0.5)
    assert "an absence must start within" in expect_refusal(match, seat, -1, 3)
    assert "an absence must start within" in expect_refusal(match, seat, AHEAD_DAYS_MAX + 1, 3)
    assert f"at most {DAYS_MAX} days" in expect_refusal(match, seat, 0, DAYS_MAX + 1)
    assert "less than a day left" in expect_refusal(match, seat, 0, 3, at=match.timestamp + 2.5 * DAYS)
    announce_absence(
        match, 1 - seat, f"p{1 - seat}", seconds(match.timestamp), seconds(match.timestamp, 2), at=match.timestamp
    )
    with pytest.raises(NotSeated):
        announce_absence(match, seat, f"p{1 - seat}", 1, 2, at=match.timestamp)
    resigned = replace(match, seats=(replace(match.seats[0], resigned=True), match.seats[1]))
    assert "no person plays" in expect_refusal(resigned, 0, 0, 2)
    bot = replace(match, seats=(replace(match.seats[0], actor=BOT), match.seats[1]))
    assert "no person plays" in expect_refusal(bot, 0, 0, 2, by=SERVICE)
    with pytest.raises(NotRunning):
        announce_absence(replace(match, status="waiting"), seat, SERVICE, 1, 2, at=match.timestamp)
    assert "absences are only for correspondence matches" in expect_refusal(
        correspondence(kind="increment").match, 0, 0, 2
    )
    assert "earlier log format" in expect_refusal(correspondence(format=2).match, 0, 0, 2)
    announce(play, seat, 1, 5)
    assert "already has an announced" in expect_refusal(play.match, seat, 8, 2)


def test_the_days_of_a_match_are_bounded_together() -> None:
    play = correspondence()
    seat = 1 - owing(play.match)
    announce(play, seat, 0, DAYS_MAX - 2)
    later = play.match.timestamp + (DAYS_MAX - 1) * DAYS

    assert "days per match" in expect_refusal(play.match, seat, 0, 3, at=later)
    announce_absence(play.match, seat, SERVICE, seconds(later), seconds(later, 2), at=later)


def test_a_table_bounds_the_days_of_its_seats() -> None:
    play = people_play("la_granja", Table(clock=Clock("correspondence", 3 * DAY), absence_days=5))
    seat = 1 - owing(play.match)

    assert "at most 5 days per match, not 6" in expect_refusal(play.match, seat, 0, 6)
    announce(play, seat, 1, 3)
    assert "at most 5 days per match, not 5.5" in expect_refusal(
        play.match, seat, 0, 2.5, at=play.match.timestamp + 5 * DAYS
    )
    none = people_play("la_granja", Table(clock=Clock("correspondence", 3 * DAY), absence_days=0))
    assert "at most 0 days per match" in expect_refusal(none.match, 0, 0, 1)
    assert verify(log_of(play.entries)).is_good


def test_days_of_absence_are_a_term_of_correspondence_tables_since_format_3() -> None:
    for table, log_format in (
        (Table(absence_days=5), 3),
        (Table(clock=Clock("increment", 600), absence_days=0), 3),
        (Table(clock=Clock("correspondence", 600), absence_days=5), 2),
    ):
        with pytest.raises(UnknownOption, match="absenceDays="):
            people_play("la_granja", table, format=log_format)
    assert (
        fault_of_event_table(Table(absence_days=5)) == "absenceDays=5: only correspondence tables have days of absence"
    )
    assert fault_of_event_table(Table(clock=Clock("correspondence", 600), absence_days=5)) is None


def test_an_absence_ends_when_somebody_else_plays_the_seat() -> None:
    play = correspondence()
    seat = owing(play.match)
    announce(play, seat, 0, 10)
    other = play.match.timestamp + DAYS
    play.append(lambda match: commands.replace_seat(match, seat, SERVICE, "dora"), at=other)

    assert [each.last for each in play.match.absences] == [round(other.timestamp() * MICROSECONDS)]
    announce(play, 1 - seat, 0, 3)
    play.append(lambda match: commands.resign(match, 1 - seat, f"p{1 - seat}"))
    assert verify(log_of(play.entries)).is_good


def test_an_absence_ends_with_the_match_whatever_follows() -> None:
    play = correspondence()
    announce(play, 0, 0, 10)
    announce(play, 1, 20, 10)
    over = play.match.timestamp + 2 * DAYS
    play.append(lambda match: commands.void(match, SERVICE), at=over)
    ended = play.match.absences
    play.append(lambda _: build_ruling("late", appeal_of="earlier"), at=over + 5 * DAYS)

    assert [(each.seat, each.last) for each in ended] == [(0, round(over.timestamp() * MICROSECONDS))]
    assert play.match.absences == ended


def test_an_absence_is_announced_in_a_pause_too() -> None:
    play = correspondence()
    play.append(lambda match: commands.pause(match, SERVICE))
    announce(play, 0, 0, 2)
    play.append(lambda match: commands.resume(match, SERVICE))

    assert isinstance(absence_commands.announce_absence, type(announce_absence))
    assert verify(log_of(play.entries)).is_good


def test_seat_time_excludes_absences() -> None:
    absences = (Absence(0, 10, 20), Absence(1, 0, 100), Absence(0, 30, 35))

    assert [own_time(absences, 0, now) for now in (5, 10, 15, 20, 25, 32, 40)] == [5, 10, 10, 10, 15, 20, 25]
    assert [wall_time(absences, 0, own) for own in (5, 10, 11, 15, 20, 25)] == [5, 10, 21, 25, 30, 40]
    assert [latest_absence(absences, seat) for seat in range(3)] == [(30, 35), (0, 100), None]
    assert end_absences(absences, 15) == (Absence(0, 10, 15), Absence(1, 0, 15))
    assert end_absences(absences, 15, 0) == (Absence(0, 10, 15), Absence(1, 0, 100))


def test_an_absence_is_part_of_the_log() -> None:
    play = correspondence()
    announce(play, 0, 0, 2)

    assert b'"type":"absence_announced","seat":0,"by":"p0","first":' in bytes(play.entries[-1].body)
    assert AbsenceAnnounced(0, "p0", 1, 2) != AbsenceAnnounced(0, "p0", 1, 3)
    assert legal_actions(play.match, owing(play.match))
