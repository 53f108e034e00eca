"""Better tables for a large round: of those the relaxation finds likely, CP-SAT chooses, window after window."""

from math import ceil
from typing import Final

import numpy as np

from domain.pairing.costs import Costs, Matrix, Tables
from domain.pairing.counting import scores_bound
from domain.pairing.exact import Columns, Partition, solved, windows
from domain.pairing.levels import HARD, LEVELS, SCORES
from domain.pairing.relaxed import Relaxation

LIKELY: Final = 20_000
"""So many tables are looked among;"""
WHOLE: Final = 6_000
"""when they are so few, all people at once."""
WIDTH: Final = 9
"""Tables of one window, neighbours by score,"""
STEP: Final = 4
"""and how far the next begins from it."""
SHARES: Final = (0.125, 0.35, 1.0)
"""First are looked among those tables that a round so near the bound could hold: the fewer, the better the choice."""
ENOUGH: Final = 1.002
"""So near the bound nothing more is tried."""
WINDOW_TIME: Final = 0.2
WHOLE_TIME: Final = 4.0
"""Deterministic time for one window, and for all people at once."""
SWEEPS: Final = 2
SWEEP_TIME: Final = 0.5
"""Deterministic time for one level of a window in which every table there could be is looked at."""
SWEPT_MAX: Final = 100
"""With more people than this, sweeping for the sake of the scores alone takes too long."""


def scores_settled(costs: Costs, tables: Tables, least: int, seed: int) -> tuple[Tables, int]:
    """Tables with smaller differences of score, no worse at the levels before; and the bound that is proven then."""
    relaxation = Relaxation(costs, tables)
    bound = max(least, relaxation.bound)
    value = total(costs, tables)
    for share in SHARES:
        if value <= bound * ENOUGH:
            break
        aim = bound + ceil(share * (value - bound))
        likely, is_complete = likely_tables(relaxation, aim)
        if len(likely) > WHOLE:
            tables, proven = passed(costs, tables, likely, seed), 0
        else:
            tables, proven = settled(costs, tables, likely, seed, WHOLE_TIME)
        value = total(costs, tables)
        # Are these all, a round with any other table costs more than was aimed at.
        bound = max(bound, relaxation.field.whole(min(proven, aim, value) * is_complete))
    if value > bound * ENOUGH and len(costs.people) <= SWEPT_MAX:
        # Where many scores are equal, more tables are likely than were looked among.
        tables = swept(costs, tables, seed)
    return tables, bound


def likely_tables(relaxation: Relaxation, value: int) -> tuple[Tables, bool]:
    """Tables by persons that a better round could hold; whether these are all."""
    found, is_complete = relaxation.tables_below(value, LIKELY)
    return [sorted(relaxation.field.persons(table)) for table in found], is_complete


def total(costs: Costs, tables: Tables) -> int:
    return sum(costs.level_of(SCORES, table) for table in tables)


def passed(costs: Costs, tables: Tables, likely: Tables, seed: int) -> Tables:
    """One pass over all windows, from the highest scores down."""
    best = [list(table) for table in tables]
    order = sorted(range(len(best)), key=lambda at: (-sum(costs.people[person].score for person in best[at]), at))
    for start in range(0, max(1, len(order) - WIDTH + STEP), STEP):
        window = sorted(order[start : start + WIDTH], key=lambda at: len(best[at]))
        here = [best[at] for at in window]
        inside = {person for table in here for person in table}
        better, _ = settled(costs, here, [table for table in likely if inside.issuperset(table)], seed, WINDOW_TIME)
        for at, table in zip(window, sorted(better, key=len), strict=True):
            best[at] = table
    return best


def settled(costs: Costs, tables: Tables, likely: Tables, seed: int, time: float) -> tuple[Tables, int]:
    """The best choice among these tables and those there are; the bound of such a choice."""
    known = {tuple(sorted(table)) for table in tables}.union(map(tuple, likely))
    sizes = [len(table) for table in tables]
    groups = [rows_of(known, size) for size in sorted(set(sizes))]
    partition = Partition(Columns(costs, groups, {size: sizes.count(size) for size in sizes}), tables)
    for level in LEVELS[:-1]:
        partition.keep(level, partition.value(level))
    proven = partition.minimise(SCORES, seed, time)
    return partition.tables(), proven


def rows_of(tables: set[tuple[int, ...]], size: int) -> Matrix:
    return np.array(sorted(table for table in tables if len(table) == size), dtype=np.int64)


def swept(costs: Costs, tables: Tables, seed: int) -> Tables:
    """Neighbouring tables solved exactly, window after window, where that could make anything better."""
    best = [list(table) for table in tables]
    for _ in range(SWEEPS):
        for window in windows(best, costs):
            here = [best[at] for at in window]
            floor = window_floor(costs, here)
            if costs.total(here) == tuple(floor[level] for level in LEVELS):
                continue
            better, _ = solved(costs, here, floor, seed, LEVELS, SWEEP_TIME)
            by_size = sorted(window, key=lambda at: len(best[at]))
            for at, table in zip(by_size, sorted(better, key=len), strict=True):
                best[at] = table
    return best


def window_floor(costs: Costs, tables: Tables) -> dict[str, int]:
    """What the people of some tables cannot be better than; wishes stay as they are."""
    scores = [costs.people[person].score for table in tables for person in table]
    floor = dict.fromkeys(LEVELS, 0) | {SCORES: scores_bound(scores, [len(table) for table in tables])}
    return floor | {HARD: costs.total(tables)[0]}
