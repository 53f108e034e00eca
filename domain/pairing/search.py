"""A fast tabu search: tables by score, improved by the best swap of two players at each step."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Final

import numpy as np

from domain.pairing.costs import FACTORS, WEIGHTS, Costs, Matrix, Tables
from domain.pairing.levels import LEVELS, SHORT

NEVER: Final = np.int64(2**62)
WORK_MAX: Final = 250_000_000
"""The maximum entries of swap matrices computed in all, so that the time grows linearly with the players."""
STEPS_MAX: Final = 3_000
TENURE: Final = 12
"""The minimum number of steps before a player may return to a table; up to twice as many at random."""
MASK: Final = 2**64 - 1


def random_numbers(seed: int) -> Iterator[int]:
    """Yield pseudo-random 64-bit numbers (splitmix64), reproducible on every machine."""
    state = seed & MASK
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        yield mixed ^ (mixed >> 31)


def construct(costs: Costs, sizes: Sequence[int], lot: Iterator[int]) -> Tables:
    """Return tables by descending score, ties in random order; short tables go where they split least."""
    order = sorted(range(len(costs.people)), key=lambda person: (-costs.people[person].score, next(lot), person))
    tables, at = [], 0
    for size in sizes_in_order([costs.people[person].score for person in order], sizes):
        tables.append(order[at : at + size])
        at += size
    return tables


def sizes_in_order(scores: Sequence[int], sizes: Sequence[int]) -> list[int]:
    """Return the order of table sizes that minimises score differences within tables, for descending scores."""
    counts = Counter(sizes)
    kinds = sorted(counts, reverse=True)
    least, last = {(0,) * len(kinds): 0}, dict[tuple[int, ...], int]()
    for used in islice(product(*(range(counts[size] + 1) for size in kinds)), 1, None):
        end = sum(size * count for size, count in zip(kinds, used, strict=True))
        options = [
            (least[with_one_fewer(used, kind)] + spread(scores[end - size : end]), kind)
            for kind, size in enumerate(kinds)
            if used[kind]
        ]
        least[used], last[used] = min(options)
    used, order = tuple(counts[size] for size in kinds), list[int]()
    while used in last:
        order.append(kinds[last[used]])
        used = with_one_fewer(used, last[used])
    return order[::-1]


def with_one_fewer(used: tuple[int, ...], kind: int) -> tuple[int, ...]:
    """Return the counts with one table of that kind fewer."""
    return (*used[:kind], used[kind] - 1, *used[kind + 1 :])


def spread(scores: Sequence[int]) -> int:
    """Return the differences of all pairs, for descending scores."""
    return sum((len(scores) - 1 - 2 * at) * score for at, score in enumerate(scores))


class Swaps:
    """The changes in cost by all swaps of two players at different tables."""

    def __init__(self, costs: Costs, matches: Tables) -> None:
        self.costs = costs
        self.tables = [list(table) for table in matches]
        count = len(costs.people)
        self.table_of = np.zeros(count, dtype=np.int64)
        for number, table in enumerate(self.tables):
            self.table_of[table] = number
        self.share: Matrix = np.zeros((count, len(matches)), dtype=np.int64)
        for number, table in enumerate(self.tables):
            self.share[:, number] = costs.weighted[:, table].sum(axis=1)
            if len(table) < costs.size:
                self.share[:, number] += WEIGHTS[SHORT] * costs.shorts

    def changes(self) -> Matrix:
        """Return the weighted change of every swap; `NEVER` for players at the same table."""
        at_others = self.share[:, self.table_of]
        at_others -= np.diagonal(at_others).copy()[:, None]
        result: Matrix = at_others + at_others.T
        result -= 2 * self.costs.weighted
        result[self.table_of[:, None] == self.table_of[None, :]] = NEVER
        return result

    def swap(self, first: int, second: int) -> None:
        """Swap two players of different tables and update the shares."""
        first_table, second_table = int(self.table_of[first]), int(self.table_of[second])
        gained = self.costs.weighted[:, second] - self.costs.weighted[:, first]
        self.share[:, first_table] += gained
        self.share[:, second_table] -= gained
        self.table_of[first], self.table_of[second] = second_table, first_table
        self.tables[first_table][self.tables[first_table].index(first)] = second
        self.tables[second_table][self.tables[second_table].index(second)] = first


def levels_of(change: int) -> tuple[int, ...]:
    """Return the weighted change of a swap split into levels, in the order of `LEVELS`."""
    parts, remaining = [], change
    for level in reversed(LEVELS):
        factor = FACTORS[level]
        part = (remaining + factor // 2) % factor - factor // 2
        parts.append(part)
        remaining = (remaining - part) // factor
    return tuple(reversed(parts))


def improve(costs: Costs, matches: Tables, bounds: tuple[int, ...], lot: Iterator[int]) -> Tables:
    """Return the best tables found by a tabu search of swaps, until the bounds or the limit of steps are reached."""
    swaps, count = Swaps(costs, matches), len(costs.people)
    total = best_total = costs.total(matches)
    best = [list(table) for table in matches]
    if len(matches) < 2:
        return best
    tabu_until = np.zeros(swaps.share.shape, dtype=np.int64)
    for step in range(1, min(STEPS_MAX, WORK_MAX // (count * count)) + 1):
        if best_total == bounds:
            break
        changes = swaps.changes()
        is_tabu = tabu_until[:, swaps.table_of] > step
        changes[is_tabu | is_tabu.T] = NEVER
        change = int(changes.min())
        if change == NEVER:
            continue
        # A random choice among equal swaps avoids cycling at the same few tables.
        equal = np.flatnonzero(changes == change)
        first, second = divmod(int(equal[next(lot) % len(equal)]), count)
        for person in (first, second):
            tabu_until[person, swaps.table_of[person]] = step + TENURE + next(lot) % TENURE
        swaps.swap(first, second)
        total = tuple(old + new for old, new in zip(total, levels_of(change), strict=True))
        if total < best_total:
            best_total, best = total, [list(table) for table in swaps.tables]
    return best
