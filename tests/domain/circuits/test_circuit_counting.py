"""Laws of the standings of a circuit: order never matters, more results never hurt, tie-breaks split as they say."""

from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.circuits.best_places import best_places
from domain.circuits.counting import (
    CircuitLine,
    ContestStandings,
    CountedResult,
    circuit_standings,
    mark_counted,
    total,
)
from domain.circuits.plan import CircuitPlan, PointsRow, Term
from domain.kernel.values import replace
from tests.domain.circuits.circuit_stories import ID, contest, formula, plan_with, ranks, standings_of

PEOPLE = "abcdef"
TITLES = ("la_granja", "el_grande", "")


@st.composite
def contests_drawn(draw: st.DrawFn, least: int = 1, most: int = 4) -> list[ContestStandings]:
    """Draw contests whose places are shared at random by some of six people."""
    found = []
    for number in range(draw(st.integers(least, most))):
        people = draw(st.lists(st.sampled_from(PEOPLE), unique=True))
        cuts = sorted(draw(st.sets(st.integers(1, 5))))
        groups = ["".join(people[start:end]) for start, end in zip([0, *cuts], [*cuts, len(people)], strict=True)]
        changes: dict[str, Any] = {
            "title": draw(st.sampled_from(TITLES)),
            "weight": draw(st.sampled_from((50, 100, 150))),
        }
        found.append(contest(number, *filter(None, groups), **changes))
    return found


@st.composite
def plans_drawn(draw: st.DrawFn) -> CircuitPlan:
    terms = formula(Term("constant", 1), Term("beaten", 3), Term("top", 5, 2))
    by_size = (PointsRow(1, (4, 2, 1)), PointsRow(4, (10, 6, 3, 1)))
    points: tuple[dict[str, Any], ...] = ({}, {"formula": terms}, {"table": by_size})
    return plan_with(
        **draw(st.sampled_from(points)),
        best=draw(st.integers(0, 3)),
        per_title=draw(st.integers(0, 2)),
        participants_min=draw(st.integers(0, 3)),
        results_min=draw(st.integers(0, 2)),
        tie_breaks=draw(st.sampled_from(((), ("countback", "wins"), ("dropped", "results", "lot")))),
    )


@given(plans_drawn(), contests_drawn(), st.randoms(use_true_random=False))
def test_the_order_of_people_and_contests_never_matters(
    plan: CircuitPlan, contests: list[ContestStandings], random: Any
) -> None:
    """Except for the tie-break by the last contest, and for which of two equal results is marked as counted."""
    shuffled = [
        replace(each, places=dict(random.sample([*each.places.items()], len(each.places)))) for each in contests
    ]
    random.shuffle(shuffled)
    rows = [(line.actor, line.rank, line.points) for line in standings_of(plan, *contests)]

    assert [(line.actor, line.rank, line.points) for line in standings_of(plan, *shuffled)] == rows


@given(plans_drawn(), contests_drawn(), st.data())
def test_another_or_a_better_result_never_costs_points(
    plan: CircuitPlan, contests: list[ContestStandings], data: st.DataObject
) -> None:
    points = data.draw(st.lists(st.integers(0, 500), min_size=len(contests), max_size=len(contests)))
    results = [CountedResult(index, 1, 1, each) for index, each in enumerate(points)]
    index = data.draw(st.integers(0, len(results) - 1))
    raised = [*results[:index], replace(results[index], points=points[index] + 60), *results[index + 1 :]]
    without = results[:index] + results[index + 1 :]
    counted = [total(mark_counted(plan, contests, each)) for each in (without, results, raised)]

    assert counted == sorted(counted)


@given(plans_drawn(), contests_drawn(most=5))
def test_the_counted_results_are_the_best_that_the_plan_allows(
    plan: CircuitPlan, contests: list[ContestStandings]
) -> None:
    """Compared with every choice of results."""
    for line in standings_of(plan, *contests):
        allowed = [
            sum(result.points for result in choice)
            for count in range(len(line.results) + 1)
            for choice in combinations(line.results, count)
            if is_allowed(plan, [contests[result.contest].title for result in choice])
        ]
        assert line.points == max(allowed)


def is_allowed(plan: CircuitPlan, titles: list[str]) -> bool:
    """Return whether results of these titles may all count."""
    is_few = not plan.best or len(titles) <= plan.best
    return is_few and all(not plan.per_title or not title or titles.count(title) <= plan.per_title for title in titles)


@given(plans_drawn(), contests_drawn())
def test_more_points_are_a_better_rank(plan: CircuitPlan, contests: list[ContestStandings]) -> None:
    lines = standings_of(plan, *contests)
    ranked = [line for line in lines if line.rank]

    assert [line.points for line in ranked] == sorted((line.points for line in ranked), reverse=True)
    assert all(line.rank == 1 + sum(other.rank < line.rank for other in ranked) for line in ranked)
    assert all((len(line.results) >= plan.results_min) == (line.rank > 0) for line in lines)
    assert lines == (*ranked, *(line for line in lines if not line.rank))


@given(plans_drawn(), contests_drawn(least=2, most=3), st.data())
def test_no_outcome_of_the_open_contests_gives_more_than_the_best_reachable_place(
    plan: CircuitPlan, contests: list[ContestStandings], data: st.DataObject
) -> None:
    """Compared with every order in which the people of a contest can end."""
    is_open = data.draw(st.booleans())
    *over, last = contests
    people = [*(PEOPLE[:4] if is_open else [*last.places][:4])]
    running = contest(9, *people, status="running", is_open=is_open, title=last.title, weight=last.weight)
    now = circuit_standings(ID, plan, (*over, running))
    bounds = best_places(plan, (*over, running), now)
    for size in range(len(people) + 1) if is_open else (len(people),):
        for order in permutations(people, size):
            ended = contest(9, *order, title=last.title, weight=last.weight)
            for line in circuit_standings(ID, plan, (*over, ended)):
                bound = bounds.get(line.actor)
                if bound is not None and line.rank:
                    assert 1 <= bound <= line.rank, (line, order)


