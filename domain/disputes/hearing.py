"""The hearing of an appeal by a committee: members, motions and votes."""

from collections import Counter
from datetime import datetime
from typing import Final

from domain.disputes.facts import MotionMade
from domain.kernel.values import Value
from domain.matches.facts import Actor

MEMBERS_MIN: Final = 3
MEMBERS_MAX: Final = 9
MOTIONS_MAX: Final = 12


class Motion(Value, frozen=True):
    """A ruling proposed by a member."""

    at: datetime
    ruling: MotionMade


class Vote(Value, frozen=True):
    """The current vote of a member; `motion` counts from 1."""

    by: Actor
    motion: int
    reason: str
    at: datetime


class Hearing(Value, frozen=True):
    """The committee of an appeal, chair first, with the latest vote of each member."""

    named_by: Actor
    members: tuple[Actor, ...]
    reason: str = ""
    motions: tuple[Motion, ...] = ()
    votes: tuple[Vote, ...] = ()

    @property
    def chair(self) -> Actor:
        """The chair."""
        return self.members[0]

    @property
    def decided_motion(self) -> int:
        """The motion, counted from 1, that has a majority of all members; 0 if none has.

        If everyone has voted and two motions have half of the votes each, the chair's vote decides.
        """
        counts = Counter(vote.motion for vote in self.votes).most_common(2)
        if not counts:
            return 0
        first, count = counts[0]
        if 2 * count > len(self.members):
            return first
        is_tied = len(counts) == 2 and 2 * count == len(self.members) == 2 * counts[1][1]
        return next(vote.motion for vote in self.votes if vote.by == self.chair) if is_tied else 0

    def vote_count(self, motion: int) -> int:
        """Return the number of votes for a motion."""
        return sum(vote.motion == motion for vote in self.votes)
