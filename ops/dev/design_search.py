"""Find base rounds and tables of block designs: `python -m ops.dev.design_search 33 3 1` prints a row of the data file.

It searches designs that are invariant under a cyclic group, so that a few base tables define all tables. Results
belong in `domain/designs/data/starters.toml`; the tests develop and count every row of it.
"""

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from ortools.sat.python import cp_model

Block = tuple[int, ...]
Class = tuple[int, int, int]

SECONDS: Final = 120.0
COLUMNS_MAX: Final = 400_000


class CyclicGroup:
    """The points `0 … copies * modulus - 1` in cycles of `modulus`, followed by `fixed` fixed points."""

    def __init__(self, modulus: int, copies: int, fixed: int) -> None:
        self.modulus, self.copies, self.fixed = modulus, copies, fixed
        self.players = modulus * copies + fixed

    def pair_class(self, first: int, second: int) -> Class:
        """Return the orbit of a pair of points: two cycles and the difference.

        -1 or -2 marks one or two fixed points.
        """
        first, second = sorted((first, second))
        n = self.modulus
        if second >= n * self.copies:
            return (min(first // n, self.copies), second, -1) if first < n * self.copies else (first, second, -2)
        difference = (second - first) % n
        if first // n == second // n:
            difference = min(difference, n - difference)
        return first // n, second // n, difference

    def weight(self, pair: Class) -> int:
        """Return the number of times a pair of a base table occurs in its orbit's development."""
        if pair[2] == -2:
            return self.modulus
        return 2 if pair[0] == pair[1] and 2 * pair[2] == self.modulus else 1

    def shift(self, block: Block, steps: int) -> Block:
        """Return the block shifted by `steps` steps, sorted; fixed points stay."""
        n, moving = self.modulus, self.modulus * self.copies
        return tuple(sorted(p if p >= moving else p // n * n + (p % n + steps) % n for p in block))

    def classes(self) -> set[Class]:
        """Return the orbits of all pairs."""
        return {self.pair_class(*pair) for pair in combinations(range(self.players), 2)}

    def covers(self, block: Block) -> Counter[Class]:
        """Count the orbits that a block covers, by weight."""
        covered: Counter[Class] = Counter()
        for pair in combinations(block, 2):
            kind = self.pair_class(*pair)
            covered[kind] += self.weight(kind)
        return covered


def solve(model: cp_model.CpModel, seconds: float) -> cp_model.CpSolver | None:
    """Solve a model in this process, reproducibly; return None if no solution is found in time."""
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 7
    return solver if solver.solve(model) in {cp_model.OPTIMAL, cp_model.FEASIBLE} else None


def base_rounds(
    group: CyclicGroup, size: int, meetings: int, count: int, seconds: float, steady: int = 0
) -> tuple[list[list[Block]], list[Block]] | None:
    """Find `count` rounds that develop into a design, in each of which as many players as possible sit at one table.

    Returns the rounds and the `steady` tables, each with one player of each cycle, so that its development is a round.
    None without a solution in time, or with more than `COLUMNS_MAX` tables to choose from.
    """
    model = cp_model.CpModel()
    covering: dict[Class, list[cp_model.LinearExpr]] = {kind: [] for kind in group.classes()}
    columns: list[tuple[int, Block, cp_model.IntVar]] = []
    seated: dict[tuple[int, int], list[cp_model.IntVar]] = {}
    steady_columns: list[tuple[Block, cp_model.IntVar]] = []
    for block in combinations(range(group.players), size):
        covers = group.covers(block)
        if max(covers.values()) > meetings:
            continue
        if steady and block[0] < group.modulus and len({point // group.modulus for point in block}) == group.copies:
            steady_columns.append((block, model.new_bool_var("")))
            for kind, times in covers.items() if block[0] == 0 else ():
                covering[kind].append(times * steady_columns[-1][1])
            if block[0]:
                steady_columns.pop()
        for number in range(count):
            variable = model.new_bool_var("")
            columns.append((number, block, variable))
            for kind, times in covers.items():
                covering[kind].append(times * variable)
            for point in block:
                seated.setdefault((number, point), []).append(variable)
        if len(columns) > COLUMNS_MAX:
            return None
    tables, remainder = divmod(group.players, size)
    for literals in seated.values():
        _ = model.add_at_most_one(literals) if remainder else model.add_exactly_one(literals)
    for number in range(count):
        model.add(sum(variable for round_number, _, variable in columns if round_number == number) == tables)
    model.add(sum(variable for _, variable in steady_columns) == steady)
    for terms in covering.values():
        model.add(sum(terms) == meetings)
    solver = solve(model, seconds)
    if solver is None:
        return None
    rounds = [
        [block for round_number, block, variable in columns if round_number == number and solver.value(variable)]
        for number in range(count)
    ]
    return rounds, [block for block, variable in steady_columns if solver.value(variable)]


def base_tables(group: CyclicGroup, size: int, meetings: int, seconds: float) -> list[Block] | None:
    """Find tables, one of each orbit, whose orbits together are a design, repeated as often as they are used.

    None without a solution in time, or with more than `COLUMNS_MAX` tables to choose from.
    """
    model = cp_model.CpModel()
    covering: dict[Class, list[cp_model.LinearExpr]] = {kind: [] for kind in group.classes()}
    columns: list[tuple[Block, cp_model.IntVar]] = []
    for block in combinations(range(group.players), size):
        orbit = {group.shift(block, steps) for steps in range(group.modulus)}
        if block != min(orbit):
            continue
        covers = group.covers(block)
        times = {kind: count * len(orbit) // group.modulus for kind, count in covers.items()}
        if max(times.values()) > meetings:
            continue
        variable = model.new_int_var(0, meetings, "")
        columns.append((block, variable))
        for kind, count in times.items():
            covering[kind].append(count * variable)
        if len(columns) > COLUMNS_MAX:
            return None
    for terms in covering.values():
        model.add(sum(terms) == meetings)
    solver = solve(model, seconds)
    if solver is None:
        return None
    return [block for block, variable in columns for _ in range(solver.value(variable))]


def groups(players: int) -> Iterator[CyclicGroup]:
    """Yield groups to try, in order of increasing numbers of base tables."""
    for copies in (1, 2, 3, 4, 5):
        for fixed in (0, 1):
            if (players - fixed) % copies == 0 and (players - fixed) // copies > 1:
                yield CyclicGroup((players - fixed) // copies, copies, fixed)


def row(
    kind: str, group: CyclicGroup, size: int, meetings: int, base: Sequence[object], steady: Sequence[object] = ()
) -> str:
    """Format a row of the data file."""
    text = str(base).replace("(", "[").replace(")", "]")
    if steady:
        text += "\nsteady = " + str(list(steady)).replace("(", "[").replace(")", "]")
    return (
        f'[[starter]]\nkind = "{kind}"\nplayers = {group.players}\nsize = {size}\nmeetings = {meetings}\n'
        f"modulus = {group.modulus}\ncopies = {group.copies}\nbase = {text}\n"
    )


def search(players: int, size: int, meetings: int, kind: str, seconds: float) -> str | None:
    """Return the data file's row of the first group with a design, or None; `seconds` is for each attempt."""
    per_player = meetings * (players - 1) // (size - 1)
    tables = meetings * players * (players - 1) // (size * (size - 1))
    for group in groups(players):
        if kind == "tables":
            tables_found = base_tables(group, size, meetings, seconds)
            if tables_found is not None:
                return row(kind, group, size, meetings, tables_found)
            continue
        rounds, remainder = divmod(tables, players // size)
        if remainder or per_player > rounds:
            continue
        can_be_steady = group.copies == size and group.players == size * group.modulus
        for count in range(rounds // group.modulus, -1, -1):
            steady = rounds - count * group.modulus
            if steady and not can_be_steady:
                break
            found_rounds = base_rounds(group, size, meetings, count, seconds, steady)
            if found_rounds is not None:
                return row(kind, group, size, meetings, *found_rounds)
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Search and print a row; return 1 with a line on stderr if nothing is found."""
    parser = ArgumentParser(prog="design_search", description="Finds base rounds and base tables of block designs.")
    parser.add_argument("players", type=int)
    parser.add_argument("size", type=int)
    parser.add_argument("meetings", type=int)
    parser.add_argument("--kind", choices=("rounds", "tables"), default="rounds")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="per group tried")
    args = parser.parse_args(arguments)
    row_found = search(args.players, args.size, args.meetings, args.kind, args.seconds)
    if row_found is None:
        sys.stderr.write(f"nothing found for {args.players} players, {args.size} a table, {args.meetings}\n")
        return 1
    sys.stdout.write(row_found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