def test_the_best_reachable_place_counts_only_safe_points_of_others() -> None:
    """Two contests are over. c and d play in the last one, e can no longer enter it."""
    over = [contest(1, "a", "b", "c", "d", "e"), contest(2, "a", "b", "d", "e", "c")]
    running = contest(3, "d", "c", status="running", size=5, size_max=5)
    lines = standings_of(plan_with(), *over, running)

    assert ranks(lines) == [("a", 1, 20), ("d", 2, 16), ("b", 3, 12), ("c", 4, 11), ("e", 5, 3)]
    # d and c can reach 16 and 15 points, which is fewer than the 20 of a.
    assert best_places(plan_with(), (*over, running), lines) == {"a": 1, "b": 2, "c": 2, "d": 2, "e": 5}
    upcoming = replace(running, status="upcoming", is_open=True, places={}, size=0)
    lines = standings_of(plan_with(), *over, upcoming)
    assert best_places(plan_with(), (*over, upcoming), lines) == {"a": 1, "b": 1, "d": 2, "c": 2, "e": 2}


def test_a_person_who_cannot_reach_enough_results_has_no_best_place() -> None:
    plan = plan_with(results_min=2)
    over = [contest(1, "a", "b"), contest(2, "a")]
    lines = standings_of(plan, *over)

    assert ranks(lines) == [("a", 1, 20), ("b", 0, 6)]
    assert best_places(plan, over, lines) == {"a": 1, "b": 0}


def test_a_contest_that_cannot_reach_enough_participants_gives_no_one_hope() -> None:
    plan = plan_with(participants_min=4)
    over = contest(1, "a", "b", "c", "d")
    small = contest(2, "b", "a", status="running")
    lines = standings_of(plan, over, small)

    assert ranks(lines) == [("a", 1, 10), ("b", 2, 6), ("c", 3, 4), ("d", 4, 2)]
    assert best_places(plan, (over, small), lines) == {"a": 1, "b": 2, "c": 3, "d": 4}


def test_results_are_marked_as_counted_and_final() -> None:
    plan = plan_with(best=1)
    line = standings_of(plan, contest(1, "a", "b"), contest(2, "b", "a", status="running"), contest(3, "ab"))[0]

    assert [(each.contest, each.place, each.points // 60, each.counts, each.is_final) for each in line.results] in (
        [(0, 1, 10, True, True), (1, 2, 6, False, False), (2, 1, 8, False, True)],
        [(0, 2, 6, False, True), (1, 1, 10, True, False), (2, 1, 8, False, True)],
    )
    assert not line.is_final
    assert line.wins == 1


@pytest.mark.parametrize(
    ("tie_breaks", "groups", "order"),
    [
        # 12 points each: a has 10 and 2, b has 6 and 6.
        (("countback",), (("a", "b", "c", "d"), ("c", "b", "d", "a")), "ab"),
        # a has won once, b never.
        (("wins",), (("c", "b", "d", "a"), ("a", "b", "c", "d")), "ab"),
        # 6 points each: a in three contests, b in one.
        (("results",), (("c", "b", "d", "a"), ("c", "d", "e", "a"), ("c", "d", "e", "a")), "ab"),
        # The last contest in which they differ.
        (("recent",), (("c", "a", "b"), ("c", "b", "a"), ("c", "ab")), "ba"),
    ],
)
def test_a_tie_break_splits_people_with_equal_points(
    tie_breaks: tuple[Any, ...], groups: tuple[tuple[str, ...], ...], order: str
) -> None:
    contests = [contest(number, *group) for number, group in enumerate(groups)]
    shared = standings_of(plan_with(tie_breaks=()), *contests)
    split = standings_of(plan_with(tie_breaks=tie_breaks), *contests)
    equal = {line.actor: line for line in shared if line.actor in "ab"}

    assert (equal["a"].points, equal["a"].rank) == (equal["b"].points, equal["b"].rank)
    assert [line.actor for line in split if line.actor in "ab"] == [*order]
    assert len({line.rank for line in split if line.actor in "ab"}) == 2


def test_the_best_result_that_does_not_count_splits_a_tie() -> None:
    contests = [contest(1, "ab"), contest(2, "c", "b", "a")]
    lines = standings_of(plan_with(best=1, tie_breaks=("dropped",)), *contests)

    assert ranks(lines) == [("c", 1, 10), ("b", 2, 8), ("a", 3, 8)]


def test_a_shared_rank_is_in_the_order_of_the_lot() -> None:
    people = "abcdefghij"
    shared = standings_of(plan_with(tie_breaks=()), contest(1, people))
    drawn = standings_of(plan_with(tie_breaks=("lot",)), contest(1, people))

    assert {line.rank for line in shared} == {1}
    assert [line.rank for line in drawn] == [*range(1, 11)]
    assert [line.actor for line in shared] == [line.actor for line in drawn]
    assert "".join(line.actor for line in drawn) not in (people, people[::-1])


def test_nobody_has_a_line_without_a_result() -> None:
    assert standings_of(plan_with(), contest(1), contest(2, "ab", status="upcoming")) == ()
    assert CircuitLine("a", 0, 0, ()).is_final
