"""The other pairing methods, and explanations of tables."""

import pytest

from domain.kernel.messages import say
from domain.kernel.values import replace
from domain.pairing.conflicts import Unsatisfiable
from domain.pairing.dutch import dutch
from domain.pairing.explain import explain
from domain.pairing.methods import PAIRING_METHODS, pair_round
from domain.pairing.problem import Entrant, Pairing, PairingRefused, Past, Problem
from domain.pairing.schedules import by_bracket, by_design
from tests.domain.pairing.fields import after_rounds, by_lot, faults


def people(count: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(f"p{number}", rank=number) for number in range(1, count + 1))


def reasons(problem: Problem, *tables: tuple[str, ...]) -> list[list[str]]:
    return [[say(message) for message in messages] for messages in explain(problem, Pairing(tables))]


def test_the_dutch_system_pairs_the_upper_half_with_the_lower() -> None:
    problem = Problem(entrants=people(6), size=2, rounds=3)

    pairing = dutch(problem)

    assert faults(problem, pairing) == []
    assert {frozenset(table) for table in pairing.tables} == {
        frozenset(("p1", "p4")),
        frozenset(("p2", "p5")),
        frozenset(("p3", "p6")),
    }
    assert pairing.engine == "dutch"


def test_a_first_round_with_forbidden_pairs_is_not_left_to_the_dutch_system() -> None:
    """The system ignores forbidden pairs in the first round."""
    problem = Problem(entrants=people(7), size=2, rounds=3, forbidden=(("p1", "p4"),))

    pairing = dutch(problem)

    assert faults(problem, pairing) == []
    assert len(pairing.byes) == 1
    assert pairing.engine == "tables"


def test_locked_tables_byes_and_wishes_are_set_aside_from_the_dutch_system() -> None:
    problem = Problem(
        entrants=people(9), size=2, rounds=3, locked=(("p9", "p1"),), byes=("p2",), wished=(("p3", "p8"),)
    )

    pairing = dutch(problem)

    assert faults(problem, pairing) == []


def test_a_wish_for_a_locked_player_is_refused() -> None:
    problem = Problem(entrants=people(4), size=2, locked=(("p1", "p2"),), wished=(("p2", "p3"),))

    with pytest.raises(Unsatisfiable):
        dutch(problem)


def test_two_wishes_for_a_player_are_refused_at_tables_of_two() -> None:
    problem = Problem(entrants=people(4), size=2, wished=(("p1", "p2"), ("p2", "p3")))

    with pytest.raises(Unsatisfiable, match="p1 and p2 must sit together; p2 and p3 must sit together"):
        dutch(problem)


def test_the_solver_pairs_if_the_dutch_system_cannot() -> None:
    """Both have met, and the system allows no second meeting."""
    met = tuple(
        Entrant(name, rank=at, past=(Past((other,), seat, 2),))
        for at, (name, other, seat) in enumerate((("p1", "p2", 0), ("p2", "p1", 1)), start=1)
    )
    problem = Problem(entrants=met, size=2, round=2, rounds=3)

    pairing = dutch(problem)

    assert pairing.engine == "tables"
    assert faults(problem, pairing) == []
    assert pairing.tables == (("p2", "p1"),)


def test_a_round_of_a_schedule_names_the_schedule() -> None:
    problem = Problem(entrants=people(9), size=3, round=1, rounds=4)

    pairing, why = pair_round(problem, "design")

    assert len(pairing.tables) == len(why) == 3
    assert "all players meet equally often" in say(why[0][0])


def test_absences_and_byes_leave_the_schedule_unchanged() -> None:
    problem = Problem(entrants=people(9), size=3, round=1, rounds=4)
    table = by_design(problem).tables[0]

    gone = by_design(replace(problem, absent=table[:1]))
    two_gone = by_design(replace(problem, absent=table[:2]))
    rests = by_design(replace(problem, byes=table[:1]))

    assert gone.tables[0] == table[1:]
    assert two_gone.byes == table[2:]
    assert rests.byes == table[:1]


def test_too_many_for_any_schedule_are_refused() -> None:
    with pytest.raises(PairingRefused):
        by_design(Problem(entrants=people(201), size=2, rounds=3))


def test_a_bracket_spreads_the_best_and_gives_them_byes() -> None:
    problem = Problem(entrants=people(9), size=4, smallest=4)

    pairing = by_bracket(problem)

    assert pairing.byes == ("p1",)
    assert [sorted(table) for table in pairing.tables] == [["p2", "p5", "p6", "p9"], ["p3", "p4", "p7", "p8"]]


def test_in_a_bracket_players_with_equal_losses_meet() -> None:
    field = tuple(replace(each, lost=int(each.rank > 4)) for each in people(8))
    locked = Problem(entrants=field, size=2, locked=(("p1", "p8"),), byes=("p2", "p7"))

    pairing = by_bracket(locked)

    assert {frozenset(table) for table in pairing.tables} == {
        frozenset(("p1", "p8")),
        frozenset(("p3", "p4")),
        frozenset(("p5", "p6")),
    }


