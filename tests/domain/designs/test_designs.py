"""Designs are as exact as they claim: the tests count every pair, player and seat independently."""

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from domain.designs import constructions as build
from domain.designs.exact import choices, exact_design, exact_meetings
from domain.designs.existence import meetings_unit, why_none, why_none_in_rounds
from domain.designs.fields import factors, galois_field, prime_power
from domain.designs.near import schedule, table_sizes, unevenness
from domain.designs.seating import balance_seats
from domain.designs.shapes import BadSize, Design, NoDesign, balance, faults
from domain.designs.starters import starter_rounds, starter_tables, starters


def count_meetings(rounds: build.Rounds) -> Counter[frozenset[int]]:
    return Counter(frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2))


def times_met(rounds: build.Rounds, players: int) -> set[int]:
    """Return the numbers of meetings of pairs; a single number for an exact design."""
    count = count_meetings(rounds)
    return {count[frozenset(pair)] for pair in combinations(range(players), 2)}


def count_seatings(design: Design) -> set[int]:
    """Return the numbers of times a player has a seat; a single number if seats are exact."""
    places = ((who, seat) for tables in design.rounds for table in tables for seat, who in enumerate(table))
    count = Counter(places)
    return {count[player, seat] for player in range(design.players) for seat in range(design.size)}


