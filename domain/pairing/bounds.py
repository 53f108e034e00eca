"""Lower bounds of a pairing by level; each relaxation considers a single aim."""

from collections.abc import Sequence

import numpy as np
from ortools.graph.python.min_cost_flow import SimpleMinCostFlow  # type: ignore[import-untyped]  # no types there

from domain.pairing.costs import Costs
from domain.pairing.counting import groups_bound, scores_bound
from domain.pairing.levels import CLUBS, FAMILIES, HARD, LEVELS, REPEATS, SCORES, SHORT


def bounds(costs: Costs, sizes: Sequence[int], wished_count: int) -> tuple[int, ...]:
    """Return a lower bound of every level but the seats, in the order of `LEVELS`.

    The first is minus the number of wishes, as each granted wish costs -1.
    """
    entrants = costs.people
    by_level = {
        HARD: -wished_count,
        REPEATS: repeats_bound(costs, sizes),
        FAMILIES: groups_bound([entrant.family for entrant in entrants], len(sizes)),
        CLUBS: groups_bound([entrant.club for entrant in entrants], len(sizes)),
        SHORT: int(np.sort(costs.shorts)[: sum(size for size in sizes if size < costs.size)].sum()),
        SCORES: scores_bound([entrant.score for entrant in entrants], sizes),
    }
    return tuple(by_level[level] for level in LEVELS)


def repeats_bound(costs: Costs, sizes: Sequence[int]) -> int:
    """Return a bound on repeated meetings: each player meets at least the smallest table's others, least-met first."""
    others = min(sizes, default=1) - 1
    rows = np.sort(costs.pairs[REPEATS], axis=1)
    # The diagonal, the player themselves, is a zero in every row.
    return -(-int(rows[:, : others + 1].sum()) // 2)


def seats_bound(costs: Costs, sizes: Sequence[int]) -> int:
    """Return a bound on seats: each player gets a seat, whatever the tables, and each seat is used once per table."""
    flow = SimpleMinCostFlow()
    count = len(costs.people)
    seats = range(max(sizes, default=0))
    for person in range(count):
        for seat in seats:
            flow.add_arc_with_capacity_and_unit_cost(person, count + seat, 1, costs.seat_count(person, seat))
        flow.set_node_supply(person, 1)
    for seat in seats:
        flow.set_node_supply(count + seat, -sum(size > seat for size in sizes))
    status = flow.solve()
    assert status == flow.OPTIMAL
    return int(flow.optimal_cost())
