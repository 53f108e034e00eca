"""Feasibility of forbidden and wished pairs at given tables, and a minimal conflict if there is one."""

from collections.abc import Sequence
from typing import Final

from ortools.sat.python import cp_model

from domain.kernel.messages import Message, say
from domain.pairing.problem import DEMAND_TEXTS, Pair, PairingRefused, pair_of

TIME: Final = 5.0

Demand = tuple[str, Pair]
"""`forbidden` or `wished`, and the pair."""


class Unsatisfiable(PairingRefused):
    """The demands contradict each other; `demands` is a minimal contradictory subset."""

    def __init__(self, demands: Sequence[Demand], table_count: int) -> None:
        self.demands = tuple(demands)
        self.conflicts = tuple(
            Message(DEMAND_TEXTS[kind], {"first": first, "second": second}) for kind, (first, second) in self.demands
        )
        sentences = "; ".join(map(say, self.conflicts))
        tables = f"{table_count} table" if table_count == 1 else f"{table_count} tables"
        super().__init__(f"these conditions contradict each other at {tables}: {sentences}")


def place_demands(forbidden: Sequence[Pair], wished: Sequence[Pair], sizes: Sequence[int]) -> dict[str, int]:
    """Return the table index of every player with a demand; raise `Unsatisfiable` if none is possible.

    The error names a minimal set of contradictory demands.
    """
    demands: list[Demand] = [("forbidden", pair) for pair in sorted({pair_of(*pair) for pair in forbidden})]
    demands += [("wished", pair) for pair in sorted({pair_of(*pair) for pair in wished})]
    placement = attempt(demands, sizes)
    if placement is not None:
        return placement
    # A demand whose removal leaves the rest contradictory is not part of the conflict.
    for demand in list(demands):
        reduced = [other for other in demands if other != demand]
        if attempt(reduced, sizes) is None:
            demands = reduced
    raise Unsatisfiable(demands, len(sizes))


def attempt(demands: Sequence[Demand], sizes: Sequence[int]) -> dict[str, int] | None:
    """Return table indices that satisfy all demands, or None if none are found in the solver's time limit.

    Players without demands are left out.
    """
    people = sorted({name for _, pair in demands for name in pair})
    model = cp_model.CpModel()
    assignments = {(name, table): model.new_bool_var("") for name in people for table in range(len(sizes))}
    for name in people:
        model.add_exactly_one(assignments[name, table] for table in range(len(sizes)))
    for table, size in enumerate(sizes):
        model.add(sum(assignments[name, table] for name in people) <= size)
        for kind, (first, second) in demands:
            if kind == "forbidden":
                model.add_at_most_one(assignments[first, table], assignments[second, table])
            else:
                model.add(assignments[first, table] == assignments[second, table])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = TIME
    if solver.solve(model) not in {cp_model.OPTIMAL, cp_model.FEASIBLE}:
        return None
    return {name: table for (name, table), variable in assignments.items() if solver.boolean_value(variable)}
