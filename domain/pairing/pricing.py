"""Column pricing: the best tables at given prices, with players as arrays in the order of scores.

At a table of k, the sum of all score differences is (k - 1) times the highest score plus (k - 3) times the next, and
so on. A table's cost is therefore a sum over its players by position. The rest of a partial table is bounded below by
the best players further down, whatever their meetings.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from domain.pairing.costs import Costs, Tables
from domain.pairing.counting import mixed_cost, reachable
from domain.pairing.levels import CLUBS, FAMILIES, HARD, LEVELS, REPEATS, SCORES, SHORT

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Table = tuple[int, ...]
"""The players of a table by their positions in the order of scores, highest first."""

NEVER: Final = 1e12
MET: Final = (REPEATS, FAMILIES, CLUBS)
MATRIX_ENTRIES_MAX: Final = 400_000
"""The maximum entries of the matrix of partial tables and next players, which limits the partial tables explored."""


class PricedField:
    """The players and the constraints of the linear program.

    Each player has one table; table sizes are given; the levels before the scores get no worse; and each step between
    scores is crossed by a minimum number of pairs.
    """

    def __init__(self, costs: Costs, matches: Tables) -> None:
        self.costs = costs
        points = [person.score for person in costs.people]
        self.order = np.array(sorted(range(len(points)), key=lambda at: (-points[at], at)), dtype=np.int64)
        position_of = np.argsort(self.order)
        self.start: list[Table] = [tuple(sorted(position_of[table].tolist())) for table in matches]
        ordered = np.array(points, dtype=np.int64)[self.order]
        self.unit = max(1, int(np.gcd.reduce(ordered - ordered[-1])))
        """The greatest common divisor of all score differences."""
        self.scores: Floats = (ordered - ordered[-1]) / self.unit
        sizes = [len(table) for table in matches]
        self.sizes = sorted(set(sizes))
        level_values = dict(zip(LEVELS, costs.total(matches), strict=True))
        self.kept = [level for level in (*MET, SHORT) if level_values[level] > 0]
        self.matrices = {level: matrix[np.ix_(self.order, self.order)] for level, matrix in costs.pairs.items()}
        self.shorts: Floats = costs.shorts[self.order].astype(np.float64)
        self.apart: Floats = np.zeros(self.matrices[SCORES].shape)
        for level in (HARD, *(level for level in MET if level not in self.kept)):
            self.apart[self.matrices[level] > 0] = NEVER
        filled = reachable(Counter(sizes))
        step_positions = (np.flatnonzero(np.diff(self.scores)) + 1).tolist()
        minimums = {at: minimum for at in step_positions if (minimum := mixed_cost(at, sizes, filled))}
        self.steps: list[int] = list(minimums)
        counts = [sizes.count(size) for size in self.sizes]
        kept_values = [level_values[level] for level in self.kept]
        self.wanted: Floats = np.array(
            [*[1] * len(points), *counts, *kept_values, *minimums.values()], dtype=np.float64
        )
        """The right-hand sides of the constraints: players, sizes, kept levels, steps."""

    def persons(self, table: Table) -> list[int]:
        """Return the entrants' indices of a table."""
        return [int(self.order[at]) for at in table]

    def cost(self, table: Table) -> float:
        """Return the score differences at the table, in units."""
        return float(sum((len(table) - 1 - 2 * at) * self.scores[player] for at, player in enumerate(table)))

    def round_up(self, bound: int) -> int:
        """Return the bound rounded up to the next possible sum."""
        return -(-bound // self.unit) * self.unit

    def row(self, table: Table) -> list[float]:
        """Return the table's coefficients in the constraints on sizes, levels and steps, in this order.

        The constraints on players are left out.
        """
        size, positions = len(table), np.array(table)
        upper_counts = (positions[None, :] < np.array(self.steps, dtype=np.int64)[:, None]).sum(axis=1)
        persons = self.persons(table)
        return [
            *(float(size == other) for other in self.sizes),
            *(float(self.costs.level_of(level, persons)) for level in self.kept),
            *(upper_counts * (size - upper_counts)).astype(np.float64).tolist(),
        ]

    def split_prices(self, prices: Floats) -> tuple[Floats, Floats, dict[str, float], Floats]:
        """Return the prices of players, sizes, levels and steps; prices of the wrong sign become 0."""
        player_count, size_count, level_count = len(self.order), len(self.sizes), len(self.kept)
        player_prices, by_size, levels, steps = np.split(prices, np.cumsum([player_count, size_count, level_count]))
        return (
            player_prices,
            by_size,
            dict(zip(self.kept, np.minimum(levels, 0.0), strict=True)),
            np.maximum(steps, 0.0),
        )

    def clip(self, prices: Floats) -> Floats:
        """Return the prices with wrong signs set to 0."""
        player_prices, by_size, levels, steps = self.split_prices(prices)
        return np.concatenate([player_prices, by_size, np.array([levels[level] for level in self.kept]), steps])

    def own_costs(self, prices: Floats, size: int) -> list[Floats]:
        """Return for each position of a table of that size the cost of every player there, prices included."""
        player_prices, by_size, levels, steps = self.split_prices(prices)
        step_prices = np.zeros(len(player_prices))
        for at, price in zip(self.steps, steps, strict=True):
            step_prices[:at] += price
        single = np.zeros(len(player_prices))
        if size < self.costs.size:
            single = -levels[SHORT] * self.shorts if SHORT in levels else np.where(self.shorts > 0, NEVER, 0.0)
        base = single - player_prices - by_size[self.sizes.index(size)] / size
        return [(size - 1 - 2 * position) * (self.scores - step_prices) + base for position in range(size)]

    def pair_costs(self, prices: Floats) -> Floats:
        """Return the cost of every two players at a table without their scores, at least 0; forbidden ones `NEVER`."""
        _, _, levels, _ = self.split_prices(prices)
        costs = self.apart.copy()
        for level, price in levels.items():
            if level != SHORT:
                costs -= price * self.matrices[level]
        return costs

    def reduced_costs(self, prices: Floats, tables: Indices) -> Floats:
        """Return the cost of tables of a size, a row each, minus their prices."""
        by_position, pairs = self.own_costs(prices, tables.shape[1]), self.pair_costs(prices)
        reduced: Floats = sum((by_position[at][tables[:, at]] for at in range(len(by_position))), np.zeros(len(tables)))
        for first, second in combinations(range(len(by_position)), 2):
            reduced += pairs[tables[:, first], tables[:, second]]
        return reduced


class PricedTables:
    """Tables below a cost limit at given prices, cheapest first.

    `least` bounds the cost of tables that begin with each player, up to the limit. `is_complete` states whether all
    tables below the limit are included.
    """

    def __init__(
        self,
        field: PricedField,
        prices: Floats,
        size: int,
        limit: float,
        tables_max: int,
        entries_max: int = MATRIX_ENTRIES_MAX,
    ) -> None:
        self.own, self.pairs = field.own_costs(prices, size), field.pair_costs(prices)
        self.rest, self.limit, self.is_complete = remaining_bounds(self.own), limit, True
        count = len(self.own[0])
        self.room = max(1, entries_max // count)
        self.least: Floats = np.full(count, limit)
        firsts = np.flatnonzero(self.own[0] + self.rest[1][1:] < limit)
        parts = [self._tables_starting_with(int(first)) for first in firsts]
        tables = np.concatenate([np.zeros((0, size), dtype=np.int64), *(tables for tables, _ in parts)])
        values = np.concatenate([np.zeros(0), *(values for _, values in parts)])
        self.is_complete &= len(values) <= tables_max
        order = np.argsort(values, kind="stable")[:tables_max]
        self.tables: Indices = tables[order]
        self.values: Floats = values[order]

    def _tables_starting_with(self, first: int) -> tuple[Indices, Floats]:
        """Return the tables below the limit with this player first, and their costs.

        Above the room the cheapest are kept and `is_complete` becomes False. `least` of the player is updated.
        """
        count = len(self.least)
        tables, values, extra = np.array([[first]]), self.own[0][[first]], self.pairs[[first]]
        for position in range(1, len(self.own)):
            costs = values[:, None] + extra + self.own[position][None, :]
            costs[np.arange(count)[None, :] <= tables[:, -1:]] = NEVER
            lower_bounds = (costs + self.rest[position + 1][None, 1:]).ravel()
            indices = np.flatnonzero(lower_bounds < self.limit)
            if len(indices) > self.room:
                self.is_complete = False
                partitioned = indices[np.argpartition(lower_bounds[indices], self.room)]
                self.least[first] = min(self.least[first], lower_bounds[partitioned[self.room :]].min())
                indices = partitioned[: self.room]
            before, following = np.divmod(indices, count)
            tables = np.column_stack([tables[before], following])
            values, extra = costs[before, following], extra[before] + self.pairs[following]
        self.least[first] = min(self.least[first], values.min(initial=self.limit))
        return tables, values


def remaining_bounds(position_costs: Sequence[Floats]) -> list[Floats]:
    """Return lower bounds of the remaining cost, by position and first remaining player."""
    bounds = [np.zeros(len(position_costs[0]) + 1)]
    for costs in reversed(position_costs):
        totals = np.append(costs + bounds[0][1:], NEVER)
        bounds.insert(0, np.minimum.accumulate(totals[::-1])[::-1])
    return bounds
