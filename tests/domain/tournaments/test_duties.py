"""Scheduled steps of a tournament: in order of time, each once, even when dates are moved."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from domain.contests.errors import PlanRefused
from domain.contests.times import Break, RoundTime
from domain.pairing.methods import pair_round
from domain.standings.contest import Stage
from domain.tournaments import facts, rounds, timing
from domain.tournaments.calendar import Calendar
from domain.tournaments.check_in_facts import CheckedIn
from domain.tournaments.duties import due_of, duty_of, next_step, require_due
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.steps import take_step
from tests.domain.tournaments.building import AT, BY, Story
from tests.domain.tournaments.test_calendar import DATES, build_dated, hour

TWO = (Stage("swiss", 2),)


def find_duty(story: Story) -> tuple[str | None, Any]:
    """Return the duty and its due time."""
    return next_step(story.state, story.results) or (None, None)


def takes(story: Story, step: str) -> Story:
    return story.take(*take_step(story.state, story.results, step))


def move_dates(story: Story, **dates: Any) -> Story:
    return story.take(*timing.set_calendar(story.state, Calendar(**{**DATES, **dates}), BY, "So."))


def test_a_scheduled_event_takes_all_steps_from_check_in_to_the_next_round() -> None:
    story = build_dated(4, auto=True, stages=TWO, face_to_face=True)
    for number in range(1, 5):
        story.take(CheckedIn(BY, f"e{number}"))
    assert find_duty(story) == ("check_in", hour(22))
    with pytest.raises(TournamentRefused, match="'check_in' is not due before 2026-01-01T22:00:00"):
        require_due(story.state, "check_in", hour(21))
    require_due(story.state, "check_in", hour(22))
    takes(story, "check_in")
    assert find_duty(story) == ("ask", hour(22))
    propose_pairing(takes(story, "ask"))
    assert find_duty(story) == ("publish", hour(22))
    story.at = hour(22)
    takes(takes(story, "publish"), "open")
    assert find_duty(story) == ("remind", hour(23))
    takes(story, "remind")
    assert find_duty(story) == ("expire", hour(24))
    story.result(1, 4, 3, 2, 1)
    assert find_duty(story) == ("close", None)
    story.at = hour(24.5)
    takes(story, "close")
    assert find_duty(story) == ("ask", hour(26) - timedelta(minutes=10))


def propose_pairing(story: Story) -> Story:
    """Return the story with the pairing of the latest round proposed."""
    last = story.state.rounds[-1]
    pairing, reasons = pair_round(last.problem, last.way)
    return story.take(rounds.answer_pairing(story.state, last.number, pairing, reasons))


def test_the_next_round_waits_for_the_end_of_a_break() -> None:
    story = Story(4, auto=True, stages=TWO)
    story.take(*timing.set_calendar(story.state, Calendar(breaks=(Break(hour(1), hour(3)),)), BY, ""))
    story.pair().publish().result(1, 4, 3, 2, 1)
    story.at = hour(2)
    story.close()

    assert find_duty(story) == ("ask", hour(3))
    assert story.state.calendar.after_breaks(hour(3)) == hour(3)
    assert due_of(Story(2).state, "ask") is None
    assert due_of(Story(2).state, "publish") is None


def test_a_proposal_is_published_at_its_start_time_or_at_once() -> None:
    story = build_dated(4, auto=True, dates={"rounds": (RoundTime(hour(5)),)})
    assert find_duty(story) == ("ask", hour(5) - timedelta(minutes=10))
    assert find_duty(story.pair()) == ("publish", hour(5))
    assert find_duty(move_dates(story, rounds=(), check_in_opens=None, check_in_closes=None)) == ("publish", None)


def test_reminders_are_given_once_per_deadline() -> None:
    story = build_dated(4, dates={"rounds": (RoundTime(None, hour(30)),), "reminders": (1440, 60)})
    story.pair().publish().take(facts.RoundBegun(1))
    reminders = []
    for _ in range(2):
        assert duty_of(story.state, {}) == "remind"
        takes(story, "remind")
        reminders.append(story.state.rounds[0].reminded)
    assert reminders == [1440, 60]
    assert find_duty(story) == ("expire", hour(30))
    with pytest.raises(TournamentRefused, match="no deadline reminder is due"):
        timing.remind(story.state)
    with pytest.raises(TournamentRefused, match="no deadline reminder is due"):
        timing.remind(Story(2).state)
    story.take(facts.DeadlinePassed(1, hour(30)))
    assert duty_of(story.state, {}) is None

    later = {"rounds": (RoundTime(None, hour(50)),), "check_in_opens": None, "check_in_closes": None}
    assert find_duty(move_dates(story, **later)) == ("remind", hour(26))


def test_reminders_before_the_opening_of_tables_are_skipped() -> None:
    story = build_dated(4, dates={"rounds": (RoundTime(None, hour(2)),), "reminders": (1440, 60)})
    story.pair().publish().take(facts.RoundBegun(1))

    assert find_duty(story) == ("remind", hour(1))


def test_a_scheduled_announcement_is_published_when_due() -> None:
    story = Story(2)
    later = timing.announce(story.state, "Lunch is served.", hour(3), BY, AT)
    story.take(later, timing.announce(story.state, "Doors open.", hour(1), BY, AT))
    story.take(
        timing.announce(story.state, "Welcome.", hour(-1), BY, AT), timing.announce(story.state, "Hello.", None, BY, AT)
    )

    assert [notice.since for notice in story.state.notices] == [hour(3), hour(1), None, None]
    assert find_duty(story) == ("announce", hour(1))
    story.at = hour(1)
    takes(story, "announce")
    assert story.state.notices[1].at == hour(1)
    assert find_duty(story) == ("announce", hour(3))
    takes(story, "announce")
    assert find_duty(story) == (None, None)
    assert due_of(story.state, "announce") is None
    with pytest.raises(TournamentRefused, match="no announcement is scheduled"):
        timing.show_announcement(story.state)
    with pytest.raises(TournamentRefused, match="an announcement needs a text"):
        timing.announce(story.state, " ", None, BY, AT)
    with pytest.raises(PlanRefused, match="is not between the years 2000 and 2199"):
        timing.announce(story.state, "At the end.", datetime.max.replace(tzinfo=UTC), BY, AT)
