"""Who sits where at a table: everybody on the seats they had least."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice, permutations
from typing import Final

import numpy as np

from domain.pairing.costs import Costs, Tables
from domain.pairing.search import Swaps

LOOKS_MAX: Final = 5_000
"""The number of successive swaps considered for the seats alone."""

Order = tuple[int, tuple[int, ...]]
"""What a table's seats cost at the least, and the persons in the order of the seats."""


def seating(costs: Costs) -> Callable[[tuple[int, ...]], Order]:
    """The best order of a table's persons, remembered; equal ones in the order of the numbers given."""

    @cache
    def best(table: tuple[int, ...]) -> Order:
        return min(
            (sum(costs.sat(person, seat) for seat, person in enumerate(order)), order) for order in permutations(table)
        )

    return best


def order_seats(costs: Costs, matches: Tables, bound: int, lot: Iterator[int]) -> tuple[Tables, int]:
    """The tables with their seats in order, and what the seats cost. Persons whose swap changes nothing above this
    level are swapped while that helps somebody to a better seat."""
    best, swaps = seating(costs), Swaps(costs, matches)

    def cost(table: Sequence[int]) -> int:
        return best(tuple(sorted(table)))[0]

    def gain(first: int, second: int) -> int:
        """How much the seats gain when the two change places."""
        here, there = (swaps.tables[swaps.table_of[person]] for person in (first, second))
        new_here = [second if person == first else person for person in here]
        new_there = [first if person == second else person for person in there]
        return cost(here) + cost(there) - cost(new_here) - cost(new_there)

    def gaining() -> tuple[int, int] | None:
        """The first two found, from a place by lot, who gain something and cost nothing above this level."""
        firsts, seconds = np.nonzero(np.triu(swaps.changes() == 0, 1))
        start = next(lot) % max(1, len(firsts))
        pairs = zip(np.roll(firsts, -start).tolist(), np.roll(seconds, -start).tolist(), strict=True)
        return next((pair for pair in islice(pairs, LOOKS_MAX) if gain(*pair) > 0), None)

    total = sum(map(cost, swaps.tables))
    while total > bound and (found := gaining()) is not None:
        total -= gain(*found)
        swaps.swap(*found)
    return [list(best(tuple(sorted(table)))[1]) for table in swaps.tables], total
