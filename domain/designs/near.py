"""Schedules for any number of rounds: exact if one fits, otherwise the most even found by a search."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from domain.designs import constructions as build
from domain.designs.exact import full_schedules
from domain.designs.existence import require_size
from domain.designs.seating import balance_seats
from domain.designs.shapes import BadSize, Design, Round, meetings

ROUNDS_MAX: Final = 200
TRIES: Final = 60_000
TRIES_MAX: Final = 2_000_000
BYE_WEIGHT: Final = 1_000
"""The weight of byes, which outweighs every difference in meetings."""
HEAT: Final = 3
"""The initial limit up to which the search accepts changes for the worse; it falls to 0."""


def schedule(
    players: int, size: int, rounds: int, *, short_tables: bool = False, seed: int = 1, tries: int = TRIES
) -> Design:
    """Return the most even schedule found for exactly this number of rounds; deterministic for a seed.

    Pairs meet at most once if possible. If the players do not fill tables of `size`, some have a bye in each
    round; with `short_tables` none has, and some tables have a seat less. Raise `BadSize` for unsupported
    numbers of players, seats, rounds or `tries` (steps of the search).
    """
    require_size(players, size)
    if not 1 <= rounds <= ROUNDS_MAX:
        raise BadSize(f"a schedule has 1 to {ROUNDS_MAX} rounds, not {rounds}")
    if not 0 <= tries <= TRIES_MAX:
        raise BadSize(f"a search takes 0 to {TRIES_MAX} steps, not {tries}")
    shape = table_sizes(players, size, short_tables)
    candidates = [] if len(set(shape)) > 1 or shape[0] != size else _ready_made(players, size, rounds)
    name, tables = min(candidates, key=lambda each: unevenness(players, each[1]), default=("", ()))
    if not candidates or not _is_optimal(players, tables):
        searched = Search(players, shape, rounds, seed).run(tries)
        if not candidates or unevenness(players, searched) < unevenness(players, tables):
            name, tables = "search", searched
    return Design(players, size, balance_seats(tables, size), name)


def table_sizes(players: int, size: int, short_tables: bool) -> tuple[int, ...]:
    """Return the table sizes of a round, largest first; without `short_tables` the rest of the players sit out.

    With it, one more table takes them, and sizes differ by at most one. Raise `BadSize` if a table would have
    one seat.
    """
    full_count, remainder = divmod(players, size)
    if not short_tables or remainder == 0:
        return (size,) * full_count
    count = full_count + 1
    seats, larger_count = divmod(players, count)
    if seats < 2:
        raise BadSize(f"{players} players cannot all sit at tables of 2 to {size}")
    return (seats + 1,) * larger_count + (seats,) * (count - larger_count)


def unevenness(players: int, rounds: Sequence[Round]) -> int:
    """Return the sum of squared meetings of pairs and weighted squared byes; smaller is more even."""
    bye_counts = [len(rounds)] * players
    for tables in rounds:
        for table in tables:
            for player in table:
                bye_counts[player] -= 1
    return sum(times * times for times in meetings(rounds).values()) + BYE_WEIGHT * sum(
        times * times for times in bye_counts
    )


def _is_optimal(players: int, rounds: Sequence[Round]) -> bool:
    """Return whether meetings of pairs, and tables of players, each differ by at most one."""
    pair_counts = meetings(rounds)
    counts = {pair_counts[pair] for pair in combinations(range(players), 2)}
    table_counts = {sum(player in table for tables in rounds for table in tables) for player in range(players)}
    return max(counts) - min(counts) <= 1 and max(table_counts) - min(table_counts) <= 1


def _ready_made(players: int, size: int, rounds: int) -> list[tuple[str, tuple[Round, ...]]]:
    """Return named exact schedules and transversal designs, truncated or repeated to the number of rounds."""
    named_rounds = list(full_schedules(players, size))
    if players % size == 0:
        transversal_rounds = build.transversal(size, players // size)
        if transversal_rounds is not None:
            named_rounds.append(("transversal design", transversal_rounds))
    return [(name, (full * (rounds // len(full) + 1))[:rounds]) for name, full in named_rounds]


class Search:
    """A local search that swaps two players of a round, at first also if that makes the schedule less even."""

    def __init__(self, players: int, shape: Sequence[int], rounds: int, seed: int) -> None:
        self._players = players
        self._shape = shape
        self._count = rounds
        self._random = seed * 2 + 1
        seats = [number for number, size in enumerate(shape) for _ in range(size)]
        self._bye_table = len(shape)
        self._tables_of = [*seats, *[self._bye_table] * (players - len(seats))]
        self._order = [
            [(position * (round_index * 2 + 1) + round_index) % players for position in range(players)]
            for round_index in range(rounds)
        ]
        for round_index, order in enumerate(self._order):
            if len(set(order)) < players:
                self._order[round_index] = [(position + round_index) % players for position in range(players)]
        self._pair_counts = [[0] * players for _ in range(players)]
        self._bye_counts = [0] * players

    def run(self, tries: int) -> tuple[Round, ...]:
        """Return the most even rounds found within this number of swaps, by simulated annealing."""
        self._begin()
        best, best_value = [list(order) for order in self._order], self._value()
        value, players = best_value, self._players
        for step in range(tries):
            round_index, first, second = self._next(self._count), self._next(players), self._next(players)
            change = self._change(round_index, first, second)
            temperature = HEAT * 2 * (tries - step) // tries
            if change is None or change > self._next(temperature + 1):
                continue
            self._exchange(round_index, first, second)
            value += change
            if value < best_value:
                best, best_value = [list(order) for order in self._order], value
        return tuple(self._round(order) for order in best)

    def _next(self, bound: int) -> int:
        """Return a pseudo-random number (Knuth's MMIX generator), so that searches are reproducible everywhere."""
        self._random = (self._random * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self._random >> 33) % bound

    def _begin(self) -> None:
        """Count the meetings and byes of the initial order."""
        for order in self._order:
            for table in self._round(order):
                for first, second in combinations(table, 2):
                    self._pair_counts[first][second] += 1
                    self._pair_counts[second][first] += 1
            for position, table_index in enumerate(self._tables_of):
                self._bye_counts[order[position]] += table_index == self._bye_table

    def _value(self) -> int:
        pairs = sum(times * times for row in self._pair_counts for times in row) // 2
        return pairs + BYE_WEIGHT * sum(times * times for times in self._bye_counts)

    def _round(self, order: Sequence[int]) -> Round:
        """Return the tables of one round's order, without the players who sit out."""
        tables: list[list[int]] = [[] for _ in self._shape]
        for position, table in enumerate(self._tables_of):
            if table != self._bye_table:
                tables[table].append(order[position])
        return tuple(tuple(table) for table in tables)

    def _others(self, round_index: int, position: int) -> list[int]:
        """Return the other players at the table of a place; none for a place that sits out."""
        table, order = self._tables_of[position], self._order[round_index]
        if table == self._bye_table:
            return []
        start = sum(self._shape[:table])
        return [order[at] for at in range(start, start + self._shape[table]) if at != position]

    def _change(self, round_index: int, first: int, second: int) -> int | None:
        """Return the change of unevenness by a swap of two places; None if both are at the same table."""
        if self._tables_of[first] == self._tables_of[second]:
            return None
        a, b = self._order[round_index][first], self._order[round_index][second]
        met_a, met_b = self._pair_counts[a], self._pair_counts[b]
        change = 0
        for other in self._others(round_index, first):
            change += 2 * (met_b[other] - met_a[other] + 1)
        for other in self._others(round_index, second):
            change += 2 * (met_a[other] - met_b[other] + 1)
        if self._bye_table in (self._tables_of[first], self._tables_of[second]):
            goes_out, comes_in = (a, b) if self._tables_of[second] == self._bye_table else (b, a)
            change += BYE_WEIGHT * 2 * (self._bye_counts[goes_out] - self._bye_counts[comes_in] + 1)
        return change

    def _exchange(self, round_index: int, first: int, second: int) -> None:
        """Swap the players at two places of a round, and update the counted meetings and byes."""
        order = self._order[round_index]
        a, b = order[first], order[second]
        for leaving, entering, position in ((a, b, first), (b, a, second)):
            for other in self._others(round_index, position):
                self._meet(leaving, other, -1)
                self._meet(entering, other, 1)
            if self._tables_of[position] == self._bye_table:
                self._bye_counts[leaving] -= 1
                self._bye_counts[entering] += 1
        order[first], order[second] = b, a

    def _meet(self, first: int, second: int, by: int) -> None:
        self._pair_counts[first][second] += by
        self._pair_counts[second][first] += by
