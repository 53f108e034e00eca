"""The input and output of a pairing: players with their history, constraints, and the resulting tables."""

from collections import Counter
from typing import Annotated, Final, Literal

import msgspec

from domain.kernel.messages import N_, Message
from domain.kernel.values import Value

SIZE_MIN: Final = 2
SIZE_MAX: Final = 5
SCORE_MAX: Final = 1_000_000
"""The highest score in sixtieths that the cost matrices allow."""
TIMES_MAX: Final = 15
"""The highest count of meetings, byes and short tables that is distinguished."""

Leftover = Literal["short", "bye"]
"""The treatment of players left over from whole tables: short tables or byes."""


DEMAND_TEXTS: Final = {
    "forbidden": N_("{first} and {second} must not meet"),
    "wished": N_("{first} and {second} must sit together"),
}
"""The demands on a pair, as sentences."""


class PairingRefused(Exception):
    """The round cannot be paired as requested; `conflicts` lists contradictory demands."""

    conflicts: tuple[Message, ...] = ()


class Past(Value, frozen=True, omit_defaults=True):
    """A finished round from a player's view; without a seat, a bye or an absence."""

    opponents: tuple[str, ...] = ()
    seat: int | None = None
    size: int = 0
    floated: Annotated[int, msgspec.Meta(ge=-1, le=1)] = 0
    """1 after meeting a higher score, -1 after a lower one (tables of two)."""
    is_bye: bool = False


class Entrant(Value, frozen=True, omit_defaults=True):
    """A player to be paired.

    `score` is in sixtieths of a point; `rank` is the standing, or the seeding before round 1.
    """

    id: str
    score: Annotated[int, msgspec.Meta(ge=0, le=SCORE_MAX)] = 0
    rank: int = 0
    club: str = ""
    family: str = ""
    past: tuple[Past, ...] = ()
    lost: int = 0
    """Lives lost in an elimination; players with equal losses meet."""

    @property
    def meetings(self) -> Counter[str]:
        """Return the number of meetings with each opponent."""
        return Counter(name for round_ in self.past for name in round_.opponents)

    @property
    def bye_count(self) -> int:
        """Return the number of byes so far."""
        return sum(round_.is_bye for round_ in self.past)

    def seat_count(self, seat: int) -> int:
        """Return how many times the player had the seat."""
        return sum(round_.seat == seat for round_ in self.past)

    def short_count(self, size: int) -> int:
        """Return how many times the player was at a table smaller than `size`."""
        return sum(round_.seat is not None and round_.size < size for round_ in self.past)


Pair = tuple[str, str]


class Problem(Value, frozen=True, kw_only=True):
    """A round to pair at tables of `size`, at least `smallest`; `locked` tables are fixed, with their seats."""

    entrants: tuple[Entrant, ...]
    size: Annotated[int, msgspec.Meta(ge=SIZE_MIN, le=SIZE_MAX)]
    smallest: Annotated[int, msgspec.Meta(ge=SIZE_MIN, le=SIZE_MAX)] = SIZE_MIN
    leftover: Leftover = "short"
    forbidden: tuple[Pair, ...] = ()
    wished: tuple[Pair, ...] = ()
    locked: tuple[tuple[str, ...], ...] = ()
    byes: tuple[str, ...] = ()
    """Players with a bye given by the organiser."""
    absent: tuple[str, ...] = ()
    """Players of a round robin's schedule who have left."""
    round: int = 1
    """The round within the stage, from 1."""
    rounds: int = 1
    """The rounds of the stage; 0 means as many as the schedule has."""
    seed: int = 0


class Level(Value, frozen=True):
    """An aim: the value reached and the proven lower bound."""

    name: str
    value: int
    bound: int

    @property
    def is_proven(self) -> bool:
        """Return whether the value is proven optimal."""
        return self.value == self.bound


class Pairing(Value, frozen=True):
    """The tables in seat order, the players with a bye, and the levels reached."""

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...] = ()
    levels: tuple[Level, ...] = ()
    engine: str = "tables"


def pair_of(first: str, second: str) -> Pair:
    """Return the pair in ascending order."""
    return (first, second) if first < second else (second, first)


def check(problem: Problem) -> None:
    """Raise `PairingRefused` for contradictory input.

    That is: a repeated or unknown player, a player paired with themselves or locked twice, locked tables of
    fewer than `SIZE_MIN` or more than `SIZE_MAX` players, and a smallest table above the size.
    """
    names = [entrant.id for entrant in problem.entrants]
    name_set = set(names)
    if len(name_set) < len(names):
        repeated = sorted(name for name, count in Counter(names).items() if count > 1)
        raise PairingRefused(f"{repeated[0]} appears twice")
    if problem.smallest > problem.size:
        raise PairingRefused(
            f"the smallest table ({problem.smallest}) cannot be larger than the table size ({problem.size})"
        )
    for first, second in (*problem.forbidden, *problem.wished):
        if first == second:
            raise PairingRefused(f"{first} cannot form a pair with themselves")
        if missing := {first, second} - name_set:
            raise PairingRefused(f"{min(missing)} is not in this round")
    locked_names: set[str] = set()
    for table in (*problem.locked, problem.byes):
        for name in table:
            if name not in name_set:
                raise PairingRefused(f"{name} is not in this round")
            if name in locked_names:
                raise PairingRefused(f"{name} is locked at two tables")
            locked_names.add(name)
    for table in problem.locked:
        if not SIZE_MIN <= len(table) <= SIZE_MAX:
            raise PairingRefused(
                f"a table of {len(table)} cannot be locked; tables have {SIZE_MIN} to {SIZE_MAX} seats"
            )


def sizes_for(count: int, size: int, smallest: int, leftover: Leftover) -> tuple[tuple[int, ...], int]:
    """Return the table sizes for a number of players, largest first, and the number of byes.

    With "bye" all tables are full; else short tables differ by at most one, and if one would be smaller than
    `smallest`, another player has a bye.
    """
    if leftover == "bye":
        return (size,) * (count // size), count % size
    for byes in range(count + 1):
        players = count - byes
        tables = -(-players // size)
        if tables == 0 or players // tables >= smallest:
            large = players - tables * (players // tables) if tables else 0
            return (players // max(1, tables) + 1,) * large + (players // max(1, tables),) * (tables - large), byes
    raise AssertionError("nobody at all can always be seated")


def byes_for(entrants: tuple[Entrant, ...], count: int, wished: tuple[Pair, ...] = ()) -> tuple[str, ...]:
    """Return `count` players for byes, sorted: without wishes if possible, then fewest byes, then lowest rank.

    The lowest rank has the highest number.
    """
    wishers = {name for pair in wished for name in pair}
    order = sorted(entrants, key=lambda each: (each.id in wishers, each.bye_count, -each.rank, each.id))
    return tuple(sorted(entrant.id for entrant in order[:count]))
