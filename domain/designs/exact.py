"""The exact schedules available for a number of players and a table size, and the choice among them."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from math import comb, gcd
from typing import Final

from domain.designs import constructions as build
from domain.designs.constructions import Rounds, Tables
from domain.designs.existence import meetings_unit, require_size, why_none, why_none_in_rounds
from domain.designs.rounds import arrange_in_rounds
from domain.designs.seating import balance_seats
from domain.designs.shapes import Design, NoDesign, meetings
from domain.designs.starters import starter_rounds, starter_tables, starters
from domain.kernel.values import Value

TABLES_MAX: Final = 600
"""The maximum length of a schedule of all possible tables."""


class ExactSchedule(Value, frozen=True):
    """An available exact schedule; `sits_out` players have a bye in a full round, each equally often."""

    players: int
    size: int
    meetings: int
    rounds: int
    tables: int
    played: int
    """The number of tables of each player."""
    sits_out: int
    is_full: bool
    """Whether every round has as many tables as the players can fill."""
    seats_even: bool
    built: str


def choices(players: int, size: int) -> tuple[ExactSchedule, ...]:
    """Return the available exact schedules by rounds, then meetings; multiples of another one are left out.

    Raise `BadSize` for an unsupported table size or number of players.
    """
    require_size(players, size)
    schedules = [_choice(players, size, *base) for base in _bases(players, size)]
    return tuple(sorted(schedules, key=lambda choice: (choice.rounds, choice.meetings)))


def exact_design(
    players: int, size: int, meetings: int | None = None, *, full_rounds: bool = False, even_seats: bool = False
) -> Design:
    """Return a schedule in which every pair meets exactly `meetings` times (by default the minimum).

    With `full_rounds` every round has as many tables as can be filled. With `even_seats` everyone sits in every
    seat equally often: without `meetings` the schedule is repeated for that. Raise `BadSize` for unsupported
    numbers, and `NoDesign`, with reason and alternatives, if no schedule or not that number of meetings is
    possible.
    """
    require_size(players, size)
    bases = [base for base in _bases(players, size) if not full_rounds or _is_full(base[1], players, size)]
    if meetings is None:
        if not bases:
            raise NoDesign(_none(players, size, None, full_rounds))
        name, rounds, each = min(bases, key=lambda base: (base[2], len(base[1])))
        times = 1
    else:
        fitting = [base for base in bases if meetings >= 1 and meetings % base[2] == 0]
        if not fitting:
            raise NoDesign(_none(players, size, meetings, full_rounds))
        name, rounds, each = min(fitting, key=lambda base: (len(base[1]) * (meetings // base[2]), -base[2]))
        times = meetings // each
    if even_seats:
        table_count = each * times * (players - 1) // (size - 1)
        if meetings is not None and table_count % size:
            raise NoDesign(
                f"every player plays {table_count} tables, which cannot be divided evenly among {size} seats; "
                f"{times * each * size // gcd(size, table_count)} meetings per pair would work"
            )
        times *= size // gcd(size, table_count)
    return Design(players, size, balance_seats(rounds * times, size), name)


def exact_meetings(players: int, size: int) -> tuple[int, ...]:
    """Return the numbers of meetings for which a schedule is available; multiples of them are too."""
    return tuple(sorted({each for _, _, each in _bases(players, size)}))


def full_schedules(players: int, size: int) -> tuple[tuple[str, Rounds], ...]:
    """Return the exact schedules with full rounds only, without balanced seats."""
    return tuple((name, rounds) for name, rounds, _ in _bases(players, size) if _is_full(rounds, players, size))


def _none(players: int, size: int, meetings: int | None, full_rounds: bool) -> str:
    """Return the text of `NoDesign`: why no such schedule is built, and the numbers of meetings that are.

    Without `meetings` the reason is for the smallest possible number.
    """
    target = meetings_unit(players, size) if meetings is None else meetings
    reason = (why_none_in_rounds if full_rounds else why_none)(players, size, target)
    available = sorted({choice.meetings for choice in choices(players, size) if choice.is_full or not full_rounds})
    alternatives = (
        f"known: {', '.join(map(str, available))} meetings per pair, and multiples"
        if available
        else "no schedule is known"
    )
    alternatives += "; a nearly balanced schedule exists for any number of rounds"
    return f"{reason or f'no such schedule is known for {players} players at tables of {size}'}; {alternatives}"


Base = tuple[str, Rounds, int]


@cache
def _bases(players: int, size: int) -> tuple[Base, ...]:
    """Return the schedules with the fewest meetings, full rounds first: name, rounds, meetings.

    Without any construction, all possible tables if there are at most `TABLES_MAX`.
    """
    full: dict[int, Base] = {}
    other: dict[int, Base] = {}
    for name, rounds in _construct(players, size):
        each = _meetings(rounds, players)
        kind = full if _is_full(rounds, players, size) else other
        if all(each % smaller for smaller in kind):
            kind[each] = (name, rounds, each)
    if not full and not other and comb(players, size) <= TABLES_MAX:
        rounds = arrange_in_rounds(build.all_tables(players, size))
        full[comb(players - 2, size - 2)] = ("all possible tables", rounds, comb(players - 2, size - 2))
    # A schedule without full rounds is only useful if every pair meets less often than in a full one.
    sparse = [base for each, base in other.items() if all(each % smaller for smaller in full)]
    return (*full.values(), *sparse)


def _construct(players: int, size: int) -> Iterator[tuple[str, Rounds]]:
    """Yield name and rounds of every construction that applies; designs without rounds are arranged in rounds."""
    yield from _as_rounds(players, size)
    for name, tables in _as_tables(players, size):
        yield name, arrange_in_rounds(tables)


RoundBuilder = Callable[[int, int], Rounds | None]

ROUNDS: Final[tuple[tuple[str, RoundBuilder], ...]] = (
    ("one table", lambda players, size: ((tuple(range(players)),),) if players == size else None),
    ("circle", lambda players, size: build.circle(players) if size == 2 else None),
    ("affine space", build.affine),
    ("Kirkman triple system", lambda players, size: build.kirkman_triple(players) if size == 3 else None),
    ("Kirkman triple system", lambda players, size: build.kirkman_double(players) if size == 3 else None),
    ("all but one", lambda players, size: build.all_but_one(players) if players == size + 1 else None),
    ("cosets of a finite field", build.cosets),
)

TABLES: Final[tuple[tuple[str, Callable[[int, int], Tables | None]], ...]] = (
    ("projective space", build.projective),
    ("half the cosets of a finite field", build.half_cosets),
)


def _as_rounds(players: int, size: int) -> Iterator[tuple[str, Rounds]]:
    """Yield name and rounds of each construction that gives rounds: `ROUNDS`, copies of a smaller one, base rounds."""
    for name, builder in ROUNDS:
        if rounds := builder(players, size):
            yield name, rounds
    if players % size == 0 and players // size >= size:
        for _, inner in _as_rounds(players // size, size):
            if _meetings(inner, players // size) == 1 and all(len(tables) == len(inner[0]) for tables in inner):
                product = build.times_size(inner, players // size, size)
                assert product is not None, "a design with one meeting has no prime factor as small as its tables"
                yield "copies and a transversal design", product
                break
    for starter in sorted(starters(), key=lambda starter: starter.meetings):
        if (starter.players, starter.size, starter.kind) == (players, size, "rounds"):
            yield "base rounds of a cyclic group", starter_rounds(starter)


def _as_tables(players: int, size: int) -> Iterator[tuple[str, Tables]]:
    """Yield name and tables of each construction that gives tables without rounds: `TABLES`, then base tables."""
    for name, builder in TABLES:
        if tables := builder(players, size):
            yield name, tables
    for starter in sorted(starters(), key=lambda starter: starter.meetings):
        if (starter.players, starter.size, starter.kind) == (players, size, "tables"):
            yield "base tables of a cyclic group", starter_tables(starter)


def _meetings(rounds: Rounds, players: int) -> int:
    """Return the number of meetings of every pair; raise `AssertionError` if a construction is not exact."""
    counts = meetings(rounds)
    distinct = set(counts.values())
    assert len(distinct) == 1, f"a construction for {players} players is not exact: {distinct}"
    assert len(counts) == players * (players - 1) // 2, f"a construction for {players} players leaves pairs out"
    return next(iter(distinct))


def _is_full(rounds: Rounds, players: int, size: int) -> bool:
    return all(len(tables) == players // size for tables in rounds)


def _choice(players: int, size: int, name: str, rounds: Rounds, each: int) -> ExactSchedule:
    """Describe a schedule: its numbers of rounds and tables, byes, and whether rounds are full and seats even."""
    tables_each = each * (players - 1) // (size - 1)
    tables = sum(1 for _ in chain.from_iterable(rounds))
    return ExactSchedule(
        players=players,
        size=size,
        meetings=each,
        rounds=len(rounds),
        tables=tables,
        played=tables_each,
        sits_out=players % size,
        is_full=_is_full(rounds, players, size),
        seats_even=tables_each % size == 0,
        built=name,
    )
