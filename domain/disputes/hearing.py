"""A committee that hears an appeal: its members with a voice each, what they vote on, and what that comes to."""

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
    """A ruling that a member has put to the vote."""

    at: datetime
    ruling: MotionMade


class Vote(Value, frozen=True):
    """What a member wants now; `motion` counts from 1."""

    by: Actor
    motion: int
    reason: str
    at: datetime


class Hearing(Value, frozen=True):
    """The committee of an appeal, the chair first; of the votes each member's newest."""

    named_by: Actor
    members: tuple[Actor, ...]
    reason: str = ""
    motions: tuple[Motion, ...] = ()
    votes: tuple[Vote, ...] = ()

    @property
    def chair(self) -> Actor:
        return self.members[0]

    @property
    def decides(self) -> int:
        """The motion that has more than half of all voices, counted from 1; 0 where none has. When everybody has voted
        and two motions have half of the voices each, the chair's counts twice."""
        voices = Counter(vote.motion for vote in self.votes).most_common(2)
        if not voices:
            return 0
        first, count = voices[0]
        if 2 * count > len(self.members):
            return first
        is_tied = len(voices) == 2 and 2 * count == len(self.members) == 2 * voices[1][1]
        return next(vote.motion for vote in self.votes if vote.by == self.chair) if is_tied else 0

    def voices_for(self, motion: int) -> int:
        """How many members want this one."""
        return sum(vote.motion == motion for vote in self.votes)
