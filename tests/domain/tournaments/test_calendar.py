"""Calendars: validation, registration and check-in periods, and schedules."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from domain.contests.errors import PlanRefused
from domain.contests.times import Break, RoundTime, zone_named
from domain.kernel.values import replace
from domain.tournaments import check_in, facts, registration, timing
from domain.tournaments.calendar import Calendar, extend_round, normalise_calendar, require_entry_open
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.schedule import Appointment, schedule
from tests.domain.tournaments.building import AT, BY, Story

WHY = "The hall is closed."
EAST = timezone(timedelta(hours=14))


def hour(number: float) -> datetime:
    return AT + timedelta(hours=number)


DATES: dict[str, Any] = {
    "zone": "Europe/Madrid",
    "entry_opens": hour(0),
    "entry_closes": hour(10),
    "check_in_opens": hour(20),
    "check_in_closes": hour(22),
    "rounds": (RoundTime(hour(22), hour(24)), RoundTime(hour(26), hour(28))),
    "breaks": (Break(hour(24), hour(26), "Lunch"),),
}


def build_dated(count: int = 4, *, dates: dict[str, Any] = DATES, **plan: Any) -> Story:
    """Return an event with dates."""
    story = Story(count, **plan)
    return story.take(*timing.set_calendar(story.state, Calendar(**dates), BY, ""))


def test_a_calendar_is_stored_in_utc_with_sorted_breaks_and_reminders() -> None:
    zone = timezone(timedelta(hours=2))
    calendar = normalise_calendar(
        Calendar(
            zone="Europe/Madrid",
            rounds=(RoundTime(datetime(2026, 7, 1, 12, tzinfo=zone)),),
            breaks=(Break(hour(30), hour(31)), Break(hour(1), hour(2))),
            reminders=(10, 60, 10),
        )
    )

    assert calendar.starts == datetime(2026, 7, 1, 10, tzinfo=UTC)
    assert calendar.starts is not None
    assert calendar.starts.tzinfo == UTC
    assert [each.starts for each in calendar.breaks] == [hour(1), hour(30)]
    assert calendar.reminders == (60, 10)
    assert calendar.round(7) == RoundTime()
    assert zone_named("Europe/Kyiv").key == "Europe/Kyiv"


@pytest.mark.parametrize(
    ("dates", "sentence"),
    [
        ({"zone": "Europe/Atlantis"}, "unknown time zone 'Europe/Atlantis'"),
        ({"zone": "../secrets"}, "unknown time zone"),
        ({"entry_opens": hour(2), "entry_closes": hour(2)}, "registration: "),
        ({"check_in_opens": hour(2), "check_in_closes": hour(1)}, "the check-in: "),
        ({"check_in_closes": hour(1)}, "a check-in requires an opening and a closing time"),
        (
            {"check_in_opens": hour(1), "check_in_closes": hour(3), "rounds": (RoundTime(hour(2)),)},
            "the check-in and the first round",
        ),
        ({"rounds": (RoundTime(hour(3), hour(2)),)}, "round 1: "),
        ({"rounds": (RoundTime(hour(3)), RoundTime(hour(2)))}, "the start of round 2"),
        ({"rounds": (RoundTime(hour(1), hour(5)), RoundTime(hour(4)))}, "its deadline 1 and the start of round 2"),
        ({"breaks": (Break(hour(3), hour(2), "Lunch"),)}, "the break 'Lunch'"),
        ({"rounds": (RoundTime(datetime(1, 1, 1, tzinfo=EAST)),)}, "0001-01-01T00:00:00+14:00 is not between"),
        ({"rounds": (RoundTime(datetime.max.replace(tzinfo=UTC)),)}, "9999-12-31T23:59:59.999999+00:00 is not between"),
        ({"breaks": (Break(datetime.min.replace(tzinfo=UTC), hour(1)),)}, "0001-01-01T00:00:00+00:00 is not between"),
        ({"entry_opens": datetime(1999, 12, 31, tzinfo=UTC)}, "is not between the years 2000 and 2199"),
    ],
)
def test_contradictory_dates_are_refused(dates: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PlanRefused) as refusal:
        normalise_calendar(Calendar(**dates))
    assert sentence in str(refusal.value)


def test_late_date_changes_need_a_reason_and_equal_dates_change_nothing() -> None:
    story = build_dated()
    assert timing.set_calendar(story.state, Calendar(**DATES), BY, "") == ()
    story.pair().publish()
    later = Calendar(**{**DATES, "place": "Palma"})
    with pytest.raises(TournamentRefused, match="a change of dates after the start needs a reason"):
        timing.set_calendar(story.state, later, BY, " ")
    (moved,) = timing.set_calendar(story.state, later, BY, WHY)

    assert isinstance(moved, facts.CalendarSet)
    assert (moved.reason, story.take(moved).state.calendar.place) == (WHY, "Palma")


def test_people_enter_while_registration_is_open() -> None:
    calendar = build_dated().state.calendar
    with pytest.raises(TournamentRefused, match="registration opens at"):
        require_entry_open(calendar, hour(-1))
    with pytest.raises(TournamentRefused, match="registration closed at"):
        require_entry_open(calendar, hour(10))
    require_entry_open(calendar, hour(9))
    require_entry_open(Calendar(), hour(-1))


def test_entries_without_check_in_are_withdrawn_and_waiting_ones_promoted() -> None:
    story = build_dated(5, cap=3)
    story.enter("bot:random@1").enter("p7")
    for name in ("e1", "e5", "e6"):
        story.take(*check_in.check_in(story.state, name, BY, hour(1)))
    story.take(*check_in.undo_check_in(story.state, "e6", BY))
    closing = check_in.close_check_in(story.state)
    story.take(*closing)

    gone = [fact.entry for fact in closing if isinstance(fact, facts.EntryWithdrawn)]
    promoted = [fact.entry for fact in closing if isinstance(fact, facts.EntryPromoted)]
    assert (gone, promoted) == (["e2", "e3"], ["e5", "e6"])
    assert [entry.status for entry in story.state.entries] == [
        "in",
        "withdrawn",
        "withdrawn",
        "waiting",
        "in",
        "in",
        "waiting",
    ]
    assert story.state.is_checked_in
    story.take(*registration.withdraw(story.state, "e1", "p1"))
    assert story.state.entry("e4") is not None


def test_people_check_in_within_the_period_and_the_organiser_at_any_time() -> None:
    story = build_dated()
    with pytest.raises(TournamentRefused, match="the check-in opens at"):
        check_in.check_in(story.state, "e1", "p1", hour(19))
    story.take(*check_in.check_in(story.state, "e1", "p1", hour(20)))
    story.take(*check_in.check_in(story.state, "e2", BY, hour(1)))

    assert check_in.check_in(story.state, "e1", "p1", hour(20)) == ()
    assert check_in.undo_check_in(story.state, "e3", BY) == ()
    assert [entry.is_there for entry in story.state.entries] == [True, True, False, False]
    story.take(*registration.withdraw(story.state, "e3", "p3"))
    with pytest.raises(TournamentRefused, match="e3 has withdrawn"):
        check_in.check_in(story.state, "e3", "p3", hour(20))
    story.take(*check_in.close_check_in(story.state))
    with pytest.raises(TournamentRefused, match="the check-in is closed"):
        check_in.check_in(story.state, "e4", "p4", hour(21))
    with pytest.raises(TournamentRefused, match="this event has no check-in"):
        check_in.check_in(Story(2).state, "e1", "p1", hour(1))


def test_a_check_in_without_a_cap_promotes_everyone_waiting() -> None:
    story = build_dated(3, cap=2)
    assert registration.promote_waiting(story.state) == ()
    bigger = Story(3, cap=2)

    assert [fact.entry for fact in registration.promote_waiting(with_cap(bigger, 3).state)] == ["e3"]
    assert [fact.entry for fact in registration.promote_waiting(with_cap(bigger, 0).state)] == ["e3"]


def with_cap(story: Story, cap: int) -> Story:
    plan = replace(story.state.plan, cap=cap)
    return story.take(facts.PlanChanged(BY, plan))


def test_the_schedule_for_everyone_and_for_one_participant() -> None:
    story = build_dated(5, size=2, leftover="bye", dates={**DATES, "rounds": DATES["rounds"][:1]})
    before = schedule(story.state, {}, "e1")
    story.set(("e1", "e2"), ("e3", "e4"), byes=("e5",))
    story.result(1, 10, 5)

    def of(entry: str) -> Appointment:
        return next(each for each in schedule(story.state, story.results, entry) if each.kind == "round")

    assert [each.kind for each in before] == ["entry_closes", "check_in", "round", "break"]
    assert before[2] == Appointment(kind="round", starts=hour(22), ends=hour(24), round=1)
    assert (of("e2").table, of("e2").entries, of("e2").status) == (1, ("e1", "e2"), "over")
    assert (of("e3").table, of("e3").status) == (2, "waiting")
    assert (of("e5").table, of("e5").status) == (0, "bye")
    assert of("e9").status == "none"
    assert of("").status == "waiting"
    story.result(2, 4, 3)
    story.take(facts.RoundClosed(BY, 1))
    assert of("").status == "over"


def test_a_round_without_dates_is_scheduled_at_its_opening() -> None:
    story = Story(4).pair()
    assert schedule(story.state, {}) == ()
    story.publish()
    assert schedule(story.state, {})[0].starts == AT


def test_place_fee_and_breaks_are_one_line() -> None:
    day = datetime(2026, 5, 1, tzinfo=UTC)
    for wrong in ({"place": "A\nB"}, {"fee": "5\0"}, {"breaks": (Break(day, day + timedelta(hours=1), "\u2029"),)}):
        with pytest.raises(PlanRefused, match="contains a character that is not allowed:"):
            normalise_calendar(Calendar(**wrong))


def test_rounds_after_an_extended_one_move_as_far_as_they_would_overlap() -> None:
    calendar = Calendar(
        rounds=(RoundTime(hour(0), hour(4)), RoundTime(), RoundTime(hour(6), hour(9)), RoundTime(hour(9)))
    )

    assert extend_round(calendar, 1, hour(5)).rounds == (RoundTime(hour(0), hour(5)), *calendar.rounds[1:])
    assert extend_round(calendar, 1, hour(8)).rounds == (
        RoundTime(hour(0), hour(8)),
        RoundTime(),
        RoundTime(hour(8), hour(11)),
        RoundTime(hour(11)),
    )
    assert extend_round(calendar, 4, hour(20)).rounds == (*calendar.rounds[:3], RoundTime(hour(9), hour(20)))