def nobody_twice(design: Design) -> bool:
    rounds = ([player for table in tables for player in table] for tables in design.rounds)
    return all(len(set(players)) == len(players) for players in rounds)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_every_available_schedule_is_exact(size: int) -> None:
    """Every available schedule of up to 36 players is built and counted."""
    offered = 0
    for players in range(size, 37):
        for choice in choices(players, size):
            design = exact_design(players, size, choice.meetings, full_rounds=choice.is_full)
            tables = sum(len(tables) for tables in design.rounds)
            assert times_met(design.rounds, players) == {choice.meetings}, choice
            assert nobody_twice(design), choice
            assert (len(design.rounds), tables) == (choice.rounds, choice.tables)
            assert all(len(table) == size for tables in design.rounds for table in tables)
            spread = count_seatings(design)
            assert max(spread) - min(spread) <= 1
            assert (len(spread) == 1) == choice.seats_even
            if choice.is_full:
                assert {len(tables) for tables in design.rounds} == {players // size}
            offered += 1
    assert offered >= {2: 35, 3: 33, 4: 24, 5: 17}[size]


@pytest.mark.parametrize(
    ("players", "size", "meetings", "rounds", "built"),
    [
        (6, 2, 1, 5, "circle"),
        (7, 2, 1, 7, "circle"),
        (9, 3, 1, 4, "affine space"),
        (15, 3, 1, 7, "Kirkman triple system"),
        (21, 3, 1, 10, "Kirkman triple system"),
        (27, 3, 1, 13, "affine space"),
        (33, 3, 1, 16, "base rounds of a cyclic group"),
        (39, 3, 1, 19, "Kirkman triple system"),
        (45, 3, 1, 22, "copies and a transversal design"),
        (16, 4, 1, 5, "affine space"),
        (64, 4, 1, 21, "affine space"),
        (13, 4, 3, 13, "cosets of a finite field"),
        (8, 4, 3, 7, "base rounds of a cyclic group"),
        (20, 4, 3, 19, "base rounds of a cyclic group"),
        (25, 5, 1, 6, "affine space"),
        (125, 5, 1, 31, "affine space"),
        (11, 5, 4, 11, "cosets of a finite field"),
        (6, 5, 4, 6, "all but one"),
        (5, 5, 1, 1, "one table"),
    ],
)
def test_known_designs_with_full_rounds(players: int, size: int, meetings: int, rounds: int, built: str) -> None:
    """Whist, Kirkman and the planes, each with the theoretical length."""
    design = exact_design(players, size, meetings, full_rounds=True)

    assert (len(design.rounds), design.built) == (rounds, built)
    assert times_met(design.rounds, players) == {meetings}
    assert faults(design) == ()


@pytest.mark.parametrize(("players", "size"), [(7, 3), (13, 4), (21, 5), (40, 4), (31, 3), (13, 3), (11, 5)])
def test_designs_without_full_rounds_have_the_fewest_tables(players: int, size: int) -> None:
    design = exact_design(players, size)
    (meetings,) = times_met(design.rounds, players)
    tables = sum(len(tables) for tables in design.rounds)

    assert tables == meetings * players * (players - 1) // (size * (size - 1))
    assert meetings == meetings_unit(players, size)


@pytest.mark.parametrize(("players", "size"), [(9, 3), (16, 4), (6, 2), (25, 5), (8, 4), (15, 3)])
def test_seats_are_exactly_even_on_request(players: int, size: int) -> None:
    """The design is repeated until seats are even."""
    design = exact_design(players, size, even_seats=True)
    counted = balance(design)

    assert counted.is_exact
    assert counted.is_seated_exactly
    assert len(count_seatings(design)) == 1
    assert counted.is_optimal


def test_a_missing_design_is_refused_with_reason_and_alternatives() -> None:
    with pytest.raises(NoDesign, match=r"10 players at tables of 4 .* only 2, 4, … times, not 1.*known: 2"):
        exact_design(10, 4, 1)
    with pytest.raises(NoDesign, match="cannot all meet exactly twice"):
        exact_design(15, 5, 2)
    with pytest.raises(NoDesign, match="2 would sit out every round"):
        exact_design(8, 3, 6, full_rounds=True)
    with pytest.raises(
        NoDesign, match="every player plays 4 tables, which cannot be divided evenly among 3 seats; 3 meetings"
    ):
        exact_design(9, 3, 1, even_seats=True)
    with pytest.raises(NoDesign, match="must meet at least once, not 0 times"):
        exact_design(9, 3, 0)
    with pytest.raises(NoDesign, match="no schedule is known"):
        exact_design(198, 4)
    with pytest.raises(NoDesign, match="no schedule is known"):
        exact_design(198, 4, full_rounds=True)


def test_reasons_against_full_rounds() -> None:
    assert "in two tables of 3" in why_none_in_rounds(6, 3, 2)
    assert why_none_in_rounds(8, 4, 3) == ""
    assert why_none_in_rounds(9, 3, 1) == ""
    assert why_none(13, 4, 1) == ""
    assert why_none_in_rounds(10, 4, 1) == why_none(10, 4, 1)


@pytest.mark.parametrize(("players", "size"), [(4, 1), (9, 6), (3, 4), (201, 4)])
def test_impossible_sizes_are_refused(players: int, size: int) -> None:
    with pytest.raises(BadSize, match=str(size)):
        exact_design(players, size)
    with pytest.raises(BadSize):
        choices(players, size)
    with pytest.raises(BadSize):
        schedule(players, size, 3)


def test_available_numbers_of_meetings_are_listed() -> None:
    assert exact_meetings(9, 3) == (1,)
    assert exact_meetings(13, 4) == (1, 3)
    assert choices(13, 4)[0].meetings == 1
    assert len(exact_design(9, 3, 4).rounds) == 16


@pytest.mark.parametrize("row", range(len(starters())))
def test_every_starter_develops_into_an_exact_design(row: int) -> None:
    starter = starters()[row]
    if starter.kind == "rounds":
        rounds = starter_rounds(starter)
        assert all(len(tables) == starter.players // starter.size for tables in rounds)
        assert nobody_twice(Design(starter.players, starter.size, rounds, ""))
    else:
        rounds = (starter_tables(starter),)

    assert times_met(rounds, starter.players) == {starter.meetings}


@pytest.mark.parametrize("order", [2, 3, 4, 5, 7, 8, 9, 16, 25, 27])
def test_fields_are_fields(order: int) -> None:
    """Non-zero elements have inverses, addition forms a group, and multiplication distributes over it."""
    field = galois_field(order)
    assert field is not None
    elements = range(order)
    sample = list(elements)[:8]

    assert all({field.multiply(a, b) for b in elements} == set(elements) for a in elements if a)
    assert all({field.add(a, b) for b in elements} == set(elements) for a in elements)
    for a, b, c in ((a, b, c) for a in sample for b in sample for c in sample):
        assert field.multiply(a, field.add(b, c)) == field.add(field.multiply(a, b), field.multiply(a, c))


def test_only_prime_powers_have_a_field() -> None:
    assert [galois_field(order) for order in (0, 1, 6, 12, 2048)] == [None] * 5
    assert prime_power(49) == (7, 2)
    assert factors(1) == ()
    assert factors(60) == (4, 3, 5)


@pytest.mark.parametrize(("size", "group"), [(3, 3), (4, 5), (3, 15), (5, 7), (4, 16)])
def test_in_a_transversal_design_only_groups_meet_each_once(size: int, group: int) -> None:
    rounds = build.transversal(size, group)
    assert rounds is not None
    count = count_meetings(rounds)

    for pair in combinations(range(size * group), 2):
        assert count[frozenset(pair)] == (0 if pair[0] // group == pair[1] // group else 1)
    assert all(sorted(player for table in tables for player in table) == list(range(size * group)) for tables in rounds)


def test_constructions_return_none_if_they_do_not_apply() -> None:
    assert build.affine(12, 3) is None
    assert build.affine(36, 6) is None
    assert build.affine(5, 5) is None
    assert build.projective(14, 4) is None
    assert build.projective(43, 7) is None
    assert build.cosets(12, 3) is None
    assert build.cosets(11, 3) is None
    assert build.half_cosets(13, 4) is None
    assert build.half_cosets(11, 3) is None
    assert build.kirkman_triple(33) is None
    assert build.kirkman_triple(14) is None
    assert build.kirkman_double(14) is None
    assert build.kirkman_double(11) is None
    assert build.transversal(4, 6) is None
    assert build.transversal(4, 1) is None
    assert build.times_size(build.circle(6), 6, 3) is None


@pytest.mark.parametrize(
    ("players", "size", "rounds"),
    [(64, 4, 6), (64, 4, 21), (32, 4, 8), (100, 5, 9), (20, 4, 5), (9, 3, 3), (30, 3, 10)],
)
def test_pairs_meet_at_most_once_if_possible(players: int, size: int, rounds: int) -> None:
    """Social golfers: rounds of a resolvable or a transversal design."""
    design = schedule(players, size, rounds)

    assert max(count_meetings(design.rounds).values()) == 1
    assert nobody_twice(design)
    assert all(len(tables) == players // size for tables in design.rounds)


def test_a_near_schedule_reports_its_unevenness() -> None:
    """With eight players at tables of three, seven rounds are not exact, but table counts differ by at most one."""
    design = schedule(8, 3, 7)
    counted = balance(design)

    assert not counted.is_exact
    assert (counted.meetings_min, counted.meetings_max) == (1, 2)
    assert sum(pairs for _, pairs in counted.pairs_by_meetings) == 28
    assert (counted.played_min, counted.played_max) == (5, 6)
    assert counted.is_optimal
    assert design == schedule(8, 3, 7)


def test_short_tables_instead_of_sitting_out() -> None:
    design = schedule(10, 4, 6, short_tables=True)

    assert [len(table) for table in design.rounds[0]] == [4, 3, 3]
    assert all(sum(map(len, tables)) == 10 for tables in design.rounds)
    assert balance(design).played_min == 6
    assert table_sizes(12, 4, True) == (4, 4, 4)
    assert table_sizes(6, 5, True) == (3, 3)
    assert table_sizes(11, 4, False) == (4, 4)
    with pytest.raises(BadSize, match="cannot all sit"):
        table_sizes(3, 2, True)


def test_more_search_steps_give_a_more_even_schedule() -> None:
    lazy, eager = schedule(14, 4, 6, tries=0), schedule(14, 4, 6)

    assert unevenness(14, eager.rounds) < unevenness(14, lazy.rounds)
    assert faults(lazy) == ()
    assert schedule(12, 4, 5, tries=0).built == "base rounds of a cyclic group"


@pytest.mark.parametrize("wrong", [{"rounds": 0}, {"rounds": 201}, {"rounds": 3, "tries": -1}])
def test_schedules_out_of_bounds_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadSize):
        schedule(8, 4, **wrong)


def test_faults_of_a_schedule_are_named() -> None:
    wrong = Design(4, 2, (((0, 1), (1, 7)), ((2,),), ((0, 1, 2),)), "by hand")

    assert faults(wrong) == (
        "round 1: no player 7",
        "round 1: player 1 appears twice",
        "round 2: a table of 1",
        "round 3: a table of 3",
    )


def test_seats_are_balanced_for_arbitrary_tables() -> None:
    """Irregular tables: a player's counts of seats differ by at most one."""
    tables = [tuple((start + step * number) % 11 for step in range(4)) for number in (1, 2, 3) for start in range(11)]
    design = Design(11, 4, balance_seats(tuple((table,) for table in tables), 4), "by hand")

    assert max(count_seatings(design)) - min(count_seatings(design)) == 0
    assert [set(table) for (table,) in design.rounds] == [set(table) for table in tables]
