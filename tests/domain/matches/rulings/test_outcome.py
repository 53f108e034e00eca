"""Outcomes: results after rulings, times, and lines that do not belong to an event table."""

from uuid import UUID

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.matches.aggregate import Match
from domain.matches.fact_base import Authority
from domain.matches.facts import Table
from domain.matches.rulings.measures import MatchVoided, PointsTaken, ResultSet, SeatWarned
from domain.matches.rulings.outcome import Outcome, Times, outcome_of
from domain.standings.results import TableResult, table_result
from tests.domain.matches.match_helpers import (
    START,
    act_once,
    apply_ruling,
    build_ruling,
    play_out,
    resume_match,
    start_match,
    uuid,
)

M, R = uuid(1), uuid(2)


def follow_outcome(matches: Matches, match_id: UUID = M, *, root: UUID = M, imported: bool = False) -> Outcome:
    """Return the outcome of a line, followed entry by entry."""
    times = Times()
    for version in range(1, matches.get(match_id).version + 1):
        times = times.after(matches.at(match_id, version))
    return outcome_of(matches.get(match_id), root, match_id, times, imported=imported)


def on_a_table(matches: Matches) -> Match:
    return start_match(matches, M, ("anna", "bea"), table=Table(rated=True))


def test_a_match_that_goes_on_has_begun_and_has_no_result(matches: Matches) -> None:
    on_a_table(matches)
    outcome = follow_outcome(matches)

    assert (outcome.status, outcome.ranking, outcome.ended_at, table_result(outcome)) == ("running", None, None, None)
    assert [began.actor for began in outcome.began] == ["anna", "bea"]
    assert outcome.started_at == START
    assert outcome.rated
    assert not follow_outcome(matches, imported=True).rated


def test_before_the_start_nobody_has_begun(matches: Matches) -> None:
    matches.open(M, title="toy", seats=2, by="anna", at=START)

    assert (follow_outcome(matches).began, follow_outcome(matches).started_at) == ((), None)


def test_rulings_change_the_outcome(matches: Matches) -> None:
    play_out(matches, on_a_table(matches))
    apply_ruling(matches, M, build_ruling("set", ResultSet((4, 2), (1, 2))))
    apply_ruling(matches, M, build_ruling("less", PointsTaken(0, 3)))
    ruled = follow_outcome(matches)
    apply_ruling(matches, M, build_ruling("void", MatchVoided()))
    void = follow_outcome(matches)

    assert (ruled.scores, ruled.ranking, ruled.penalties, ruled.ruled) == ((1, 2), (2, 1), (3, 0), True)
    assert table_result(ruled) == TableResult((2, 1), (1, 2), ruled=True)
    assert table_result(void) == TableResult((), (), ruled=True, void=True)
    assert void.ended_at == ruled.ended_at


def test_a_replacing_line_belongs_to_the_table(matches: Matches) -> None:
    match = on_a_table(matches)
    for _ in range(4):
        match = act_once(matches, match)
    resume_match(matches, M, match.version - 2, R)
    going_on = follow_outcome(matches, R)
    play_out(matches, matches.get(R))
    over = follow_outcome(matches, R)

    assert (going_on.ended_at, going_on.forked, going_on.match_id) == (None, False, M)
    assert table_result(over) is not None


def test_a_fork_does_not_belong_to_the_table(matches: Matches) -> None:
    match = play_out(matches, on_a_table(matches))
    fork_match(matches, M, at_version=match.version - 1, new_id=R, luck="same", by="anna", at=START)

    assert follow_outcome(matches, R, root=R).forked
    assert table_result(follow_outcome(matches, R, root=R)) is None


@pytest.mark.parametrize(
    ("given_by", "upheld_by", "is_settled"),
    [("event", None, False), ("service", None, True), ("event", "service", True), ("event", "event", False)],
)
def test_a_result_is_settled_by_the_service_when_its_arbiter_sets_or_upholds_it(
    matches: Matches, given_by: Authority, upheld_by: Authority | None, *, is_settled: bool
) -> None:
    on_a_table(matches)
    apply_ruling(matches, M, build_ruling("set", ResultSet((4, 2), (1, 2)), authority=given_by))
    apply_ruling(matches, M, build_ruling("warned", SeatWarned(0), authority="service"))
    if upheld_by is not None:
        apply_ruling(matches, M, build_ruling("appeal", appeal_of="set", upheld=True, authority=upheld_by))

    assert follow_outcome(matches).settled_by_service is is_settled
