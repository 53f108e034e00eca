"""Improvement of large rounds: CP-SAT chooses among the tables that the relaxation finds likely, window by window."""

from math import ceil
from typing import Final

import numpy as np

from domain.pairing.costs import Costs, Matrix, Tables
from domain.pairing.counting import scores_bound
from domain.pairing.exact import Columns, Partition, solve_exactly, windows
from domain.pairing.levels import HARD, LEVELS, SCORES
from domain.pairing.relaxation import Relaxation

LIKELY_MAX: Final = 20_000
"""The maximum number of likely tables."""
WHOLE_MAX: Final = 6_000
"""The number of likely tables up to which all players are solved at once."""
WIDTH: Final = 9
"""The number of tables in a window, neighbours by score."""
STEP: Final = 4
"""The offset between consecutive windows."""
SHARES: Final = (0.125, 0.35, 1.0)
"""Shares of the gap to the bound, tried in order: a smaller share leaves fewer tables and allows a better choice."""
STOP_FACTOR: Final = 1.002
"""The factor of the bound at which improvement stops."""
WINDOW_TIME: Final = 0.2
WHOLE_TIME: Final = 4.0
"""Deterministic time for a window, and for all players at once."""
SWEEPS: Final = 2
SWEEP_TIME: Final = 0.5
"""Deterministic time for a level of a window with all possible tables."""
SWEPT_MAX: Final = 100
"""The number of players above which sweeping for scores alone takes too long."""


def improve_scores(costs: Costs, matches: Tables, floor: int, seed: int) -> tuple[Tables, int]:
    """Return tables with smaller score differences, no worse at earlier levels, and the proven bound.

    It stops early within `STOP_FACTOR` of the bound.
    """
    relaxation = Relaxation(costs, matches)
    bound = max(floor, relaxation.lower_bound)
    value = total(costs, matches)
    for share in SHARES:
        if value <= bound * STOP_FACTOR:
            break
        aim = bound + ceil(share * (value - bound))
        candidates, is_complete = likely_tables(relaxation, aim)
        if len(candidates) > WHOLE_MAX:
            matches, proven_bound = improve_windows(costs, matches, candidates, seed), 0
        else:
            matches, proven_bound = choose_tables(costs, matches, candidates, seed, WHOLE_TIME)
        value = total(costs, matches)
        # If these are all tables, a round with any other table costs more than the aim.
        bound = max(bound, relaxation.field.round_up(min(proven_bound, aim, value) * is_complete))
    if value > bound * STOP_FACTOR and len(costs.people) <= SWEPT_MAX:
        # If many scores are equal, more tables are likely than were considered.
        matches = sweep(costs, matches, seed)
    return matches, bound


def likely_tables(relaxation: Relaxation, value: int) -> tuple[Tables, bool]:
    """Return the tables that a better round could contain, and whether the list is complete."""
    tables, is_complete = relaxation.tables_below(value, LIKELY_MAX)
    return [sorted(relaxation.field.persons(table)) for table in tables], is_complete


def total(costs: Costs, matches: Tables) -> int:
    """Return the score differences of all tables."""
    return sum(costs.level_of(SCORES, table) for table in matches)


def improve_windows(costs: Costs, matches: Tables, candidates: Tables, seed: int) -> Tables:
    """Return the tables after a pass over all windows, from the highest scores down.

    Each window takes the best choice among its own tables and the likely ones of its players.
    """
    best = [list(table) for table in matches]
    order = sorted(range(len(best)), key=lambda at: (-sum(costs.people[person].score for person in best[at]), at))
    for start in range(0, max(1, len(order) - WIDTH + STEP), STEP):
        window = sorted(order[start : start + WIDTH], key=lambda at: len(best[at]))
        window_tables = [best[at] for at in window]
        inside = {person for table in window_tables for person in table}
        better, _ = choose_tables(
            costs, window_tables, [table for table in candidates if inside.issuperset(table)], seed, WINDOW_TIME
        )
        for at, table in zip(window, sorted(better, key=len), strict=True):
            best[at] = table
    return best


def choose_tables(costs: Costs, matches: Tables, candidates: Tables, seed: int, time: float) -> tuple[Tables, int]:
    """Return the best choice by scores among the likely and the current tables, and its proven bound.

    The earlier levels get no worse.
    """
    all_tables = {tuple(sorted(table)) for table in matches}.union(map(tuple, candidates))
    sizes = [len(table) for table in matches]
    groups = [rows_of(all_tables, size) for size in sorted(set(sizes))]
    partition = Partition(Columns(costs, groups, {size: sizes.count(size) for size in sizes}), matches)
    for level in LEVELS[:-1]:
        partition.constrain_level(level, partition.value(level))
    proven = partition.minimise(SCORES, seed, time)
    return partition.tables(), proven


def rows_of(tables: set[tuple[int, ...]], size: int) -> Matrix:
    """Return the tables of a size as the rows of a matrix."""
    return np.array(sorted(table for table in tables if len(table) == size), dtype=np.int64)


def sweep(costs: Costs, matches: Tables, seed: int) -> Tables:
    """Return the tables after solving neighbouring ones exactly, window by window, where an improvement is possible."""
    best = [list(table) for table in matches]
    for _ in range(SWEEPS):
        for window in windows(best, costs):
            window_tables = [best[at] for at in window]
            floor = window_floor(costs, window_tables)
            if costs.total(window_tables) == tuple(floor[level] for level in LEVELS):
                continue
            better, _ = solve_exactly(costs, window_tables, floor, seed, LEVELS, SWEEP_TIME)
            by_size = sorted(window, key=lambda at: len(best[at]))
            for at, table in zip(by_size, sorted(better, key=len), strict=True):
                best[at] = table
    return best


def window_floor(costs: Costs, matches: Tables) -> dict[str, int]:
    """Return lower bounds by level for the players of some tables: of scores by counting, else 0.

    The first level is bounded by its current cost, so the wishes are kept.
    """
    scores = [costs.people[person].score for table in matches for person in table]
    floor = dict.fromkeys(LEVELS, 0) | {SCORES: scores_bound(scores, [len(table) for table in matches])}
    return floor | {HARD: costs.total(matches)[0]}
