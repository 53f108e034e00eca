"""Quick pairing: selection of the players of a table from a pool of waiting people.

There are no facts: pools are not logged, and the resulting tables are ordinary ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from typing import Final

from domain.kernel.values import Value
from domain.matches.facts import Actor, Clock, is_live
from domain.ratings.model import Skill

POINTS_PER_UNIT: Final = 40
"""As in the rankings, but without their deduction for uncertainty: a newcomer counts as average."""
REACH_FIRST: Final = 100
"""Rating points between two people who are paired at once."""
REACH_STEP: Final = 5
"""Points added per second of waiting; per minute where a turn may take a day."""
STEPS_MAX: Final = 120
"""Number of steps after which any opponent is in reach."""
STEP_LIVE: Final = timedelta(seconds=1)
STEP_SLOW: Final = timedelta(minutes=1)
PRESENCE_TIMEOUT_LIVE: Final = timedelta(seconds=30)
PRESENCE_TIMEOUT_SLOW: Final = timedelta(days=1)
NEAREST: Final = 12
"""Number of candidates considered, nearest first."""

Pair = frozenset[Actor]


class WaitingPlayer(Value, frozen=True):
    """A person waiting in a pool: strength, and start of the wait."""

    person: Actor
    strength: int
    since: datetime


def strength_of(skill: Skill) -> int:
    """Return a skill as pool points."""
    return round(POINTS_PER_UNIT * skill.mean)


def presence_timeout(clock: Clock) -> timedelta:
    """Return the time without a sign of life after which a person is removed from the pool."""
    return PRESENCE_TIMEOUT_LIVE if is_live(clock) else PRESENCE_TIMEOUT_SLOW


def reach(waited: timedelta, clock: Clock) -> int | None:
    """Return the rating distance allowed after this waiting time; None for any."""
    steps = max(0, waited // (STEP_LIVE if is_live(clock) else STEP_SLOW))
    return REACH_FIRST + REACH_STEP * steps if steps < STEPS_MAX else None


def fits(one: WaitingPlayer, other: WaitingPlayer, clock: Clock, apart: Collection[Pair], at: datetime) -> bool:
    """Return whether two people may share a table: not in `apart`, and in reach.

    The reach of the person who has waited longer counts for both, so that even the strongest and weakest are
    paired in the end.
    """
    if frozenset((one.person, other.person)) in apart:
        return False
    reach_max = reach(at - min(one.since, other.since), clock)
    return reach_max is None or abs(one.strength - other.strength) <= reach_max


def find_group(
    waiting: Sequence[WaitingPlayer], seats: int, clock: Clock, apart: Collection[Pair], at: datetime
) -> tuple[WaitingPlayer, ...] | None:
    """Return the next people to share a table, or None if too few fit; every two of them fit.

    Starts with the longest wait and prefers the nearest in strength, of which `NEAREST` are considered, then
    the longest wait.
    """
    remaining = sorted(waiting, key=lambda each: (each.since, each.person))
    for index, first in enumerate(remaining):
        others = [each for each in remaining[index + 1 :] if fits(first, each, clock, apart, at)]
        others.sort(key=lambda each: (abs(each.strength - first.strength), each.since, each.person))
        for group in combinations(others[:NEAREST], seats - 1):
            if all(fits(one, other, clock, apart, at) for one, other in combinations(group, 2)):
                return (first, *group)
    return None


def find_groups(
    waiting: Sequence[WaitingPlayer], seats: int, clock: Clock, apart: Collection[Pair], at: datetime
) -> Iterator[tuple[WaitingPlayer, ...]]:
    """Yield all tables that can be made now, with each person at most once."""
    remaining = list(waiting)
    while (group := find_group(remaining, seats, clock, apart, at)) is not None:
        yield group
        remaining = [each for each in remaining if each not in group]
