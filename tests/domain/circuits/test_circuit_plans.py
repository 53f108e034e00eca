"""Plans of circuits that contradict themselves are refused with the value; points follow table and formula."""

from typing import Any

import pytest

from domain.circuits.plan import CircuitPlan, CircuitRefused, Formula, PointsRow, Term, check_circuit
from domain.circuits.points import most_points, points_at, shared_points
from tests.domain.circuits.circuit_stories import TABLE, formula, plan_with

EVERY_TERM = formula(
    Term("constant", 1), Term("beaten", 2), Term("share", 12), Term("size", 1), Term("inverse", 12), Term("top", 5, 2)
)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": " \u00ad"}, "enter a name for the circuit"),
        ({"name": "Tour\n"}, r"the name of the circuit contains a character that is not allowed: U\+000A"),
        ({"formula": Formula(())}, "a formula without terms gives no points"),
        ({"formula": EVERY_TERM, "table": TABLE}, "either a table of points or a formula, not both"),
        ({"table": ()}, "state the points by place, in a table or by a formula"),
        ({"table": (PointsRow(1, (0, 0)),)}, "state the points by place, in a table or by a formula"),
        ({"table": (PointsRow(8, (3, 2)), PointsRow(8, (4,)))}, "contests from 8 participants on are given twice"),
        ({"table": (PointsRow(4, (5, 3, 4)),)}, "from 4 participants on, place 3 earns 4 points, more than the place"),
        ({"best": 2, "results_min": 3}, "a rank needs 3 results, but only the best 2 count"),
        ({"tie_breaks": ("wins", "lot", "wins")}, "a tie-break is named twice"),
    ],
)
def test_a_plan_that_contradicts_itself_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(CircuitRefused, match=message):
        check_circuit(plan_with(**changes))


@pytest.mark.parametrize("changes", [{}, {"formula": EVERY_TERM}, {"best": 2, "results_min": 2}, {"results_min": 5}])
def test_a_good_plan_is_accepted(changes: dict[str, Any]) -> None:
    check_circuit(plan_with(**changes))


SIZES = CircuitPlan(name="By size", table=(PointsRow(16, (50, 30)), PointsRow(4, (10, 6, 4))))


@pytest.mark.parametrize(
    ("place", "size", "points"),
    [(1, 3, 0), (1, 4, 10), (3, 15, 4), (4, 15, 0), (1, 16, 50), (2, 99, 30), (3, 99, 0)],
)
def test_the_row_with_the_greatest_size_gives_the_points(place: int, size: int, points: int) -> None:
    assert points_at(SIZES, place, size) == points * 60


@pytest.mark.parametrize(
    ("place", "points"),
    # 1 + 2 for each beaten + a share of 12 + 5 participants + 12 / place + 5 for the best two
    [(1, 1 + 8 + 12 + 5 + 12 + 5), (2, 1 + 6 + 9 + 5 + 6 + 5), (3, 1 + 4 + 6 + 5 + 4), (5, 1 + 0 + 0 + 5 + 2.4)],
)
def test_a_formula_is_the_sum_of_its_terms(place: int, points: float) -> None:
    assert points_at(plan_with(formula=EVERY_TERM), place, 5) == round(points * 60)


def test_people_at_one_place_share_the_points_of_the_places_they_cover() -> None:
    assert shared_points(plan_with(), 1, 2, 5) == 8 * 60
    assert shared_points(plan_with(), 2, 3, 5) == 4 * 60
    assert shared_points(plan_with(), 1, 2, 5, weight=150) == 12 * 60


def test_the_only_participant_has_beaten_no_one() -> None:
    assert points_at(plan_with(formula=formula(Term("share", 5), Term("beaten", 5))), 1, 1) == 0


@pytest.mark.parametrize("size", range(40))
def test_no_smaller_contest_gives_more_than_the_most_points(size: int) -> None:
    for plan in (SIZES, plan_with(formula=EVERY_TERM)):
        found = [points_at(plan, place, each) for each in range(1, size + 1) for place in range(1, each + 1)]
        assert most_points(plan, size) == max(found, default=0)
        assert most_points(plan, size, weight=200) == 2 * most_points(plan, size)
