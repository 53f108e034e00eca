"""Tables that bots play on after a deadline, for a tournament and for a season."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from domain.contests.adjudication import (
    BOTS_FAILED,
    BOTS_TIME,
    LINE_COUNT,
    BotLines,
    LineEndless,
    decide_by_bots,
    is_by_lines,
    medians,
    play_line,
    play_lines,
)
from domain.contests.deadlines import BY_BOTS, BY_LOT, LEFT_TO_BOTS
from domain.contests.duties import DueStep
from domain.contests.errors import ContestRefused
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.leagues.plan import LeagueRefused
from domain.matches.aggregate import Match
from domain.matches.facts import SERVICE
from domain.matches.play.commands import void
from domain.standings.results import TableResult
from domain.tournaments.errors import TournamentRefused
from tests.domain.contests.contest_subject import OpenSubject, Subject
from tests.domain.contests.subjects import SUBJECTS, Cup
from tests.domain.contests.test_deadlines import BY_POST, act, rule, running_table, start_match
from tests.projections.tables import at, matches_in

both = pytest.mark.parametrize("open_subject", SUBJECTS)
refused = (TournamentRefused, LeagueRefused)
LINES: Final = BotLines("bot:x@1", ((5, 1), (2, 2), (9, 3), (1, 4), (3, 5)))


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    with matches_in(tmp_path / "log.db") as matches:
        yield matches


def first_action(_rules: Any, _view: Any, legal: tuple[Any, ...], _seed: bytes) -> Any:
    return legal[0]


def leave_to_bots(matches: Matches, open_subject: OpenSubject) -> tuple[Subject, Match]:
    """Return a contest whose only table was left to bots at its deadline."""
    subject = open_subject(matches, deadlines=rule("bots"))
    match = running_table(matches, subject)
    subject.take_until("expire")
    subject.results[match.id] = TableResult((), (), void=True)
    return subject, matches.get(match.id)


def test_the_key_of_the_match_and_the_choices_fix_the_lines(matches: Matches) -> None:
    match = start_match(matches)
    seen: list[tuple[Any, bytes]] = []

    def choose(_rules: Any, view: Any, legal: tuple[Any, ...], seed: bytes) -> Any:
        seen.append((view, seed))
        return legal[seed[0] % len(legal)]

    lines = play_lines(match, choose)
    count = len(seen)
    assert (len(lines), len(set(lines)) > 1, {len(line) for line in lines}) == (LINE_COUNT, True, {3})
    assert play_lines(match, choose) == lines
    assert seen[:count] == seen[count:]
    assert len({seed for _, seed in seen[:count]}) == count
    ended = matches.append(match.id, at(20), lambda current: void(current, SERVICE))
    assert play_lines(ended, choose) == lines, "the match that a deadline ended gives the same lines"
    assert play_lines(replace(match, key=bytes(32)), choose) != lines


def test_a_line_without_an_end_is_given_up() -> None:
    class Endless:
        def __getattr__(self, name: str) -> Any:
            return {"evolve": None, "decide": lambda *_: (), "view": lambda *_: None}.get(name, lambda *_: (0, 1))

    with pytest.raises(LineEndless):
        play_line(Endless(), None, bytes(32), first_action)


def test_each_seat_has_the_median_of_its_points() -> None:
    assert medians(LINES.points) == (3, 3)


@pytest.mark.parametrize(
    ("lines", "scores", "places", "overdue", "is_right"),
    [
        (LINES.points, (3, 3), (1, 1), (), True),
        (LINES.points, (3, 3), (1, 2), (), False),
        (LINES.points, (4, 3), (1, 2), (), False),
        (LINES.points, (3, 3), (1, 1), (0,), False),
        (LINES.points[:3], (5, 2), (1, 2), (), False),
        ((*LINES.points[:4], (3,)), (3, 3), (1, 1), (), False),
        ((), (), (), (), False),
    ],
)
def test_scores_and_places_follow_from_five_lines(
    lines: Sequence[Sequence[int]],
    scores: tuple[int, ...],
    places: tuple[int, ...],
    overdue: tuple[int, ...],
    is_right: bool,
) -> None:
    assert is_by_lines(lines, scores, places, overdue) == is_right


@both
def test_bots_play_on_from_the_position_and_decide(matches: Matches, open_subject: OpenSubject) -> None:
    subject, match = leave_to_bots(matches, open_subject)
    assert (match.status, subject.rulings()) == ("void", [])
    assert subject.bots_until() == subject.at + BOTS_TIME

    points = play_lines(match, first_action)
    subject.adjudicate(BotLines("bot:x@1", points))
    ((by, reason, _),) = subject.rulings()
    assert (by, reason, subject.bots_until()) == (SERVICE, BY_BOTS, None)
    assert subject.ruled_lines() == [("bot:x@1", points)]


@both
def test_the_record_and_the_workers_name_a_table_that_is_left_to_bots(
    matches: Matches, open_subject: OpenSubject
) -> None:
    subject, match = leave_to_bots(matches, open_subject)
    (left,) = subject.tables_with_bots()
    act = subject.acts()[-1]

    assert (left.match, left.until) == (match.id, subject.bots_until())
    assert left.address in ("rounds/1/tables/1", "groups/1/rounds/1/tables/1")
    assert (act.kind, act.round, act.table, act.reason) == ("left_to_bots", 1, 1, LEFT_TO_BOTS)


@both
def test_the_contest_waits_for_its_bots(matches: Matches, open_subject: OpenSubject) -> None:
    subject, _ = leave_to_bots(matches, open_subject)
    duty = DueStep("adjudicate", subject.at)
    while subject.duty() != duty:
        # Other rounds of a league do not wait.
        assert subject.take() in ("round", "open")
    if open_subject is Cup:
        with pytest.raises(TournamentRefused, match="no result yet for table 1"):
            subject.close()
    subject.adjudicate(LINES)
    assert subject.duty() != duty


def test_a_season_is_not_closed_while_bots_play_on(matches: Matches) -> None:
    subject = SUBJECTS[1](matches, deadlines=rule("bots"))
    running_table(matches, subject)
    subject.take_until("expire")
    subject.results |= {match: TableResult((), (), void=True) for match in subject.open_matches()}
    assert subject.duty() == DueStep("adjudicate", subject.at)
    with pytest.raises(LeagueRefused, match="no result yet: group 1, round 1, table 1"):
        subject.close()


@both
def test_repeated_lines_change_nothing(matches: Matches, open_subject: OpenSubject) -> None:
    subject, _ = leave_to_bots(matches, open_subject)
    subject.adjudicate(LINES)
    rulings = subject.rulings()
    with pytest.raises(refused, match=r"not left to bots|bots do not play on"):
        subject.adjudicate(LINES)
    assert subject.rulings() == rulings


@both
def test_without_lines_the_scores_decide_after_the_time(matches: Matches, open_subject: OpenSubject) -> None:
    subject, _ = leave_to_bots(matches, open_subject)
    with pytest.raises(ContestRefused, match="bots have until"):
        subject.adjudicate(None)
    subject.at += BOTS_TIME
    subject.adjudicate(None)

    assert subject.rulings() == [(SERVICE, BOTS_FAILED, (1, 1))]


@both
def test_a_ruling_of_the_organiser_ends_the_wait_for_bots(matches: Matches, open_subject: OpenSubject) -> None:
    subject, _ = leave_to_bots(matches, open_subject)
    subject.rule(1, (1, 2), (7, 3))

    assert subject.bots_until() is None
    with pytest.raises(refused):
        subject.adjudicate(LINES)


@both
def test_lots_decide_a_match_that_has_not_begun(matches: Matches, open_subject: OpenSubject) -> None:
    waits = {"wait_seconds": 30 * 24 * 3600} if open_subject is Cup else {}
    subject = open_subject(matches, deadlines=rule("bots"), **waits)
    subject.enter("ann", "ben")
    subject.take_until("expire")

    assert [(by, reason) for by, reason, _ in subject.rulings()] == [(SERVICE, BY_LOT)]
    assert subject.bots_until() is None


@pytest.mark.parametrize("points", [LINES.points[:4], ((1,),) * 5, ((1, 2, 3),) * 5, ((1, 10**9),) * 5])
def test_lines_that_do_not_fit_the_table_are_refused(matches: Matches, points: Any) -> None:
    match = act(matches, start_match(matches, BY_POST, "ann", "ben"), 0, at(10))
    ended = matches.append(match.id, at(20), lambda current: void(current, SERVICE))
    with pytest.raises(ContestRefused, match="5 lines with the points of 2 seats are needed"):
        decide_by_bots(ended, BotLines("bot:x@1", points), at(0), at(0) - timedelta(1))
