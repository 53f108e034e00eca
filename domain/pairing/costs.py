"""The costs of pairs at a table, by level; all levels but the seats are sums over pairs and players."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from domain.pairing.levels import CLUBS, FAMILIES, HARD, LEVELS, REPEATS, SCORES, SHORT
from domain.pairing.problem import TIMES_MAX, Entrant, Pair

Matrix = NDArray[np.int64]
Tables = list[list[int]]
"""Indices of entrants, table by table."""

FACTORS: Final = {HARD: 1 << 6, REPEATS: 1 << 9, FAMILIES: 1 << 6, CLUBS: 1 << 6, SHORT: 1 << 7, SCORES: 1 << 26}
"""Factors larger than twice the change of a level by a swap, which affects at most 16 pairs.

Their product stays below 2 to the 63rd.
"""


def weights() -> dict[str, int]:
    """Return the weight of a unit of each level, so that weighted changes compare like tuples of levels."""
    by_level, weight = {}, 1
    for level in reversed(LEVELS):
        by_level[level] = weight
        weight *= FACTORS[level]
    return by_level


WEIGHTS: Final = weights()


class Costs:
    """The costs of the players without a locked table: a matrix of pairs for each level, and the weighted sum."""

    def __init__(self, people: Sequence[Entrant], size: int, forbidden: Iterable[Pair], wished: Iterable[Pair]) -> None:
        self.people = tuple(people)
        self.size = size
        count = len(self.people)
        index = {entrant.id: number for number, entrant in enumerate(self.people)}
        self.pairs = {level: np.zeros((count, count), dtype=np.int64) for level in LEVELS if level != SHORT}
        for kind, pairs in ((1, forbidden), (-1, wished)):
            for first, second in pairs:
                # Fulfilling a wish gains as much as a forbidden pair costs.
                self._set_cost(HARD, index[first], index[second], kind)
        for number, entrant in enumerate(self.people):
            for name, times in entrant.meetings.items():
                if index.get(name, -1) > number:
                    self._set_cost(REPEATS, number, index[name], min(times, TIMES_MAX))
        self._add_group_costs(FAMILIES, [entrant.family for entrant in self.people])
        self._add_group_costs(CLUBS, [entrant.club for entrant in self.people])
        scores = np.array([entrant.score for entrant in self.people], dtype=np.int64)
        self.pairs[SCORES] = np.abs(scores[:, None] - scores[None, :])
        shorts = [min(entrant.short_count(size), TIMES_MAX) for entrant in self.people]
        self.shorts = np.array(shorts, dtype=np.int64)
        self.weighted: Matrix = np.zeros((count, count), dtype=np.int64)
        for level, matrix in self.pairs.items():
            self.weighted += WEIGHTS[level] * matrix

    def _set_cost(self, level: str, first: int, second: int, cost: int) -> None:
        self.pairs[level][first, second] = self.pairs[level][second, first] = cost

    def _add_group_costs(self, level: str, groups: Sequence[str]) -> None:
        """Let two players of the same club or family cost one; an empty name is no group."""
        names = np.array(groups, dtype=np.str_)
        same = (names[:, None] == names[None, :]) & (names[:, None] != "")
        np.fill_diagonal(same, val=False)
        self.pairs[level] = same.astype(np.int64)

    def of(self, table: Sequence[int]) -> tuple[int, ...]:
        """Return the costs of a table by level."""
        return tuple(self.level_of(level, table) for level in LEVELS)

    def level_of(self, level: str, table: Sequence[int]) -> int:
        """Return the cost of a table at a level: summed over its pairs, for short tables over its players."""
        if level == SHORT:
            return int(self.shorts[list(table)].sum()) if len(table) < self.size else 0
        matrix = self.pairs[level]
        return sum(int(matrix[first, second]) for first, second in combinations(table, 2))

    def total(self, matches: Tables) -> tuple[int, ...]:
        """Return the costs of all tables by level, compared as a tuple; smaller is better."""
        return tuple(sum(column) for column in zip(*(self.of(table) for table in matches), strict=True))

    def seat_count(self, person: int, seat: int) -> int:
        """Return how many times the player has had the seat, the cost of having it again."""
        return self.people[person].seat_count(seat)
