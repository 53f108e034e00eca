"""What no pairing can be better than, level by level: relaxations that forget all but one aim."""

from collections.abc import Sequence

import numpy as np
from ortools.graph.python.min_cost_flow import SimpleMinCostFlow  # type: ignore[import-untyped]  # no types there

from domain.pairing.costs import Costs
from domain.pairing.counting import groups_bound, scores_bound
from domain.pairing.levels import CLUBS, FAMILIES, HARD, LEVELS, REPEATS, SCORES, SHORT


def bounds(costs: Costs, sizes: Sequence[int], wished_count: int) -> tuple[int, ...]:
    """A lower bound of every level but the seats, in their order."""
    entrants = costs.people
    found = {
        HARD: -wished_count,
        REPEATS: repeats_bound(costs, sizes),
        FAMILIES: groups_bound([entrant.family for entrant in entrants], len(sizes)),
        CLUBS: groups_bound([entrant.club for entrant in entrants], len(sizes)),
        SHORT: int(np.sort(costs.shorts)[: sum(size for size in sizes if size < costs.size)].sum()),
        SCORES: scores_bound([entrant.score for entrant in entrants], sizes),
    }
    return tuple(found[level] for level in LEVELS)


def repeats_bound(costs: Costs, sizes: Sequence[int]) -> int:
    """Everybody meets at least as many as the smallest table seats, the least known ones at best."""
    others = min(sizes, default=1) - 1
    rows = np.sort(costs.pairs[REPEATS], axis=1)
    # The diagonal is a zero in every row: the person themselves.
    return -(-int(rows[:, : others + 1].sum()) // 2)


def seats_bound(costs: Costs, sizes: Sequence[int]) -> int:
    """Everybody on one seat, every seat as often as there are tables with it, whatever the tables' players."""
    flow = SimpleMinCostFlow()
    count = len(costs.people)
    seats = range(max(sizes, default=0))
    for person in range(count):
        for seat in seats:
            flow.add_arc_with_capacity_and_unit_cost(person, count + seat, 1, costs.sat(person, seat))
        flow.set_node_supply(person, 1)
    for seat in seats:
        flow.set_node_supply(count + seat, -sum(size > seat for size in sizes))
    status = flow.solve()
    assert status == flow.OPTIMAL
    return int(flow.optimal_cost())
