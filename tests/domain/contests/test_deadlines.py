"""Outcomes of deadlines, each for a tournament and for a season."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import pytest

from domain.contests.deadlines import (
    BY_LOT,
    BY_OVERDUE,
    BY_SCORE,
    NO_ORGANISER,
    Consequence,
    DeadlineRule,
    are_places_with_overdue,
    place_overdue_last,
)
from domain.disputes import commands as disputes
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.aggregate import Match, legal_actions
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.play.commands import void
from tests.domain.contests.contest_subject import OpenSubject, Subject
from tests.domain.contests.subjects import SUBJECTS, Cup
from tests.domain.matches import toy
from tests.projections.tables import BOT, START, at, matches_in, open_started_match, take_action

DAY: Final = timedelta(days=1)
BY_POST: Final = Table(clock=Clock("correspondence", 30 * 24 * 3600))
both = pytest.mark.parametrize("open_subject", SUBJECTS)


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    with matches_in(tmp_path / "log.db") as matches:
        yield matches


def rule(consequence: Consequence, **more: Any) -> DeadlineRule:
    return DeadlineRule(consequence=consequence, reminders=(), **more)


def running_table(matches: Matches, subject: Subject) -> Match:
    """Open the first round of two players, who join, and let the first seat choose a card."""
    subject.enter("ann", "ben")
    subject.open_round()
    (match_id,) = subject.open_matches()
    match, now = matches.get(match_id), subject.at + timedelta(minutes=1)
    for seat, info in enumerate(match.seats):
        assert info.actor is not None
        match = matches.ready(match_id, seat, info.actor, at=now)
    return act(matches, match, 0, now)


def act(matches: Matches, match: Match, seat: int, now: datetime) -> Match:
    """Take the first legal action of a seat."""
    action, actor = legal_actions(match, seat)[0], match.seats[seat].actor
    assert actor is not None
    return matches.act(match.id, seat, actor, action, expected_version=match.version, at=now)


@both
def test_overdue_players_are_placed_last(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches, deadlines=rule("overdue"))
    match = running_table(matches, subject)
    subject.take_until("expire")

    assert subject.rulings() == [(SERVICE, BY_OVERDUE, (1, 2))]
    assert subject.ruled_overdue() == [(1,)]
    assert matches.get(match.id).status == "void"


@both
@pytest.mark.parametrize("consequence", ["overdue", "score"])
def test_lots_decide_a_table_that_has_no_scores(
    matches: Matches, open_subject: OpenSubject, consequence: Consequence
) -> None:
    # Tables of a tournament would start without their players.
    waits = {"wait_seconds": 30 * 24 * 3600} if open_subject is Cup else {}
    subject = open_subject(matches, deadlines=rule(consequence), **waits)
    subject.enter("ann", "ben")
    subject.open_round()
    subject.disputed_tables = (1,)
    subject.take_until("expire")
    assert subject.rulings() == []

    subject.disputed_tables = ()
    subject.take_until("expire")
    ((by, reason, places),) = subject.rulings()
    assert (by, reason, sorted(places)) == (SERVICE, BY_LOT, [1, 2])
    assert subject.at >= subject.deadline() + DAY


@both
def test_a_table_gets_more_time_once(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches, deadlines=rule("score", extension_days=3))
    running_table(matches, subject)
    first = subject.deadline()
    subject.take_until("expire")
    assert (subject.deadline(), subject.rulings()) == (first + 3 * DAY, [])

    while not subject.rulings():
        subject.take_until("expire")
    assert [reason for _, reason, _ in subject.rulings()] == [BY_SCORE]
    assert first + 3 * DAY < subject.at < first + 4 * DAY


@both
def test_the_service_decides_for_an_organiser_who_does_not(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches, deadlines=rule("organiser", organiser_days=2))
    match = running_table(matches, subject)
    deadline = subject.deadline()
    subject.take_until("expire")
    assert subject.rulings() == []
    assert not matches.get(match.id).is_over

    while not subject.rulings():
        subject.take_until("expire")
    assert [reason for _, reason, _ in subject.rulings()] == [f"{NO_ORGANISER}; by the scores"]
    assert deadline + 2 * DAY <= subject.at < deadline + 3 * DAY


@both
def test_a_player_disputes_a_ruling_and_the_organiser_replaces_it(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches, deadlines=rule("overdue"))
    match = running_table(matches, subject)
    subject.take_until("expire")
    overdue = match.seats[1].actor
    assert overdue is not None
    version = matches.get(match.id).version
    dispute = disputes.open_dispute(
        matches,
        UUID(int=77),
        match.id,
        entry=version,
        by=overdue,
        reason="I was in hospital.",
        at=subject.at,
        players=frozenset({"ann", "ben"}),
    )
    assert dispute.state.is_waiting

    subject.rule(1, (1, 1), (0, 0))
    assert subject.rulings()[-1] == ("org", "So.", (1, 1))


def start_match(matches: Matches, table: Table = BY_POST, *players: str) -> Match:
    return open_started_match(matches, 1, players or ("ann", "ben", "cat"), table)


def test_the_longest_overdue_seat_is_last(matches: Matches) -> None:
    match = take_action(matches, start_match(matches), 0, 10)
    late = replace(match, clocks=(match.clocks[0], match.clocks[1], replace(match.clocks[2], left=5)))
    verdict = place_overdue_last(late, at(20))
    assert verdict is not None
    assert (verdict.places, verdict.overdue) == ((1, 2, 3), (2, 1))

    ended = matches.append(match.id, at(20), lambda current: void(current, SERVICE))
    assert place_overdue_last(ended, START) == place_overdue_last(match, at(20))


def test_scores_decide_between_equally_overdue_seats(matches: Matches) -> None:
    match = start_match(matches, Table())
    scored = replace(match, state=replace(match.state, points=(2, 7, 2), chosen=(None, None, None)))
    verdict = place_overdue_last(scored, at(20))

    assert verdict is not None
    assert (verdict.places, verdict.overdue) == ((2, 1, 2), (0, 2, 1))
    assert are_places_with_overdue(verdict.places, verdict.scores, verdict.overdue)


def test_no_seat_is_overdue_if_no_player_owes_a_decision(matches: Matches) -> None:
    match = start_match(matches, Table(), "ann", BOT)
    chosen = replace(match, state=replace(match.state, chosen=(5, None)))
    ended = replace(match, state=replace(match.state, is_counted=True))
    waiting = matches.open(UUID(int=2), title=toy.TITLE, seats=2, by="ann", at=START)

    assert [place_overdue_last(each, at(20)) for each in (chosen, ended, waiting)] == [None, None, None]


@pytest.mark.parametrize(
    ("places", "scores", "overdue", "is_possible"),
    [
        ((1, 2, 3), (3, 9, 9), (2, 1), True),
        ((1, 2, 2), (3, 9, 9), (2, 1), True),
        ((1, 3, 2), (3, 9, 9), (2, 1), False),
        ((2, 1, 3), (3, 5, 9), (2,), True),
        ((1, 2, 3), (3, 5, 9), (2,), False),
        ((1, 1, 1), (3, 3, 3), (2,), False),
        ((1, 1, 3), (3, 3, 3), (), False),
        ((1, 1, 3), (3, 3, 3), (2, 2), False),
        ((1, 1, 3), (3, 3, 3), (3,), False),
        ((1, 3), (3, 3, 3), (2,), False),
    ],
)
def test_places_fit_the_scores_and_the_overdue_seats(
    places: tuple[int, ...], scores: tuple[int, ...], overdue: tuple[int, ...], is_possible: bool
) -> None:
    assert are_places_with_overdue(places, scores, overdue) == is_possible
