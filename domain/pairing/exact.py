"""Some people over some tables, solved exactly: every possible table is a column, everybody is in one, CP-SAT chooses.

Level by level: what a level has reached is kept while the next is minimised. One worker, a fixed seed and a limit in
deterministic time: the same problem has the same answer on every machine.
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
"""With more possible tables than this a problem is solved in windows."""
WINDOW_COLUMNS_MAX: Final = 5_000
LEVEL_TIME: Final = 4.0
"""Deterministic time for one level; about as many seconds."""


def column_count(count: int, sizes: Sequence[int]) -> int:
    """The number of tables that could be made of these people."""
    return sum(comb(count, size) for size in set(sizes))


class Columns:
    """Tables some people could form, all of them or some, with what they cost at every level."""

    def __init__(self, costs: Costs, groups: Sequence[Matrix], counts: Mapping[int, int]) -> None:
        self.costs = costs
        self.counts = counts
        self.groups = groups
        """The tables of each size, a row each with its persons in rising order."""
        self.people = sorted({person for rows in groups for person in rows.ravel().tolist()})
        self.index = {
            tuple(group): at for at, group in enumerate(group for rows in self.groups for group in rows.tolist())
        }
        self._values: dict[str, Matrix] = {}

    def values(self, level: str) -> Matrix:
        """What every table costs at the level."""
        if level not in self._values:
            self._values[level] = np.concatenate([self._cost(level, rows) for rows in self.groups])
        return self._values[level]

    def _cost(self, level: str, rows: Matrix) -> Matrix:
        count, size = rows.shape
        if level == SEATS:
            seat_costs = np.array([[self.costs.sat(person, seat) for seat in range(size)] for person in self.people])
            place = {person: at for at, person in enumerate(self.people)}
            local = np.vectorize(place.__getitem__, otypes=[np.int64])(rows)
            orders = [
                sum(seat_costs[local[:, at], seat] for at, seat in enumerate(order))
                for order in permutations(range(size))
            ]
            found: Matrix = np.min(np.array(orders, dtype=np.int64), axis=0)
            return found
        if level == SHORT:
            shorts: Matrix = self.costs.shorts[rows].sum(axis=1)
            return shorts if size < self.costs.size else np.zeros(count, dtype=np.int64)
        matrix, total = self.costs.pairs[level], np.zeros(count, dtype=np.int64)
        for first, second in combinations(range(size), 2):
            total += matrix[rows[:, first], rows[:, second]]
        return total

    def members(self) -> dict[int, list[int]]:
        """Person -> the columns with them."""
        found: dict[int, list[int]] = {person: [] for person in self.people}
        for group, at in self.index.items():
            for person in group:
                found[person].append(at)
        return found


def every_table(costs: Costs, people: Sequence[int], sizes: Sequence[int]) -> Columns:
    """All tables of these sizes that the people could form."""
    rising = sorted(people)
    groups = [np.array(list(combinations(rising, size)), dtype=np.int64) for size in sorted(set(sizes))]
    return Columns(costs, groups, Counter(sizes))


class Partition:
    """The choice of columns as a model, level after level."""

    def __init__(self, columns: Columns, matches: Tables) -> None:
        self.columns = columns
        self.model = cp_model.CpModel()
        self.chosen = [self.model.new_bool_var("") for _ in columns.index]
        for ats in columns.members().values():
            self.model.add_exactly_one(self.chosen[at] for at in ats)
        start = 0
        for rows in columns.groups:
            size = rows.shape[1]
            self.model.add(sum(self.chosen[start : start + len(rows)]) == columns.counts[size])
            start += len(rows)
        self.picked = [columns.index[tuple(sorted(table))] for table in matches]

    def keep(self, level: str, value: int) -> None:
        """From here on the level is no worse than it is now. At a least of 0 whatever costs more is out."""
        values = self.columns.values(level)
        self.model.add(sum(int(values[at]) * self.chosen[at] for at in np.nonzero(values)[0].tolist()) <= value)
        if value == 0 and int(values.min()) >= 0:
            for at in np.nonzero(values)[0].tolist():
                self.model.add(self.chosen[at] == 0)

    def value(self, level: str) -> int:
        return int(self.columns.values(level)[self.picked].sum())

    def minimise(self, level: str, seed: int, time: float) -> int:
        """The least of the level CP-SAT finds, starting from what there is; the bound it proves."""
        values = self.columns.values(level)
        self.model.minimize(sum(int(values[at]) * self.chosen[at] for at in np.nonzero(values)[0].tolist()))
        self.model.clear_hints()  # type: ignore[no-untyped-call]  # OR-Tools left it so
        taken = set(self.picked)
        for at, variable in enumerate(self.chosen):
            self.model.add_hint(variable, at in taken)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = seed % (2**31)
        solver.parameters.max_deterministic_time = time
        # People of equal score can be exchanged in very many ways; the search through them would take minutes.
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
        """What is chosen now."""
        groups = list(self.columns.index)
        return [list(groups[at]) for at in self.picked]


def solve_exactly(
    costs: Costs, matches: Tables, bounds: dict[str, int], seed: int, levels: Sequence[str], time: float = LEVEL_TIME
) -> tuple[Tables, dict[str, int]]:
    """Better tables for the people of these, if there are any, and the bounds raised as far as was proven.

    A bound raised here is that of a level given what those before it have reached.
    """
    sizes = [len(table) for table in matches]
    partition = Partition(every_table(costs, [person for table in matches for person in table], sizes), matches)
    raised = dict(bounds)
    for level in levels:
        if partition.value(level) > raised[level]:
            proven = partition.minimise(level, seed, time)
            raised[level] = min(max(raised[level], proven), partition.value(level))
        partition.keep(level, partition.value(level))
    return partition.tables(), raised


def windows(matches: Tables, costs: Costs) -> list[list[int]]:
    """Runs of neighbouring tables, from the highest scores down, overlapping by half; each small enough to solve."""
    order = sorted(range(len(matches)), key=lambda at: (-sum(costs.people[person].score for person in matches[at]), at))
    width = 2
    while width < len(matches) and column_count((width + 1) * costs.size, [costs.size]) <= WINDOW_COLUMNS_MAX:
        width += 1
    step = max(1, width // 2)
    return [order[at : at + width] for at in range(0, max(1, len(order) - width + step), step)]
