"""The bound of scores in large rounds, and the choice among likely tables, compared with exact solutions."""

from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.pairing.costs import Costs, Tables
from domain.pairing.counting import scores_bound
from domain.pairing.exact import solve_exactly
from domain.pairing.improvement import improve_scores, total
from domain.pairing.levels import LEVELS, SCORES
from domain.pairing.pricing import PricedTables
from domain.pairing.problem import Entrant, sizes_for
from domain.pairing.relaxation import Relaxation
from domain.pairing.search import construct, improve, random_numbers, sizes_in_order
from tests.domain.pairing.fields import after_rounds, by_lot
from tests.seeding import example_count


def lowest(costs: Costs) -> int:
    """Return a bound below every level, so that nothing counts as solved."""
    return -len(costs.people)


def solved_exactly(field: tuple[Entrant, ...], size: int) -> tuple[Costs, Tables]:
    sizes, byes = sizes_for(len(field), size, 2, "short")
    costs = Costs(field[: len(field) - byes], size, (), ())
    start = construct(costs, sizes, random_numbers(1))
    tables, _ = solve_exactly(costs, start, dict.fromkeys(LEVELS, lowest(costs)), 1, LEVELS)
    return costs, tables


@settings(max_examples=example_count(8), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    count=st.integers(6, 13),
    size=st.integers(2, 5),
    rounds=st.integers(1, 4),
    seed=st.integers(1, 1000),
    clubs=st.sampled_from([0, 3]),
)
def test_the_bound_lies_between_counting_and_an_exact_solution(
    count: int, size: int, rounds: int, seed: int, clubs: int
) -> None:
    field = after_rounds(count, size, rounds, by_lot, seed=seed, clubs=clubs)
    costs, tables = solved_exactly(field, size)

    bound = Relaxation(costs, tables).lower_bound

    counted = scores_bound([each.score for each in costs.people], [len(table) for table in tables])
    assert counted <= bound <= total(costs, tables)


@pytest.mark.parametrize(("count", "size", "rounds", "clubs"), [(30, 4, 6, 0), (31, 5, 4, 5)])
def test_score_differences_shrink_at_no_cost_to_earlier_levels(count: int, size: int, rounds: int, clubs: int) -> None:
    field = after_rounds(count, size, rounds, by_lot, seed=7, clubs=clubs)
    costs = Costs(field, size, (), ())
    sizes, _ = sizes_for(count, size, 2, "short")
    start = construct(costs, sizes, random_numbers(1))
    improved = improve(costs, start, (0,) * len(LEVELS), random_numbers(1))
    before = costs.total(improved)

    tables, bound = improve_scores(costs, improved, 0, 1)

    after = costs.total(tables)
    assert after[:-1] <= before[:-1]
    assert bound <= after[-1]
    assert after <= before
    assert sorted(person for table in tables for person in table) == list(range(count))
    assert sorted(map(len, tables)) == sorted(sizes)


def test_a_gap_of_the_relaxation_is_closed_by_choice() -> None:
    """The choice among all likely tables proves a round optimal although the relaxation alone leaves a gap."""
    field = after_rounds(40, 4, 7, by_lot, seed=3)
    costs = Costs(field, 4, (), ())
    tables = improve(costs, construct(costs, (4,) * 10, random_numbers(1)), (0,) * len(LEVELS), random_numbers(1))

    settled, bound = improve_scores(costs, tables, 0, 1)

    assert Relaxation(costs, settled).lower_bound <= bound <= total(costs, settled) <= total(costs, tables)
    assert bound == total(costs, settled)


def test_score_differences_are_a_sum_by_position() -> None:
    """Pricing depends on this identity; compare it with the definition."""
    field = after_rounds(20, 5, 3, by_lot, seed=2)
    costs = Costs(field, 5, (), ())
    relaxation = Relaxation(costs, [list(range(at, at + 5)) for at in range(0, 20, 5)])

    for places in combinations(range(0, 20, 2), 5):
        persons = relaxation.field.persons(places)
        assert relaxation.field.cost(places) * relaxation.field.unit == costs.level_of(SCORES, persons)


def test_an_incomplete_pricing_still_has_a_valid_bound() -> None:
    field = after_rounds(24, 4, 3, by_lot, seed=2)
    costs = Costs(field, 4, (), ())
    relaxation = Relaxation(
        costs, improve(costs, construct(costs, (4,) * 6, random_numbers(1)), (0,) * len(LEVELS), random_numbers(1))
    )
    prices = relaxation.prices * 2

    whole = PricedTables(relaxation.field, prices, 4, 1e9, 100_000)
    narrow = PricedTables(relaxation.field, prices, 4, 1e9, 100_000, entries_max=24)

    assert whole.is_complete
    assert not narrow.is_complete
    assert (narrow.least <= whole.least + 1e-9).all()
    assert len(narrow.tables) < len(whole.tables)


def test_short_tables_go_where_they_split_least() -> None:
    """Ten players, two tables of three and one of four: six with 720 fill the short ones, four with 0 the other."""
    assert sizes_in_order([720] * 6 + [0] * 4, (4, 3, 3)) == [3, 3, 4]
    assert sizes_in_order([720] * 4 + [0] * 6, (4, 3, 3)) == [4, 3, 3]
    assert sizes_in_order([720] * 3 + [480] * 4 + [0] * 3, (4, 3, 3)) == [3, 4, 3]
    assert sizes_in_order([], ()) == []
