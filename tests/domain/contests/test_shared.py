"""Features that tournaments and seasons share: each test runs for both."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from domain.contests.absences import Absences, Period
from domain.contests.deadlines import BY_LOT
from domain.contests.errors import ContestRefused, PlanRefused
from domain.contests.prizes import Prize, Prizes
from domain.contests.times import RoundTime
from domain.eventstore.application import Matches
from domain.matches.facts import SERVICE
from tests.domain.contests.contest_subject import OpenSubject
from tests.domain.contests.subjects import SUBJECTS
from tests.domain.tournaments.event_clock import DAY, STARTS
from tests.projections.tables import matches_in

PLAYERS = ("ann", "ben", "cleo", "dora", "eva", "fay")
both = pytest.mark.parametrize("open_subject", SUBJECTS)


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    with matches_in(tmp_path / "log.db") as matches:
        yield matches


@both
def test_an_erased_player_is_withdrawn_once(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches, cap=4)
    subject.enter(*PLAYERS[:5])
    assert [subject.erase(player) for player in ("ann", "ann", "zoe")] == [True, False, False]
    assert subject.waiting() == []
    subject.open_round()
    subject.play()
    assert [subject.erase(player) for player in ("ben", "ben", "zoe")] == [True, False, False]
    subject.open_round()

    assert "ben" not in subject.playing()


@both
def test_a_player_is_not_withdrawn_from_an_event_that_is_over(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches)
    assert not subject.erase("ann")
    subject.enter(*PLAYERS[:4])
    for _ in range(3):
        subject.open_round()
        subject.play()
    subject.take_until("close")

    assert not subject.erase("ann")


@both
def test_the_deadline_decides_the_tables_without_a_result(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches)
    subject.enter(*PLAYERS[:4])
    subject.open_round()
    subject.play(2)
    subject.take_until("expire")
    ((by, reason, places),) = subject.rulings()

    assert (by, reason, sorted(places)) == (SERVICE, BY_LOT, [1, 2])


@both
def test_a_player_states_rounds_and_dates_of_absence(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches)
    subject.enter(*PLAYERS[:4])
    first, second = Period(STARTS, STARTS + 3 * DAY), Period(STARTS + 2 * DAY, STARTS + 5 * DAY)
    subject.state_absence("ann", Absences((3, 2, 3), (second, first)))
    ((stated),) = subject.people.absences.values()

    assert stated == Absences((2, 3), (Period(STARTS, STARTS + 5 * DAY),))
    subject.state_absence("ann", Absences(), by="org")
    assert not subject.people.absences


@both
def test_an_absence_that_is_over_is_refused(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches)
    subject.enter(*PLAYERS[:4])
    subject.state_absence("ann", Absences((1, 2)))
    past = Period(subject.at - DAY, subject.at)
    with pytest.raises(ContestRefused, match=r"the absence until 2026-05-.* is over"):
        subject.state_absence("ben", Absences((), (past,)))
    with pytest.raises(PlanRefused, match=r"an absence: .* is not after"):
        subject.state_absence("ben", Absences((), (Period(STARTS, STARTS),)))
    subject.open_round()
    with pytest.raises(ContestRefused, match="round 1 has started, so an absence concerns rounds from 2 on"):
        subject.state_absence("ben", Absences((1,)))
    subject.state_absence("ann", Absences((1, 2, 3)))

    assert [stated.rounds for stated in subject.people.absences.values()] == [(2, 3)]


@both
def test_an_absence_names_existing_rounds_and_is_taken_back_once(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches)
    subject.enter(*PLAYERS[:4])
    subject.open_round()
    with pytest.raises(ContestRefused, match="there is no round 4; the last one is round 3"):
        subject.state_absence("ann", Absences((4,)))
    with pytest.raises(ContestRefused, match="state the rounds or the dates of the absence"):
        subject.state_absence("ann", Absences())
    subject.state_absence("ann", Absences((3,)))
    subject.state_absence("ann", Absences((3,)))
    subject.state_absence("ann", Absences())

    assert not subject.people.absences
    with pytest.raises(ContestRefused, match="state the rounds or the dates of the absence"):
        subject.state_absence("ann", Absences())


@both
def test_a_player_who_has_left_states_no_absence(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches)
    subject.enter(*PLAYERS[:4])
    subject.leave("ann")

    with pytest.raises(ContestRefused, match=r"has withdrawn|has no place"):
        subject.state_absence("ann", Absences((1,)))


@both
def test_a_player_who_is_away_plays_again_afterwards(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches)
    subject.enter(*PLAYERS[:4])
    subject.state_absence("ann", Absences((1,)))
    subject.state_absence("ben", Absences((), (Period(STARTS + 6 * DAY, STARTS + 11 * DAY),)))
    playing = []
    for _ in range(3):
        subject.open_round()
        playing.append(subject.playing())
        subject.play()

    assert [("ann" in each, "ben" in each) for each in playing] == [(False, True), (True, False), (True, True)]


@both
def test_prizes_are_shared_by_the_standings(matches: Matches, open_subject: OpenSubject) -> None:
    """Both winners of the first round have equal points, so they share two prizes."""
    subject = open_subject(matches)
    subject.enter(*PLAYERS[:4])
    subject.set_prizes(Prizes(places=(Prize(100),)))
    subject.open_round()
    subject.play()
    prizes = Prizes(places=(Prize(101), Prize(50), Prize(10)), currency="€")
    with pytest.raises(ContestRefused, match="a change of prizes after the start needs a reason"):
        subject.set_prizes(prizes)
    with pytest.raises(PlanRefused, match="a place cannot get more than the previous one"):
        subject.set_prizes(Prizes(places=(Prize(1), Prize(2))), "So.")
    subject.set_prizes(prizes, "A sponsor.")
    subject.set_prizes(prizes, "A sponsor.")

    assert sorted(subject.awards().values(), reverse=True) == [76, 75, 5, 5]


def test_an_absence_by_date_covers_a_round_for_at_least_half_of_it() -> None:
    week, hour = RoundTime(STARTS, STARTS + 8 * DAY), timedelta(hours=1)
    away = Absences((7,), (Period(STARTS - DAY, STARTS + 2 * DAY), Period(STARTS + 6 * DAY, STARTS + 20 * DAY)))

    assert away.cover(1, week)
    assert not away.cover(1, RoundTime(STARTS + hour, STARTS + 8 * DAY))
    assert away.cover(1, RoundTime(STARTS))
    assert not away.cover(1, RoundTime(STARTS + 2 * DAY))
    assert not away.cover(1, RoundTime())
    assert away.cover(7, RoundTime())
