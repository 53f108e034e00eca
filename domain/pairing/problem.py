"""A round to be paired: who is there, whom they met, where they sat, what must and must not be."""

from collections import Counter
from typing import Annotated, Final, Literal

import msgspec

from domain.kernel.messages import N_, Message
from domain.kernel.values import Value

SIZE_MIN: Final = 2
SIZE_MAX: Final = 5
SCORE_MAX: Final = 1_000_000
"""The highest score, in sixtieths of a point, the cost matrices have room for."""
TIMES_MAX: Final = 15
"""The highest count of meetings, byes and short tables that is distinguished; nobody plays that many."""

Leftover = Literal["short", "bye"]
"""What becomes of those who fill no whole table: short tables, or a bye."""


TOLD: Final = {
    "forbidden": N_("{first} and {second} must not meet"),
    "wished": N_("{first} and {second} must sit together"),
}
"""What is demanded of two people."""


class PairingRefused(Exception):
    """The round cannot be paired as it was asked for; the sentence says why, `conflicts` what contradicts itself."""

    conflicts: tuple[Message, ...] = ()


class Past(Value, frozen=True, omit_defaults=True):
    """What a round that is over was for somebody. Without a seat: a bye, or not there at all."""

    opponents: tuple[str, ...] = ()
    seat: int | None = None
    size: int = 0
    floated: Annotated[int, msgspec.Meta(ge=-1, le=1)] = 0
    """1: met somebody of a higher score; -1: of a lower one (tables of two)."""
    is_bye: bool = False


class Entrant(Value, frozen=True, omit_defaults=True):
    """Somebody to be paired. `score` is in sixtieths of a point; `rank` is the standing, or the seeding before it."""

    id: str
    score: Annotated[int, msgspec.Meta(ge=0, le=SCORE_MAX)] = 0
    rank: int = 0
    club: str = ""
    family: str = ""
    past: tuple[Past, ...] = ()
    lost: int = 0
    """Lives lost in an elimination: those who have lost as many play each other."""

    @property
    def meetings(self) -> Counter[str]:
        """Whom they met, and how often."""
        return Counter(name for round_ in self.past for name in round_.opponents)

    @property
    def bye_count(self) -> int:
        return sum(round_.is_bye for round_ in self.past)

    def sat(self, seat: int) -> int:
        """How often they sat there."""
        return sum(round_.seat == seat for round_ in self.past)

    def short_count(self, size: int) -> int:
        """How often they sat at a table smaller than `size`."""
        return sum(round_.seat is not None and round_.size < size for round_ in self.past)


Pair = tuple[str, str]


class Problem(Value, frozen=True, kw_only=True):
    """A round: tables of `size`, none smaller than `smallest`; `locked` tables stand as they are, seats included."""

    entrants: tuple[Entrant, ...]
    size: Annotated[int, msgspec.Meta(ge=SIZE_MIN, le=SIZE_MAX)]
    smallest: Annotated[int, msgspec.Meta(ge=SIZE_MIN, le=SIZE_MAX)] = SIZE_MIN
    leftover: Leftover = "short"
    forbidden: tuple[Pair, ...] = ()
    wished: tuple[Pair, ...] = ()
    locked: tuple[tuple[str, ...], ...] = ()
    byes: tuple[str, ...] = ()
    """Who has a bye by the organiser's word."""
    absent: tuple[str, ...] = ()
    """Who belongs to the schedule of a round robin, but has gone."""
    round: int = 1
    """Counted within the stage."""
    rounds: int = 1
    """Of the stage; 0: as many as the schedule has."""
    seed: int = 0


class Level(Value, frozen=True):
    """One of the aims, in their order: what was reached, and what is proven to be the least that can be."""

    name: str
    value: int
    bound: int

    @property
    def is_proven(self) -> bool:
        return self.value == self.bound


class Pairing(Value, frozen=True):
    """The tables, each in the order of its seats, and who has a bye; the levels say how good it is."""

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...] = ()
    levels: tuple[Level, ...] = ()
    engine: str = "tables"


def pair_of(first: str, second: str) -> Pair:
    """The two in their one order."""
    return (first, second) if first < second else (second, first)


def check(problem: Problem) -> None:
    """Refuses what contradicts itself before anything is solved."""
    names = [entrant.id for entrant in problem.entrants]
    known = set(names)
    if len(known) < len(names):
        twice = sorted(name for name, count in Counter(names).items() if count > 1)
        raise PairingRefused(f"{twice[0]} is there twice")
    if problem.smallest > problem.size:
        raise PairingRefused(f"tables of {problem.size} cannot be as small as {problem.smallest} at the least")
    for first, second in (*problem.forbidden, *problem.wished):
        if first == second:
            raise PairingRefused(f"{first} cannot be paired with themselves, nor kept from it")
        if missing := {first, second} - known:
            raise PairingRefused(f"{min(missing)} is not in this round")
    taken: set[str] = set()
    for table in (*problem.locked, problem.byes):
        for name in table:
            if name not in known:
                raise PairingRefused(f"{name} is not in this round")
            if name in taken:
                raise PairingRefused(f"{name} is locked at two places")
            taken.add(name)
    for table in problem.locked:
        if not SIZE_MIN <= len(table) <= SIZE_MAX:
            raise PairingRefused(
                f"a table of {len(table)} cannot be locked; tables have {SIZE_MIN} to {SIZE_MAX} seats"
            )


def sizes_for(count: int, size: int, smallest: int, leftover: Leftover) -> tuple[tuple[int, ...], int]:
    """The sizes of the tables for a number of people, the large ones first, and how many are left with a bye.

    Short tables differ by one at most; when even so one would be smaller than `smallest`, one more has a bye.
    """
    if leftover == "bye":
        return (size,) * (count // size), count % size
    for byes in range(count + 1):
        seated = count - byes
        tables = -(-seated // size)
        if tables == 0 or seated // tables >= smallest:
            large = seated - tables * (seated // tables) if tables else 0
            return (seated // max(1, tables) + 1,) * large + (seated // max(1, tables),) * (tables - large), byes
    raise AssertionError("nobody at all can always be seated")


def byes_for(entrants: tuple[Entrant, ...], count: int, wished: tuple[Pair, ...] = ()) -> tuple[str, ...]:
    """Who has the byes: nobody with a wish where that can be, then those with the fewest so far, of those the last."""
    wishing = {name for pair in wished for name in pair}
    order = sorted(entrants, key=lambda each: (each.id in wishing, each.bye_count, -each.rank, each.id))
    return tuple(sorted(entrant.id for entrant in order[:count]))
