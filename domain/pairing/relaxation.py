"""A lower bound of score differences in large rounds: a linear relaxation over all possible tables.

A round is a choice of tables with each player once; allowing fractions of tables makes it a linear program. Column
generation (Gilmore and Gomory 1961; Barnhart and others 1998) adds only tables that may improve it. Lagrange's bound
holds at any prices, so the iteration may stop at any time.
"""

from collections import Counter
from math import ceil
from typing import Final

import numpy as np
from ortools.linear_solver import pywraplp  # type: ignore[import-untyped]  # no types there

from domain.pairing.costs import Costs, Tables
from domain.pairing.pricing import Floats, PricedField, PricedTables, Table

PRICINGS_MAX: Final = 120
PRICED_MAX: Final = 30_000
"""The total number of players priced, so that the time grows linearly with the number of players."""
TABLES_CONSIDERED_MAX: Final = 2_000
"""The number of new tables considered in one pricing."""
TABLES_PER_PLAYER_MAX: Final = 8
"""The maximum number of new tables with the same player."""
SMOOTHING: Final = 0.7
"""The weight of the best prices in the next ones, against oscillation (Wentges 1997)."""
EPSILON: Final = 1e-6
ROUNDING_TOLERANCE: Final = 1e-3
"""The tolerance for sums of floating-point numbers; the bounded values are integers."""
SOLVER: Final = "CLP"


class Relaxation:
    """The linear program with its columns, the best bound and its prices."""

    def __init__(self, costs: Costs, matches: Tables) -> None:
        self.field = PricedField(costs, matches)
        self.known: dict[Table, pywraplp.Variable] = {}
        self.program = pywraplp.Solver.CreateSolver(SOLVER)
        self.program.Objective().SetMinimization()
        equal = len(costs.people) + len(self.field.sizes)
        most = equal + len(self.field.kept)
        infinity = self.program.infinity()
        self.rows = [
            self.program.Constraint(
                target if at < equal or at >= most else -infinity, target if at < most else infinity
            )
            for at, target in enumerate(self.field.wanted.tolist())
        ]
        self.counts = [sum(len(table) == size for table in matches) for size in self.field.sizes]
        for table in self.field.start:
            self.add(table)
        self.prices: Floats = np.zeros(len(self.rows))
        self.least = 0.0
        self.pricings = 0
        most = min(PRICINGS_MAX, PRICED_MAX // len(costs.people))
        while self.pricings < most and self.program.Solve() == pywraplp.Solver.OPTIMAL and self._improve_bound():
            pass

    @property
    def lower_bound(self) -> int:
        """Return the lower bound of score differences, given the values of the levels before."""
        return self.field.round_up(ceil((self.least - ROUNDING_TOLERANCE) * self.field.unit))

    def add(self, table: Table) -> None:
        """Add a table as a column with its score differences as cost."""
        variable = self.known[table] = self.program.NumVar(0.0, self.program.infinity(), "")
        self.program.Objective().SetCoefficient(variable, self.field.cost(table))
        for player in table:
            self.rows[player].SetCoefficient(variable, 1.0)
        for row, adds in zip(self.rows[len(self.field.order) :], self.field.row(table), strict=True):
            if adds:
                row.SetCoefficient(variable, adds)

    def _improve_bound(self) -> bool:
        """Add tables priced at the program's prices; return whether the bound may still improve."""
        self.pricings += 1
        best = self.program.Objective().Value()
        prices = self.field.clip(np.array([row.dual_value() for row in self.rows]))
        smoothed = SMOOTHING * self.prices + (1 - SMOOTHING) * prices
        found_some = self._add_priced_tables(smoothed, prices) or self._add_priced_tables(prices, prices)
        return found_some and best > ceil(self.least - ROUNDING_TOLERANCE) + EPSILON

    def _add_priced_tables(self, search_prices: Floats, prices: Floats) -> bool:
        """Add tables that are worth something at the program's prices; return whether there were any.

        Tables are searched at the prices `search_prices`. If Lagrange's bound at these, the worth of constraints and
        best tables, is higher than the known one, it and its prices replace it.
        """
        bound, added_count, used = float(search_prices @ self.field.wanted), 0, Counter[int]()
        for size, count in zip(self.field.sizes, self.counts, strict=True):
            priced = PricedTables(self.field, search_prices, size, -EPSILON, TABLES_CONSIDERED_MAX)
            bound += float(np.sort(priced.least)[:count].sum())
            worthwhile = priced.tables[self.field.reduced_costs(prices, priced.tables) < -EPSILON]
            for table in map(tuple, worthwhile.tolist()):
                if table not in self.known and max(used[player] for player in table) < TABLES_PER_PLAYER_MAX:
                    self.add(table)
                    used.update(table)
                    added_count += 1
        if bound > self.least:
            self.least, self.prices = bound, search_prices
        return added_count > 0

    def tables_below(self, value: int, tables_max: int) -> tuple[list[Table], bool]:
        """Return the tables that a round below this value can contain, likeliest first, and whether these are all.

        At most `tables_max` are returned. Any other table would exceed the value by the bound alone.
        """
        pairs, is_complete = list[tuple[float, Table]](), True
        for size in self.field.sizes:
            limit = value / self.field.unit - self.least + ROUNDING_TOLERANCE
            priced = PricedTables(self.field, self.prices, size, limit, tables_max)
            pairs += zip(priced.values.tolist(), map(tuple, priced.tables.tolist()), strict=True)
            is_complete &= priced.is_complete
        return [table for _, table in sorted(pairs)[:tables_max]], is_complete and len(pairs) <= tables_max
