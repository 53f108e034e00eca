"""What every pair at one table costs, level by level; all levels but the seats are sums over pairs and persons."""

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
"""More than twice what one swap of two persons can change at that level: 16 pairs change at most at tables of five.
The product stays below 2 to the 63rd."""


def weights() -> dict[str, int]:
    """What a unit of each level weighs, so that the weighted change of one swap orders as its levels do."""
    found, weight = {}, 1
    for level in reversed(LEVELS):
        found[level] = weight
        weight *= FACTORS[level]
    return found


WEIGHTS: Final = weights()


class Costs:
    """The costs of a problem's free persons: a matrix over pairs for each level, and their weighted sum."""

    def __init__(self, people: Sequence[Entrant], size: int, forbidden: Iterable[Pair], wished: Iterable[Pair]) -> None:
        self.people = tuple(people)
        self.size = size
        count = len(self.people)
        index = {entrant.id: number for number, entrant in enumerate(self.people)}
        self.pairs = {level: np.zeros((count, count), dtype=np.int64) for level in LEVELS if level != SHORT}
        for kind, pairs in ((1, forbidden), (-1, wished)):
            for first, second in pairs:
                # A wish fulfilled is worth as much as something forbidden costs.
                self._put(HARD, index[first], index[second], kind)
        for number, entrant in enumerate(self.people):
            for name, times in entrant.meetings.items():
                if index.get(name, -1) > number:
                    self._put(REPEATS, number, index[name], min(times, TIMES_MAX))
        self._same(FAMILIES, [entrant.family for entrant in self.people])
        self._same(CLUBS, [entrant.club for entrant in self.people])
        scores = np.array([entrant.score for entrant in self.people], dtype=np.int64)
        self.pairs[SCORES] = np.abs(scores[:, None] - scores[None, :])
        shorts = [min(entrant.short_count(size), TIMES_MAX) for entrant in self.people]
        self.shorts = np.array(shorts, dtype=np.int64)
        self.weighted: Matrix = np.zeros((count, count), dtype=np.int64)
        for level, matrix in self.pairs.items():
            self.weighted += WEIGHTS[level] * matrix

    def _put(self, level: str, first: int, second: int, cost: int) -> None:
        self.pairs[level][first, second] = self.pairs[level][second, first] = cost

    def _same(self, level: str, groups: Sequence[str]) -> None:
        """Two of one club, or of one family, cost one."""
        named = np.array(groups, dtype=np.str_)
        same = (named[:, None] == named[None, :]) & (named[:, None] != "")
        np.fill_diagonal(same, val=False)
        self.pairs[level] = same.astype(np.int64)

    def of(self, table: Sequence[int]) -> tuple[int, ...]:
        """What one table costs, level by level."""
        return tuple(self.level_of(level, table) for level in LEVELS)

    def level_of(self, level: str, table: Sequence[int]) -> int:
        if level == SHORT:
            return int(self.shorts[list(table)].sum()) if len(table) < self.size else 0
        matrix = self.pairs[level]
        return sum(int(matrix[first, second]) for first, second in combinations(table, 2))

    def total(self, matches: Tables) -> tuple[int, ...]:
        """What all tables cost, level by level: smaller is better, the first level before the second."""
        return tuple(sum(column) for column in zip(*(self.of(table) for table in matches), strict=True))

    def sat(self, person: int, seat: int) -> int:
        """How often the person sat there: what sitting there once more costs."""
        return self.people[person].sat(seat)
