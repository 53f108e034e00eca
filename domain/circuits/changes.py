"""The changes of standings after they became official."""

from collections.abc import Sequence

from domain.circuits.facts import SettledLine
from domain.kernel.values import Value
from domain.matches.facts import Actor


class RankChange(Value, frozen=True, omit_defaults=True):
    """The rank and the points of a person before and after; rank 0: none."""

    actor: Actor
    was_rank: int = 0
    rank: int = 0
    was_points: int = 0
    points: int = 0


def rank_changes(before: Sequence[SettledLine], after: Sequence[SettledLine]) -> tuple[RankChange, ...]:
    """Return everyone whose rank or points differ, in the new order, then the people who have left the standings."""
    old, new = ({line.actor: line for line in lines} for lines in (before, after))
    found = []
    for actor in (*new, *(actor for actor in old if actor not in new)):
        was, now = old.get(actor, SettledLine(actor, 0)), new.get(actor, SettledLine(actor, 0))
        if was != now:
            found.append(RankChange(actor, was.rank, now.rank, was.points, now.points))
    return tuple(found)
