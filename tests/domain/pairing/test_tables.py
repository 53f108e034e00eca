"""Pairing at tables, level by level, verified by a judge that shares no code with the solver."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.kernel.values import replace
from domain.pairing.conflicts import Unsatisfiable
from domain.pairing.problem import Entrant, PairingRefused, Past, Problem, sizes_for
from domain.pairing.solve import pair
from tests.domain.pairing.fields import after_rounds, by_lot, faults
from tests.seeding import example_count


def people(count: int, **fields: object) -> tuple[Entrant, ...]:
    return tuple(Entrant(f"p{number}", rank=number, **fields) for number in range(1, count + 1))  # type: ignore[arg-type]


def value(problem: Problem, level: str) -> tuple[int, int]:
    return next((each.value, each.bound) for each in pair(problem).levels if each.name == level)


def test_the_first_round_is_by_lot_and_the_same_for_the_same_seed() -> None:
    problem = Problem(entrants=people(16), size=4, seed=5)

    first, again, other = pair(problem), pair(problem), pair(replace(problem, seed=6))

    assert first == again
    assert first != other
    assert faults(problem, first) == []
    assert all(level.is_proven and level.value == 0 for level in first.levels)


def test_round_five_of_64_has_no_repeats_and_optimal_scores() -> None:
    field = after_rounds(64, 4, 4, by_lot)
    problem = Problem(entrants=field, size=4, round=5, seed=5)

    pairing = pair(problem)
    levels = {level.name: level for level in pairing.levels}

    assert faults(problem, pairing) == []
    assert levels["repeats"].value == 0
    assert levels["scores"].value >= levels["scores"].bound > 0


def test_a_large_odd_field_with_equal_scores_has_no_repeats() -> None:
    """101 players at tables of 4 and 3 after one round: players with equal scores can be exchanged in many ways."""
    problem = Problem(entrants=after_rounds(101, 4, 1, by_lot), size=4, round=2, seed=5)

    pairing = pair(problem)

    assert faults(problem, pairing) == []
    assert next(level.value for level in pairing.levels if level.name == "repeats") == 0


def test_twelve_in_round_four_are_solved_exactly() -> None:
    """After three rounds 12 players at tables of 4 have met most others; the minimum of repeats is proven."""
    problem = Problem(entrants=after_rounds(12, 4, 3, by_lot), size=4, round=4, seed=5)

    pairing = pair(problem)

    assert faults(problem, pairing) == []
    assert all(level.is_proven for level in pairing.levels)


@settings(max_examples=example_count(10), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    count=st.integers(5, 14),
    size=st.integers(3, 5),
    rounds=st.integers(0, 3),
    seed=st.integers(1, 1000),
    clubs=st.sampled_from([0, 4]),
)
def test_every_round_of_an_event_with_withdrawals_is_valid(
    count: int, size: int, rounds: int, seed: int, clubs: int
) -> None:
    field = after_rounds(count, size, rounds, by_lot, seed=seed, clubs=clubs, coming_and_going=True)
    problem = Problem(entrants=field, size=size, round=rounds + 1, seed=seed)

    assert faults(problem, pair(problem)) == []


def test_families_and_clubs_sit_apart_if_possible() -> None:
    """With five of one club at four tables, exactly one pair must meet."""
    field = tuple(
        Entrant(f"p{n}", rank=n, club="a" if n < 6 else "", family="f" if n > 12 else "") for n in range(1, 17)
    )
    problem = Problem(entrants=field, size=4)

    assert value(problem, "families") == (0, 0)
    assert value(problem, "clubs") == (1, 1)


def test_forbidden_pairs_are_kept_apart_and_wished_ones_together() -> None:
    pairs = (("p1", "p2"), ("p2", "p3"), ("p1", "p3"))
    problem = Problem(entrants=people(12), size=4, forbidden=pairs, wished=(("p4", "p5"), ("p5", "p6")))

    assert faults(problem, pair(problem)) == []


def test_wishes_beyond_the_reach_of_swaps_are_fulfilled() -> None:
    """Thirty wishes fill fifteen tables of four, so the search starts from tables that fulfil them."""
    wished = tuple((f"p{n}", f"p{n + 1}") for n in range(1, 60, 2))
    forbidden = tuple((f"p{n}", f"p{n + 2}") for n in range(1, 58, 4))
    problem = Problem(entrants=people(60), size=4, wished=wished, forbidden=forbidden)

    assert faults(problem, pair(problem)) == []


def test_an_impossible_ring_reports_a_minimal_conflict() -> None:
    """Five players in a ring, each forbidden with the next, need more than two tables."""
    ring = tuple((f"p{n}", f"p{n % 5 + 1}") for n in range(1, 6))
    problem = Problem(entrants=people(8), size=4, forbidden=(*ring, ("p7", "p8")))

    with pytest.raises(Unsatisfiable) as refusal:
        pair(problem)

    assert {pair for _, pair in refusal.value.demands} == {tuple(sorted(pair)) for pair in ring}
    assert "p1 and p2 must not meet" in str(refusal.value)
    assert "p7" not in str(refusal.value)
    assert "2 tables" in str(refusal.value)


def test_a_wish_against_something_forbidden_names_both() -> None:
    problem = Problem(
        entrants=people(8), size=4, forbidden=(("p1", "p3"),), wished=(("p1", "p2"), ("p2", "p3"), ("p7", "p8"))
    )

    with pytest.raises(Unsatisfiable, match=r"p1 and p3 must not meet; p1 and p2 must sit together; p2 and p3"):
        pair(problem)


def test_a_locked_table_with_a_forbidden_pair_is_refused() -> None:
    problem = Problem(entrants=people(8), size=4, forbidden=(("p2", "p1"),), locked=(("p1", "p2", "p3", "p4"),))

    with pytest.raises(Unsatisfiable, match="at 1 table: p1 and p2 must not meet"):
        pair(problem)


def test_a_wish_is_refused_only_if_a_player_is_locked_elsewhere() -> None:
    locked = (("p1", "p2", "p3", "p4"),)
    apart = Problem(entrants=people(8), size=4, wished=(("p4", "p5"),), locked=locked)
    together = Problem(entrants=people(8), size=4, wished=(("p4", "p1"),), locked=locked)

    with pytest.raises(Unsatisfiable, match="p4 and p5 must sit together"):
        pair(apart)
    assert faults(together, pair(together)) == []


def test_locked_tables_and_byes_are_kept() -> None:
    field = after_rounds(12, 4, 2, by_lot)
    locked = (tuple(each.id for each in field[:4]),)
    problem = Problem(entrants=field, size=4, locked=locked, byes=(field[-1].id,), round=3)

    pairing = pair(problem)

    assert faults(problem, pairing) == []
    assert locked[0] in pairing.tables


def test_a_completely_locked_round_needs_no_solver() -> None:
    problem = Problem(entrants=people(4), size=4, locked=(("p1", "p2", "p3", "p4"),))

    assert pair(problem).tables == (("p1", "p2", "p3", "p4"),)


@pytest.mark.parametrize(
    ("count", "size", "smallest", "leftover", "sizes", "byes"),
    [
        (1, 4, 2, "short", (), 1),
        (5, 4, 2, "short", (3, 2), 0),
        (5, 4, 3, "short", (4,), 1),
        (5, 4, 2, "bye", (4,), 1),
        (6, 4, 3, "short", (3, 3), 0),
        (9, 4, 3, "short", (3, 3, 3), 0),
        (10, 4, 2, "short", (4, 3, 3), 0),
        (11, 4, 2, "bye", (4, 4), 3),
        (7, 5, 4, "short", (5,), 2),
    ],
)
def test_leftover_players_get_short_tables_or_byes(
    count: int, size: int, smallest: int, leftover: str, sizes: tuple[int, ...], byes: int
) -> None:
    assert sizes_for(count, size, smallest, leftover) == (sizes, byes)  # type: ignore[arg-type]

    problem = Problem(entrants=people(count), size=size, smallest=smallest, leftover=leftover)  # type: ignore[arg-type]
    pairing = pair(problem)
    assert faults(problem, pairing) == []
    assert sorted((len(table) for table in pairing.tables), reverse=True) == list(sizes)
    assert len(pairing.byes) == byes


def test_the_bye_goes_to_the_lowest_player_without_one() -> None:
    field = (*people(4), Entrant("p5", rank=5, past=(Past(is_bye=True),)))
    problem = Problem(entrants=field, size=4, smallest=3)

    assert pair(problem).byes == ("p4",)


def test_the_short_table_goes_to_players_without_one() -> None:
    had = (Past(("x", "y"), 0, 3),)
    field = (*people(4, past=had), *(Entrant(f"q{n}", rank=9) for n in range(3)))
    problem = Problem(entrants=field, size=4)

    pairing = pair(problem)

    assert {len(table): min(table)[0] for table in pairing.tables}[3] == "q"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"entrants": (*people(4), Entrant("p1"))}, "p1 appears twice"),
        ({"smallest": 5}, "the smallest table \\(5\\) cannot be larger than the table size \\(4\\)"),
        ({"forbidden": (("p1", "p1"),)}, "p1 cannot form a pair with themselves"),
        ({"wished": (("p1", "p9"),)}, "p9 is not in this round"),
        ({"locked": (("p1", "p9"),)}, "p9 is not in this round"),
        ({"locked": (("p1", "p2"),), "byes": ("p2",)}, "p2 is locked at two tables"),
        ({"locked": (("p1",),)}, "a table of 1 cannot be locked"),
    ],
)
def test_contradictory_input_is_refused(changes: dict[str, object], sentence: str) -> None:
    problem = replace(Problem(entrants=people(8), size=4), **changes)

    with pytest.raises(PairingRefused, match=sentence):
        pair(problem)
