"""Exact solution for some players and tables: CP-SAT chooses among all possible tables as columns.

Levels are minimised in order, and the value of each is kept for the next. One worker, a fixed seed and a limit in
deterministic time make the result the same on every machine.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from math import comb
from typing import Final

import numpy as np
from ortools.sat.python import cp_model

from domain.pairing.costs import Costs, Matrix, Tables
from domain.pairing.levels import SEATS, SHORT

COLUMNS_MAX: Final = 12_000
"""The number of possible tables above which a problem is solved in windows."""
WINDOW_COLUMNS_MAX: Final = 5_000
LEVEL_TIME: Final = 4.0
"""Deterministic time for a level, roughly in seconds."""


def column_count(count: int, sizes: Sequence[int]) -> int:
    """Return the number of possible tables of `count` players with these sizes."""
    return sum(comb(count, size) for size in set(sizes))


class Columns:
    """Possible tables of some players, with their cost at every level."""

    def __init__(self, costs: Costs, groups: Sequence[Matrix], counts: Mapping[int, int]) -> None:
        self.costs = costs
        self.counts = counts
        self.groups = groups
        """The tables of each size, a row each, with players in ascending order."""
        self.people = sorted({person for rows in groups for person in rows.ravel().tolist()})
        self.index = {
            tuple(group): at for at, group in enumerate(group for rows in self.groups for group in rows.tolist())
        }
        self._values: dict[str, Matrix] = {}

    def values(self, level: str) -> Matrix:
        """Return the cost of every table at the level."""
        if level not in self._values:
            self._values[level] = np.concatenate([self._cost(level, rows) for rows in self.groups])
        return self._values[level]

    def _cost(self, level: str, rows: Matrix) -> Matrix:
        """Return the cost of each row, a table, at the level; seats are assigned as cheaply as possible."""
        count, size = rows.shape
        if level == SEATS:
            seat_costs = np.array(
                [[self.costs.seat_count(person, seat) for seat in range(size)] for person in self.people]
            )
            index_of = {person: at for at, person in enumerate(self.people)}
            local = np.vectorize(index_of.__getitem__, otypes=[np.int64])(rows)
            orders = [
                sum(seat_costs[local[:, at], seat] for at, seat in enumerate(order))
                for order in permutations(range(size))
            ]
            cheapest: Matrix = np.min(np.array(orders, dtype=np.int64), axis=0)
            return cheapest
        if level == SHORT:
            shorts: Matrix = self.costs.shorts[rows].sum(axis=1)
            return shorts if size < self.costs.size else np.zeros(count, dtype=np.int64)
        matrix, total = self.costs.pairs[level], np.zeros(count, dtype=np.int64)
        for first, second in combinations(range(size), 2):
            total += matrix[rows[:, first], rows[:, second]]
        return total

    def members(self) -> dict[int, list[int]]:
        """Return the indices of the columns that hold each player."""
        by_person: dict[int, list[int]] = {person: [] for person in self.people}
        for group, at in self.index.items():
            for person in group:
                by_person[person].append(at)
        return by_person


def every_table(costs: Costs, people: Sequence[int], sizes: Sequence[int]) -> Columns:
    """Return all tables of these sizes that the players can form, and the number of tables of each size."""
    sorted_people = sorted(people)
    groups = [np.array(list(combinations(sorted_people, size)), dtype=np.int64) for size in sorted(set(sizes))]
    return Columns(costs, groups, Counter(sizes))


class Partition:
    """A model of the choice of columns, minimised level by level."""

    def __init__(self, columns: Columns, matches: Tables) -> None:
        self.columns = columns
        self.model = cp_model.CpModel()
        self.chosen = [self.model.new_bool_var("") for _ in columns.index]
        for indices in columns.members().values():
            self.model.add_exactly_one(self.chosen[at] for at in indices)
        start = 0
        for rows in columns.groups:
            size = rows.shape[1]
            self.model.add(sum(self.chosen[start : start + len(rows)]) == columns.counts[size])
            start += len(rows)
        self.picked = [columns.index[tuple(sorted(table))] for table in matches]

    def constrain_level(self, level: str, value: int) -> None:
        """Constrain the level to at most `value`; at a minimum of 0 exclude every column that costs more."""
        values = self.columns.values(level)
        self.model.add(sum(int(values[at]) * self.chosen[at] for at in np.nonzero(values)[0].tolist()) <= value)
        if value == 0 and int(values.min()) >= 0:
            for at in np.nonzero(values)[0].tolist():
                self.model.add(self.chosen[at] == 0)

    def value(self, level: str) -> int:
        """Return the current value of a level."""
        return int(self.columns.values(level)[self.picked].sum())

    def minimise(self, level: str, seed: int, time: float) -> int:
        """Minimise the level with CP-SAT from the current choice within `time`; return the proven bound.

        The choice changes only if a better one is found.
        """
        values = self.columns.values(level)
        self.model.minimize(sum(int(values[at]) * self.chosen[at] for at in np.nonzero(values)[0].tolist()))
        self.model.clear_hints()  # type: ignore[no-untyped-call]  # OR-Tools left it so
        picked = set(self.picked)
        for at, variable in enumerate(self.chosen):
            self.model.add_hint(variable, at in picked)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = seed % (2**31)
        solver.parameters.max_deterministic_time = time
        # Players of equal score can be exchanged in many ways; detecting these symmetries would take minutes.
        solver.parameters.symmetry_level = 0
        status = solver.solve(self.model)
        if status in {cp_model.OPTIMAL, cp_model.FEASIBLE} and solver.objective_value < self.value(level):
            self.picked = [at for at, variable in enumerate(self.chosen) if solver.boolean_value(variable)]
        return (
            round(solver.best_objective_bound)
            if status == cp_model.OPTIMAL
            else int(np.ceil(solver.best_objective_bound - 1e-6))
        )

    def tables(self) -> Tables:
        """Return the currently chosen tables."""
        groups = list(self.columns.index)
        return [list(groups[at]) for at in self.picked]


def solve_exactly(
    costs: Costs, matches: Tables, bounds: dict[str, int], seed: int, levels: Sequence[str], time: float = LEVEL_TIME
) -> tuple[Tables, dict[str, int]]:
    """Return better tables for the same players, if found, and the bounds, raised where proven.

    Levels are minimised in order, and none gets worse; the bound of a level assumes the values reached before
    it.
    """
    sizes = [len(table) for table in matches]
    partition = Partition(every_table(costs, [person for table in matches for person in table], sizes), matches)
    raised_bounds = dict(bounds)
    for level in levels:
        if partition.value(level) > raised_bounds[level]:
            bound = partition.minimise(level, seed, time)
            raised_bounds[level] = min(max(raised_bounds[level], bound), partition.value(level))
        partition.constrain_level(level, partition.value(level))
    return partition.tables(), raised_bounds


def windows(matches: Tables, costs: Costs) -> list[list[int]]:
    """Return overlapping runs of table indices, from the highest scores down, each small enough to solve."""
    order = sorted(range(len(matches)), key=lambda at: (-sum(costs.people[person].score for person in matches[at]), at))
    width = 2
    while width < len(matches) and column_count((width + 1) * costs.size, [costs.size]) <= WINDOW_COLUMNS_MAX:
        width += 1
    step = max(1, width // 2)
    return [order[at : at + width] for at in range(0, max(1, len(order) - width + step), step)]
