"""Quick pairing: who of those who wait in a pool plays together.

There are no facts here: a pool is in no log, and what comes of it is a table like any other.
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
"""As the ranking lists count. A pool compares means, without the doubt that a list takes off: a newcomer is average."""
REACH_FIRST: Final = 100
"""Points between two people who are paired at once."""
REACH_STEP: Final = 5
"""So many more with every second; where a turn may take a day, with every minute."""
STEPS_MAX: Final = 120
"""Who has waited so many of them plays anybody."""
STEP_LIVE: Final = timedelta(seconds=1)
STEP_SLOW: Final = timedelta(minutes=1)
LOST_LIVE: Final = timedelta(seconds=30)
LOST_SLOW: Final = timedelta(days=1)
NEAREST: Final = 12
"""So many of those whom somebody could play are looked at, the nearest ones."""

Pair = frozenset[Actor]


class Waiting(Value, frozen=True):
    """Somebody in a pool: how strong they are, and since when they wait."""

    person: Actor
    strength: int
    since: datetime


def strength_of(skill: Skill) -> int:
    """A skill in the points of pools."""
    return round(POINTS_PER_UNIT * skill.mean)


def lost_after(clock: Clock) -> timedelta:
    """Who has given no sign of life for so long is taken out of the pool."""
    return LOST_LIVE if is_live(clock) else LOST_SLOW


def reach(waited: timedelta, clock: Clock) -> int | None:
    """How many points away somebody may be who plays with one that has waited so long; `None`: any number."""
    steps = max(0, waited // (STEP_LIVE if is_live(clock) else STEP_SLOW))
    return REACH_FIRST + REACH_STEP * steps if steps < STEPS_MAX else None


def fits(one: Waiting, other: Waiting, clock: Clock, apart: Collection[Pair], at: datetime) -> bool:
    """Whether two people can sit at one table: neither keeps the other away, and they are in reach of each other. The
    reach of whoever has waited longer counts for both, so that it is at the far end of a pool that one waits longest
    and nobody waits for ever."""
    if frozenset((one.person, other.person)) in apart:
        return False
    within = reach(at - min(one.since, other.since), clock)
    return within is None or abs(one.strength - other.strength) <= within


def group(
    waiting: Sequence[Waiting], seats: int, clock: Clock, apart: Collection[Pair], at: datetime
) -> tuple[Waiting, ...] | None:
    """The next people who play together, if there are enough who fit: beginning with whoever has waited longest, the
    nearest ones, and among these who has waited longest."""
    left = sorted(waiting, key=lambda each: (each.since, each.person))
    for index, first in enumerate(left):
        others = [each for each in left[index + 1 :] if fits(first, each, clock, apart, at)]
        others.sort(key=lambda each: (abs(each.strength - first.strength), each.since, each.person))
        for chosen in combinations(others[:NEAREST], seats - 1):
            if all(fits(one, other, clock, apart, at) for one, other in combinations(chosen, 2)):
                return (first, *chosen)
    return None


def groups(
    waiting: Sequence[Waiting], seats: int, clock: Clock, apart: Collection[Pair], at: datetime
) -> Iterator[tuple[Waiting, ...]]:
    """All tables that can be made now; nobody is at two of them."""
    left = list(waiting)
    while (found := group(left, seats, clock, apart, at)) is not None:
        yield found
        left = [each for each in left if each not in found]
