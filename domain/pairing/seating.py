"""The assignment of seats at tables: players get the seats they have had least."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice, permutations
from typing import Final

import numpy as np

from domain.pairing.costs import Costs, Tables
from domain.pairing.search import Swaps

SWAPS_CONSIDERED_MAX: Final = 5_000
"""The number of consecutive swaps considered for seats alone."""

Order = tuple[int, tuple[int, ...]]
"""The minimum cost of a table's seats, and the players in seat order."""


def seating(costs: Costs) -> Callable[[tuple[int, ...]], Order]:
    """Return a cached function from a table's players to (seat cost, best order); ties go to the lowest numbers."""

    @cache
    def best(table: tuple[int, ...]) -> Order:
        return min(
            (sum(costs.seat_count(person, seat) for seat, person in enumerate(order)), order)
            for order in permutations(table)
        )

    return best


def order_seats(costs: Costs, matches: Tables, bound: int, lot: Iterator[int]) -> tuple[Tables, int]:
    """Return the tables in seat order and the cost of seats.

    Players whose swap changes nothing at earlier levels are swapped while that improves seats, until `bound`.
    """
    best, swaps = seating(costs), Swaps(costs, matches)

    def cost(table: Sequence[int]) -> int:
        return best(tuple(sorted(table)))[0]

    def gain(first: int, second: int) -> int:
        """Return the gain in seat cost by a swap."""
        first_table, second_table = (swaps.tables[swaps.table_of[person]] for person in (first, second))
        new_first = [second if person == first else person for person in first_table]
        new_second = [first if person == second else person for person in second_table]
        return cost(first_table) + cost(second_table) - cost(new_first) - cost(new_second)

    def gaining() -> tuple[int, int] | None:
        """Return the first pair, from a random start, whose swap improves seats and costs nothing at earlier levels."""
        firsts, seconds = np.nonzero(np.triu(swaps.changes() == 0, 1))
        start = next(lot) % max(1, len(firsts))
        pairs = zip(np.roll(firsts, -start).tolist(), np.roll(seconds, -start).tolist(), strict=True)
        return next((pair for pair in islice(pairs, SWAPS_CONSIDERED_MAX) if gain(*pair) > 0), None)

    total = sum(map(cost, swaps.tables))
    while total > bound and (improving := gaining()) is not None:
        total -= gain(*improving)
        swaps.swap(*improving)
    return [list(best(tuple(sorted(table)))[1]) for table in swaps.tables], total
