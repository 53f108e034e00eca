"""Days of holiday: the arithmetic of spans, and the tables of a tournament or season that share them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.contests.errors import ContestRefused, PlanRefused
from domain.contests.holidays import (
    DAY_MICROSECONDS,
    YEAR_DAYS,
    HolidayRule,
    Span,
    allowed_end,
    allowed_end_by_year,
    fault_of_holidays,
    join,
    rule_for,
    total,
    used_by_place,
    used_in_year,
    with_holidays,
    year_of,
)
from domain.eventstore.application import Matches
from domain.matches.aggregate import Match
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.log.entries import microseconds
from domain.matches.play.absence_commands import announce_absence
from domain.matches.play.absences import DAY
from tests.domain.contests.contest_subject import OpenSubject
from tests.domain.contests.subjects import SUBJECTS
from tests.projections.tables import matches_in
from tests.seeding import example_count

BY_POST: Final = Table(clock=Clock("correspondence", 3 * DAY))
PLAYERS: Final = ("ann", "ben", "cleo", "dora")
both = pytest.mark.parametrize("open_subject", SUBJECTS)


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    with matches_in(tmp_path / "log.db") as matches:
        yield matches


def span(first: float, last: float) -> Span:
    return Span(int(first * DAY_MICROSECONDS), int(last * DAY_MICROSECONDS))


@pytest.mark.parametrize(
    ("used", "wanted", "days", "end"),
    [
        ([], (10, 15), 5, 15),
        ([], (10, 15), 3, 13),
        ([], (10, 15), 0, 10),
        ([(0, 3)], (10, 15), 5, 12),
        ([(0, 9)], (10, 15), 5, 10),
        ([(10, 12)], (10, 15), 5, 15),
        ([(10, 12)], (10, 15), 3, 13),
        ([(11, 13)], (10, 15), 3, 13),
        ([(11, 13)], (10, 15), 4, 14),
        ([(11, 13)], (10, 15), 2, 10),
        ([(8, 11), (13, 20)], (10, 15), 12, 15),
        ([(8, 11), (13, 20)], (10, 15), 11, 12),
        ([(10, 15), (12, 20)], (10, 15), 5, 15),
        ([(16, 20)], (10, 15), 6, 12),
    ],
)
def test_a_holiday_costs_only_time_that_is_not_used_yet(
    used: list[tuple[float, float]], wanted: tuple[float, float], days: int, end: float
) -> None:
    assert allowed_end([span(*each) for each in used], span(*wanted), days) == span(end, end).first


def at(year: int, month: int, day: int) -> int:
    return microseconds(datetime(year, month, day, tzinfo=UTC))


def test_days_count_for_each_calendar_year() -> None:
    over_new_year = Span(at(2026, 12, 30), at(2027, 1, 5))
    used = [Span(at(2026, 3, 1), at(2026, 3, 4))]

    assert allowed_end_by_year(used, over_new_year, 5) == at(2027, 1, 5)
    assert allowed_end_by_year(used, over_new_year, 4) == at(2026, 12, 31)
    assert allowed_end_by_year([*used, Span(at(2027, 6, 1), at(2027, 6, 3))], over_new_year, 5) == at(2027, 1, 4)
    assert (
        allowed_end_by_year([], Span(at(2026, 1, 1), at(2026, 3, 1))) == at(2026, 1, 1) + YEAR_DAYS * DAY_MICROSECONDS
    )
    assert used_in_year([*used, over_new_year], 2026) == 5 * DAY_MICROSECONDS
    assert year_of(at(2027, 1, 1)) == 2027
    assert year_of(at(2027, 1, 1) - 1) == 2026


spans = st.builds(lambda first, days: span(first / 7, first / 7 + days / 5), st.integers(0, 5_000), st.integers(1, 300))


@settings(max_examples=example_count(100), deadline=None)
@given(wishes=st.lists(st.tuples(spans, st.booleans()), max_size=12), days=st.integers(0, 42))
def test_no_sequence_of_holidays_gives_more_than_the_days(wishes: list[tuple[Span, bool]], days: int) -> None:
    """A wish may repeat the time of an earlier one at another table, which costs nothing, or be cut off later."""
    taken = list[Span]()
    for wanted, is_cut in wishes:
        end = allowed_end_by_year(taken, Span(wanted.first, allowed_end(taken, wanted, days)), days)
        assert wanted.first <= end <= wanted.last
        free = days * DAY_MICROSECONDS - total(taken)
        assert (
            end == wanted.last or total([*taken, Span(wanted.first, end)]) == total(taken) + free or end < wanted.last
        )
        taken.append(Span(wanted.first, end))
        if is_cut:
            taken[-1] = Span(wanted.first, (wanted.first + end) // 2)

    assert total(taken) <= days * DAY_MICROSECONDS
    assert all(first.last < second.first for first, second in zip(join(taken), join(taken)[1:], strict=False))


def test_only_correspondence_has_holidays() -> None:
    rule, live = HolidayRule(7), Table(clock=Clock("increment", 600))
    assert fault_of_holidays(rule, live) == "holidays of 7 days: only correspondence tables have holidays"
    assert (
        fault_of_holidays(HolidayRule(0), live)
        is fault_of_holidays(rule, BY_POST)
        is fault_of_holidays(None, live)
        is None
    )
    assert with_holidays(live, rule) == live
    assert rule_for(live, 7) is rule_for(BY_POST, 42) is None
    assert (rule_for(BY_POST, 7), rule_for(BY_POST, 42, rule)) == (rule, HolidayRule(42))
    assert with_holidays(BY_POST, None) == BY_POST
    assert with_holidays(BY_POST, rule) == with_holidays(with_holidays(BY_POST, HolidayRule(9)), rule)


@both
def test_a_plan_without_correspondence_has_no_holidays(matches: Matches, open_subject: OpenSubject) -> None:
    with pytest.raises(
        (ContestRefused, PlanRefused), match="holidays of 3 days: only correspondence tables have holidays"
    ):
        open_subject(matches, holidays=HolidayRule(3))


@both
def test_the_tables_of_a_player_share_the_days_of_the_plan(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches, table=BY_POST, holidays=HolidayRule(5))
    subject.enter(*PLAYERS)
    subject.open_round()
    subject.play()
    subject.open_round()
    first, second = subject.matches_of("ann")
    match = start(matches, second)
    seat = [info.actor for info in match.seats].index("ann")
    shared = subject.holiday_tables(second, seat, "ann")
    assert shared is not None
    assert (match.table.absence_days, shared.days) == (5, 5)
    assert {table.match_id for table in shared.tables} == {first, second}

    begin = int(match.timestamp.timestamp()) + DAY
    announce = partial(announce_absence, seat=seat, by=SERVICE, first=begin, last=begin + 2 * DAY, at=match.timestamp)
    matches.append(second, match.timestamp, announce)
    assert total(used_by_place(shared.tables, matches.get)) == 2 * DAY_MICROSECONDS
    assert used_by_place(shared.tables, lambda _: None) == ()


@both
def test_a_match_of_another_contest_shares_no_days(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches, table=BY_POST)
    assert subject.holiday_tables(UUID(int=1), 0, "ann") is None
    subject.enter(*PLAYERS)
    subject.open_round()
    (match_id,) = subject.matches_of("ann")
    shared = subject.holiday_tables(match_id, 0, "ann")

    assert shared is not None
    assert (shared.days, len(shared.tables)) == (None, 1)
    assert subject.holiday_tables(UUID(int=1), 0, "ann") is subject.holiday_tables(UUID(int=1), 0, "eva") is None


def start(matches: Matches, match_id: UUID) -> Match:
    """Start a match whose players leave their luck to the service."""
    match = matches.get(match_id)
    for seat, info in enumerate(match.seats):
        assert info.actor is not None
        matches.commit_share(match_id, seat, info.actor, at=match.timestamp)
    for seat, info in enumerate(match.seats):
        matches.ready(match_id, seat, info.actor or "", at=match.timestamp)
    return matches.get(match_id)
