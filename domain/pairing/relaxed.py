"""What the scores of a large round cannot be better than: a linear relaxation over all tables there could be.

A round is a choice of tables in which everybody sits once. Where halves of tables may be chosen it is a linear program.
It is solved by column generation (Gilmore and Gomory 1961; Barnhart and others 1998): of millions of tables only those
come in that could make it better. At any prices Lagrange's bound holds, so it may be broken off at any time.
"""

from collections import Counter
from math import ceil
from typing import Final

import numpy as np
from ortools.linear_solver import pywraplp  # type: ignore[import-untyped]  # no types there

from domain.pairing.costs import Costs, Tables
from domain.pairing.pricing import Floats, Priced, PricedField, Table

PRICINGS_MAX: Final = 120
PRICED_MAX: Final = 30_000
"""So often persons are priced in all; so the time grows with the number of people, not with its square."""
LOOKED_AT: Final = 2_000
"""The number of new tables considered in one pricing;"""
TAKEN_OF_PERSON: Final = 8
"""nobody comes into the program with more of them than this."""
SMOOTH: Final = 0.7
"""Prices stay so near those with the best bound so far: the program's own jump to and fro (Wentges 1997)."""
NEARLY: Final = 1e-6
DOUBT: Final = 1e-3
"""Sums of floating numbers are trusted so far; what they bound is whole."""
SOLVER: Final = "CLP"


class Relaxation:
    """The linear program with the tables so far, its best bound, and the prices that go with it."""

    def __init__(self, costs: Costs, matches: Tables) -> None:
        self.field = PricedField(costs, matches)
        self.known: dict[Table, pywraplp.Variable] = {}
        self.program = pywraplp.Solver.CreateSolver(SOLVER)
        self.program.Objective().SetMinimization()
        equal = len(costs.people) + len(self.field.sizes)
        most = equal + len(self.field.kept)
        endless = self.program.infinity()
        self.rows = [
            self.program.Constraint(wanted if at < equal or at >= most else -endless, wanted if at < most else endless)
            for at, wanted in enumerate(self.field.wanted.tolist())
        ]
        self.counts = [sum(len(table) == size for table in matches) for size in self.field.sizes]
        for table in self.field.start:
            self.add(table)
        self.prices: Floats = np.zeros(len(self.rows))
        self.least = 0.0
        self.pricings = 0
        most = min(PRICINGS_MAX, PRICED_MAX // len(costs.people))
        while self.pricings < most and self.program.Solve() == pywraplp.Solver.OPTIMAL and self._went_on():
            pass

    @property
    def bound(self) -> int:
        """No round has smaller differences of score, as long as the levels before are no worse than they are."""
        return self.field.whole(ceil((self.least - DOUBT) * self.field.unit))

    def add(self, table: Table) -> None:
        """The table may be chosen from now on."""
        variable = self.known[table] = self.program.NumVar(0.0, self.program.infinity(), "")
        self.program.Objective().SetCoefficient(variable, self.field.cost(table))
        for place in table:
            self.rows[place].SetCoefficient(variable, 1.0)
        for row, adds in zip(self.rows[len(self.field.order) :], self.field.row(table), strict=True):
            if adds:
                row.SetCoefficient(variable, adds)

    def _went_on(self) -> bool:
        """Prices the tables at the program's own prices; whether that could go on making the bound better."""
        self.pricings += 1
        best = self.program.Objective().Value()
        prices = self.field.clip(np.array([row.dual_value() for row in self.rows]))
        near = SMOOTH * self.prices + (1 - SMOOTH) * prices
        found_some = self._take_priced(near, prices) or self._take_priced(prices, prices)
        return found_some and best > ceil(self.least - DOUBT) + NEARLY

    def _take_priced(self, asked: Floats, prices: Floats) -> bool:
        """Takes in tables that are worth something at the program's own prices, found at those asked for; whether there
        were any. Lagrange's bound at the prices asked for: the worth of the rows, and of the best tables left."""
        least, taken, used = float(asked @ self.field.wanted), 0, Counter[int]()
        for size, count in zip(self.field.sizes, self.counts, strict=True):
            priced = Priced(self.field, asked, size, -NEARLY, LOOKED_AT)
            least += float(np.sort(priced.least)[:count].sum())
            worth = priced.tables[self.field.reduced_costs(prices, priced.tables) < -NEARLY]
            for table in map(tuple, worth.tolist()):
                if table not in self.known and max(used[place] for place in table) < TAKEN_OF_PERSON:
                    self.add(table)
                    used.update(table)
                    taken += 1
        if least > self.least:
            self.least, self.prices = least, asked
        return taken > 0

    def tables_below(self, value: int, wanted: int) -> tuple[list[Table], bool]:
        """Tables that a round of less than this value can hold, the likeliest first; whether these are all: with any
        other the bound alone would be passed."""
        found, is_complete = list[tuple[float, Table]](), True
        for size in self.field.sizes:
            limit = value / self.field.unit - self.least + DOUBT
            priced = Priced(self.field, self.prices, size, limit, wanted)
            found += zip(priced.values.tolist(), map(tuple, priced.tables.tolist()), strict=True)
            is_complete &= priced.is_complete
        return [table for _, table in sorted(found)[:wanted]], is_complete and len(found) <= wanted
