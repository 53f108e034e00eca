"""Designs as rounds of tables of players by seat, and measures of their evenness."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from domain.kernel.values import Value

Table = tuple[int, ...]
"""The players of a table in seat order; players are numbered from 0."""

Round = tuple[Table, ...]


class BadSize(ValueError):
    """The number of players, seats or rounds is too small or too large."""


class NoDesign(Exception):
    """No exact design is available; the message gives the reason and the alternatives."""


class Design(Value, frozen=True):
    """A schedule; `built` names its construction."""

    players: int
    size: int
    rounds: tuple[Round, ...]
    built: str


class Balance(Value, frozen=True):
    """The evenness of a schedule: minimum and maximum over all pairs, players, and players' seats."""

    tables: int
    rounds: int
    meetings_min: int
    meetings_max: int
    pairs_by_meetings: tuple[tuple[int, int], ...]
    """Pairs of (times met, number of pairs), sorted."""
    played_min: int
    played_max: int
    seats_min: int
    seats_max: int

    @property
    def is_exact(self) -> bool:
        """Return whether every pair meets equally often."""
        return self.meetings_min == self.meetings_max

    @property
    def is_seated_exactly(self) -> bool:
        """Return whether everyone sits in every seat equally often."""
        return self.seats_min == self.seats_max

    @property
    def is_optimal(self) -> bool:
        """Return whether no two pairs, players or seats differ by more than one, the optimum for this length."""
        differences = (self.meetings_max - self.meetings_min, self.played_max - self.played_min)
        return max(*differences, self.seats_max - self.seats_min) <= 1


def meetings(rounds: Sequence[Round]) -> Counter[tuple[int, int]]:
    """Return the number of tables that each pair (smaller number first) shares."""
    return Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))


def balance(design: Design) -> Balance:
    """Count the balance of a design: tables, rounds, and the extremes of meetings, tables played and seats."""
    pair_counts = meetings(design.rounds)
    all_pairs = [pair_counts[pair] for pair in combinations(range(design.players), 2)]
    tables = [table for tables in design.rounds for table in tables]
    seat_counts = Counter((player, seat) for table in tables for seat, player in enumerate(table))
    seats = [seat_counts[player, seat] for player in range(design.players) for seat in range(design.size)]
    table_counts = [sum(seat_counts[player, seat] for seat in range(design.size)) for player in range(design.players)]
    return Balance(
        tables=len(tables),
        rounds=len(design.rounds),
        meetings_min=min(all_pairs),
        meetings_max=max(all_pairs),
        pairs_by_meetings=tuple(sorted(Counter(all_pairs).items())),
        played_min=min(table_counts),
        played_max=max(table_counts),
        seats_min=min(seats),
        seats_max=max(seats),
    )


def faults(design: Design) -> tuple[str, ...]:
    """Return the errors of a schedule as text: unknown players, players twice in a round, tables of a wrong size.

    A table has 2 to `design.size` players.
    """
    messages = []
    for number, tables in enumerate(design.rounds, 1):
        players = [player for table in tables for player in table]
        messages += [f"round {number}: no player {player}" for player in players if not 0 <= player < design.players]
        messages += [
            f"round {number}: player {player} appears twice" for player, times in Counter(players).items() if times > 1
        ]
        messages += [
            f"round {number}: a table of {len(table)}" for table in tables if not 2 <= len(table) <= design.size
        ]
    return tuple(messages)