def test_short_tables_of_a_bracket_are_filled_in_turn() -> None:
    tables = by_bracket(Problem(entrants=people(7), size=3)).tables

    assert sorted(map(len, tables)) == [2, 2, 3]
    assert sorted(map(len, by_bracket(Problem(entrants=people(10), size=4)).tables)) == [3, 3, 4]


@pytest.mark.parametrize("way", sorted(PAIRING_METHODS))
def test_every_method_seats_every_player_once(way: str) -> None:
    size = 2 if way == "dutch" else 3
    problem = Problem(entrants=people(8), size=size, rounds=2, seed=1)
    pairing, why = pair_round(problem, way)

    assert sorted([*(name for table in pairing.tables for name in table), *pairing.byes]) == sorted(
        each.id for each in problem.entrants
    )
    assert all(messages for messages in why)


def test_the_first_round_is_explained_by_the_lot() -> None:
    problem = Problem(entrants=people(4), size=4)

    assert reasons(problem, ("p1", "p2", "p3", "p4")) == [
        ["All players here have the same score: 0.", "First round: seats are drawn by lot."]
    ]


def test_scores_meetings_wishes_and_locks_are_explained() -> None:
    met = (Past(("p2",), 0, 4),)
    field = (
        Entrant("p1", 120, 1, past=met),
        Entrant("p2", 60, 2, past=(Past(("p1",), 0, 4),)),
        Entrant("p3", 60, 3),
        Entrant("p4", 0, 4),
    )
    problem = Problem(entrants=field, size=4, wished=(("p3", "p4"), ("p3", "p9")), locked=(("p1", "p2", "p3", "p4"),))

    assert reasons(problem, ("p1", "p2", "p3", "p4")) == [
        [
            "The organiser has set this table.",
            "Their scores range from 0 to 2.",
            "p1 and p2 have met before. Keeping them apart would break an aim that matters at least as much.",
            "p3 and p4 must sit together.",
        ]
    ]


def test_a_short_table_is_explained() -> None:
    past = (Past(("x",), 0, 2),)
    fresh = Problem(entrants=people(3), size=4)
    used = Problem(entrants=(*people(2), Entrant("p3", past=past)), size=4)

    assert "none of these players has had one yet" in reasons(fresh, ("p1", "p2", "p3"))[0][2]
    assert "Players who have not had one yet already sit at one" in reasons(used, ("p1", "p2", "p3"))[0][2]


def test_a_rejected_swap_is_explained_by_its_cost() -> None:
    """p3 and p4, with equal scores, could sit together; but then p1 and p2, who have met, would too."""
    past = {"p1": (Past(("p2",), 0, 2),), "p2": (Past(("p1",), 1, 2),)}
    field = tuple(
        Entrant(name, score, rank, past=past.get(name, (Past(("x",), 0, 2),)))
        for rank, (name, score) in enumerate((("p1", 240), ("p2", 240), ("p3", 120), ("p4", 120)), start=1)
    )
    problem = Problem(entrants=field, size=2, round=2)

    sentences = reasons(problem, ("p1", "p3"), ("p2", "p4"))

    assert sentences[0][-1] == (
        "Swapping p1 with p4 (table 2) would bring the scores closer, at the cost of a repeated meeting."
    )


def test_a_table_set_by_hand_has_no_reason_against_a_swap() -> None:
    """A swap would improve the table, so no reason against it exists."""
    field = tuple(
        Entrant(name, score, rank, past=(Past(("x",), 0, 2),))
        for rank, (name, score) in enumerate((("p1", 240), ("p2", 240), ("p3", 0), ("p4", 0)), start=1)
    )
    problem = Problem(entrants=field, size=2, round=2)

    assert not any(
        "would bring the scores closer" in sentence for sentence in reasons(problem, ("p1", "p3"), ("p2", "p4"))[0]
    )


def test_a_neutral_swap_is_no_reason() -> None:
    """The gain of one table equals the loss of the other."""
    scores = (("p1", 120), ("p2", 60), ("p3", 60), ("p4", 0))
    field = tuple(
        Entrant(name, score, rank, past=(Past(("x",), 9, 2),)) for rank, (name, score) in enumerate(scores, start=1)
    )
    problem = Problem(entrants=field, size=2, round=2)

    for sentences in reasons(problem, ("p1", "p3"), ("p2", "p4")):
        assert not any("would bring the scores closer" in sentence for sentence in sentences)


def test_a_large_field_is_swept_in_windows() -> None:
    """Few players have not met, so swaps alone miss the bound and neighbouring tables are solved exactly."""
    field = after_rounds(36, 4, 6, by_lot, seed=4, clubs=9)
    problem = Problem(entrants=field, size=4, round=7, seed=3)

    pairing, _ = pair_round(problem, "tables")

    assert faults(problem, pairing) == []


def test_a_large_round_with_many_repeats_is_swept() -> None:
    """After eight rounds of 26 every player has few opponents left: repeats weigh more than scores."""
    field = after_rounds(26, 4, 8, by_lot, seed=4)
    problem = Problem(entrants=field, size=4, round=9, seed=3)

    pairing, _ = pair_round(problem, "tables")

    assert faults(problem, pairing) == []
