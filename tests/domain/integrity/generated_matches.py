"""Generated matches: people of known strength, some of whom collude."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final
from uuid import UUID

from domain.integrity.measured_matches import MeasuredMatch, MeasuredSeat
from domain.integrity.thinking import Pace
from domain.matches.facts import Clock

START: Final = datetime(2026, 1, 1, tzinfo=UTC)
CLOCK: Final = Clock("increment", 900, 10)
PEOPLE: Final = tuple(f"p{number:02}" for number in range(14))
Order = Callable[[list[str], Random, int], list[str]]
"""From the honest order of a table to the actual one."""


def make_match(
    number: int, order: Sequence[str | None], *, left: Sequence[str] = (), event: str = "", pace: Pace | None = None
) -> MeasuredMatch:
    """Return a match that ended in this order."""
    seats = tuple(MeasuredSeat(person, place, person in left, pace) for place, person in enumerate(order, 1))
    ended_at = START + timedelta(hours=number)
    return MeasuredMatch(UUID(int=number), "toy", CLOCK, event, True, ended_at, seats)


def honest(order: list[str], _: Random, __: int) -> list[str]:
    return order


def season(matches: int, order: Order = honest, people: Sequence[str] = PEOPLE, seed: int = 7) -> list[MeasuredMatch]:
    """Return this many random tables of four equally strong people."""
    random = Random(seed)
    return [make_match(number, order(random.sample(list(people), 4), random, number)) for number in range(matches)]


def even(title: str, seats: int, one: str, two: str) -> int:
    """Return an even chance."""
    del title, seats, one, two
    return 500
