"""Grades of losses, and summaries by seat."""

import msgspec
import pytest

from domain.analyses.report import (
    GRADES,
    STANDARD,
    Analysis,
    Choice,
    Decision,
    Drawn,
    PhaseLosses,
    Piece,
    analysis_of,
    budget_of,
    costly_decisions,
    grade_of,
    interval_of,
    phase_of,
    pieces_of,
    summary_of,
    why_unfit,
)
from domain.kernel.messages import Message
from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.play.in_memory import play_to_end
from tests.domain.matches.match_helpers import BOTS, toy_table


def choice(action: str, chance: int, margin: int = 0, count: int = 40) -> Choice:
    return Choice(msgspec.Raw(f'"{action}"'.encode()), Message(action), margin, chance, count)


def decision(
    lost: int, *, error: int = 0, seat: int = 0, phase: str = "1/I/die", margin: int = 0, count: int = 40
) -> Decision:
    """Return a decision with this loss of winning chance, by this many roll-outs."""
    best = choice("best", 6_000, margin)
    played = best if lost == 0 else choice("played", 6_000 - lost, count=count)
    return Decision(7, seat, phase, 3, played, best, (), error, (5_000, 5_000), ())


@pytest.mark.parametrize(
    ("lost", "grade"),
    [(0, "best"), (50, "best"), (51, "good"), (200, "good"), (201, "inaccuracy"), (501, "mistake"), (1_001, "blunder")],
)
def test_a_loss_is_graded_by_documented_bounds(lost: int, grade: str) -> None:
    assert grade_of(lost) == grade
    assert decision(lost).grade == grade


def test_a_difference_within_twice_the_error_is_no_loss() -> None:
    assert decision(400, error=200, margin=300).loss == 0
    assert decision(400, error=200, margin=300).points_lost == 0
    assert decision(400, error=199, margin=300).loss == 400
    assert decision(400, error=199, margin=300).points_lost == 300


@pytest.mark.parametrize(("count", "loss"), [(1, 0), (2, 0), (4, 0), (8, 1_300), (30, 1_300)])
def test_few_roll_outs_allow_a_larger_difference_by_chance(count: int, loss: int) -> None:
    assert decision(1_300, error=500, count=count).loss == loss


def test_the_interval_follows_students_t() -> None:
    """Student's t for 95 %: 12.71, 4.30 and 2.26 standard errors of the mean of 2, 3 and 10; two of many."""
    assert [interval_of(100, count) for count in (2, 3, 10, 30, 31, 1_000)] == [1_271, 430, 226, 205, 200, 200]
    assert interval_of(100, 1) == interval_of(100, 2)
    assert interval_of(0, 2) == 0


def test_accuracy_falls_with_the_lost_chance_to_zero() -> None:
    assert [decision(lost).accuracy for lost in (0, 100, 1_000, 3_000)] == [100, 95, 50, 0]


def test_a_smaller_budget_redraws_luck_less_and_drops_the_playoff() -> None:
    assert budget_of(STANDARD.tries) == STANDARD
    assert [budget_of(tries).draws for tries in (100, 3_000, 60_000)] == [2, 8, 16]
    assert [budget_of(tries).finalists for tries in (100, 1_499, 1_500, 60_000)] == [0, 0, 3, 3]


def test_the_phase_is_the_middle_part() -> None:
    assert [phase_of(word) for word in ("3/II/die", "over")] == ["II", "over"]


def test_a_summary_counts_by_grade_and_phase_and_sums_the_draws() -> None:
    decisions = (
        decision(0),
        decision(300),
        decision(600, phase="2/II/x"),
        decision(2_000, phase="3/II/x", margin=250),
        decision(0, seat=1),
    )
    draws = (Drawn(3, (100, -100), (20, -20), 30), Drawn(9, (-40, 40), (-5, 5), 40))
    analysis = Analysis(1, "la_granja", "id", "head", 20, 2, STANDARD, decisions, draws)

    first, second = (summary_of(analysis, seat) for seat in (0, 1))

    assert dict(zip(GRADES, first.grades, strict=True)) == {
        "best": 1,
        "good": 0,
        "inaccuracy": 1,
        "mistake": 1,
        "blunder": 1,
    }
    assert (first.decisions, first.accuracy, first.loss, first.points_lost) == (4, 64, 2_900, 250)
    assert (first.luck, first.luck_points, first.luck_error) == (60, 15, 50)
    assert first.phases == (PhaseLosses("I", 2, 1, 0, 0, 300), PhaseLosses("II", 2, 0, 1, 1, 2_600))
    assert (second.decisions, second.accuracy, second.luck) == (1, 100, -60)


def test_costly_decisions_are_sorted_and_exclude_good_ones() -> None:
    decisions = tuple(decision(lost) for lost in (600, 0, 100, 300, 2_000))

    analysis = Analysis(1, "t", "id", "head", 2, 1, STANDARD, decisions, ())

    assert [each.loss for each in costly_decisions(analysis)] == [2_000, 600, 300]


def test_a_seat_without_choices_has_no_losses() -> None:
    assert summary_of(Analysis(1, "t", "id", "head", 2, 1, STANDARD, (), ()), 0).accuracy == 100


def test_ranges_of_entries_combine_to_one_analysis() -> None:
    play = toy_table()
    some, others = Piece((decision(0),), ()), Piece((decision(300, seat=1),), (Drawn(3, (100, -100), (20, -20), 30),))

    analysis = analysis_of(play.match, 9, (some, others))

    assert pieces_of(9) == ((1, 4), (5, 8), (9, 9))
    assert (analysis.title, analysis.head, analysis.entries) == ("toy", play.match.head, 9)
    assert (analysis.decisions, analysis.draws) == ((*some.decisions, *others.decisions), others.draws)


def play_table(seats: int) -> Match:
    table = toy_table(seats=seats)
    play_to_end(table, BOTS)
    return table.match


def test_running_and_solo_matches_are_not_analysed() -> None:
    assert why_unfit(play_table(2)) == ""
    assert "is running; only finished matches can be analysed" in why_unfit(toy_table().match)
    assert "has one seat; solo matches cannot be analysed" in why_unfit(
        replace(play_table(2), seats=play_table(2).seats[:1])
    )
