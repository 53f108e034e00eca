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
    ready = [] if len(set(shape)) > 1 or shape[0] != size else _ready_made(players, size, rounds)
    name, tables = min(ready, key=lambda made: unevenness(players, made[1]), default=("", ()))
    if not ready or not _is_optimal(players, tables):
        searched = Search(players, shape, rounds, seed).run(tries)
        if not ready or unevenness(players, searched) < unevenness(players, tables):
            name, tables = "search", searched
    return Design(players, size, balance_seats(tables, size), name)


def table_sizes(players: int, size: int, short_tables: bool) -> tuple[int, ...]:
    """Return the table sizes of a round, largest first; without `short_tables` the rest of the players sit out.

    With it, one more table takes them, and sizes differ by at most one. Raise `BadSize` if a table would have
    one seat.
    """
    full, rest = divmod(players, size)
    if not short_tables or rest == 0:
        return (size,) * full
    count = full + 1
    seats, more = divmod(players, count)
    if seats < 2:
        raise BadSize(f"{players} players cannot all sit at tables of 2 to {size}")
    return (seats + 1,) * more + (seats,) * (count - more)


def unevenness(players: int, rounds: Sequence[Round]) -> int:
    """Return the sum of squared meetings of pairs and weighted squared byes; smaller is more even."""
    out = [len(rounds)] * players
    for tables in rounds:
        for table in tables:
            for player in table:
                out[player] -= 1
    return sum(times * times for times in meetings(rounds).values()) + BYE_WEIGHT * sum(times * times for times in out)


def _is_optimal(players: int, rounds: Sequence[Round]) -> bool:
    """Return whether meetings of pairs, and tables of players, each differ by at most one."""
    met = meetings(rounds)
    counts = {met[pair] for pair in combinations(range(players), 2)}
    played = {sum(player in table for tables in rounds for table in tables) for player in range(players)}
    return max(counts) - min(counts) <= 1 and max(played) - min(played) <= 1


def _ready_made(players: int, size: int, rounds: int) -> list[tuple[str, tuple[Round, ...]]]:
    """Return named exact schedules and transversal designs, truncated or repeated to the number of rounds."""
    made = list(full_schedules(players, size))
    if players % size == 0:
        across = build.transversal(size, players // size)
        if across is not None:
            made.append(("transversal design", across))
    return [(name, (whole * (rounds // len(whole) + 1))[:rounds]) for name, whole in made]


class Search:
    """A local search that swaps two players of a round, at first also if that makes the schedule less even."""

    def __init__(self, players: int, shape: Sequence[int], rounds: int, seed: int) -> None:
        self._players = players
        self._shape = shape
        self._count = rounds
        self._random = seed * 2 + 1
        seats = [number for number, size in enumerate(shape) for _ in range(size)]
        self._out = len(shape)
        self._tables_of = [*seats, *[self._out] * (players - len(seats))]
        self._order = [
            [(place * (turn * 2 + 1) + turn) % players for place in range(players)] for turn in range(rounds)
        ]
        for turn, order in enumerate(self._order):
            if len(set(order)) < players:
                self._order[turn] = [(place + turn) % players for place in range(players)]
        self._met = [[0] * players for _ in range(players)]
        self._sat_out = [0] * players

    def run(self, tries: int) -> tuple[Round, ...]:
        """Return the most even rounds found within this number of swaps, by simulated annealing."""
        self._begin()
        best, least = [list(order) for order in self._order], self._value()
        value, players = least, self._players
        for step in range(tries):
            turn, first, second = self._next(self._count), self._next(players), self._next(players)
            change = self._change(turn, first, second)
            heat = HEAT * 2 * (tries - step) // tries
            if change is None or change > self._next(heat + 1):
                continue
            self._exchange(turn, first, second)
            value += change
            if value < least:
                best, least = [list(order) for order in self._order], value
        return tuple(self._round(order) for order in best)

    def _next(self, below: int) -> int:
        """Return a pseudo-random number (Knuth's MMIX generator), so that searches are reproducible everywhere."""
        self._random = (self._random * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self._random >> 33) % below

    def _begin(self) -> None:
        """Count the meetings and byes of the initial order."""
        for order in self._order:
            for table in self._round(order):
                for first, second in combinations(table, 2):
                    self._met[first][second] += 1
                    self._met[second][first] += 1
            for place, table_index in enumerate(self._tables_of):
                self._sat_out[order[place]] += table_index == self._out

    def _value(self) -> int:
        pairs = sum(times * times for row in self._met for times in row) // 2
        return pairs + BYE_WEIGHT * sum(times * times for times in self._sat_out)

    def _round(self, order: Sequence[int]) -> Round:
        """Return the tables of one round's order, without the players who sit out."""
        tables: list[list[int]] = [[] for _ in self._shape]
        for place, table in enumerate(self._tables_of):
            if table != self._out:
                tables[table].append(order[place])
        return tuple(tuple(table) for table in tables)

    def _others(self, turn: int, place: int) -> list[int]:
        """Return the other players at the table of a place; none for a place that sits out."""
        table, order = self._tables_of[place], self._order[turn]
        if table == self._out:
            return []
        start = sum(self._shape[:table])
        return [order[at] for at in range(start, start + self._shape[table]) if at != place]

    def _change(self, turn: int, first: int, second: int) -> int | None:
        """Return the change of unevenness by a swap of two places; None if both are at the same table."""
        if self._tables_of[first] == self._tables_of[second]:
            return None
        a, b = self._order[turn][first], self._order[turn][second]
        met_a, met_b = self._met[a], self._met[b]
        change = 0
        for other in self._others(turn, first):
            change += 2 * (met_b[other] - met_a[other] + 1)
        for other in self._others(turn, second):
            change += 2 * (met_a[other] - met_b[other] + 1)
        if self._out in (self._tables_of[first], self._tables_of[second]):
            goes_out, comes_in = (a, b) if self._tables_of[second] == self._out else (b, a)
            change += BYE_WEIGHT * 2 * (self._sat_out[goes_out] - self._sat_out[comes_in] + 1)
        return change

    def _exchange(self, turn: int, first: int, second: int) -> None:
        """Swap the players at two places of a round, and update the counted meetings and byes."""
        order = self._order[turn]
        a, b = order[first], order[second]
        for mine, theirs, place in ((a, b, first), (b, a, second)):
            for other in self._others(turn, place):
                self._meet(mine, other, -1)
                self._meet(theirs, other, 1)
            if self._tables_of[place] == self._out:
                self._sat_out[mine] -= 1
                self._sat_out[theirs] += 1
        order[first], order[second] = b, a

    def _meet(self, first: int, second: int, by: int) -> None:
        self._met[first][second] += by
        self._met[second][first] += by
