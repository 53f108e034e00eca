"""The interface of rating models; `domain.ratings.models` lists the implementations."""

from collections.abc import Sequence
from typing import Final, Protocol

from domain.kernel.values import Value

MILLION: Final = 1_000_000


class NoSuchRanking(Exception):
    """No ranking exists for the title, table size or month."""


class Skill(Value, frozen=True):
    """A model's estimate of a player: mean and deviation (0 for models without one)."""

    mean: float
    deviation: float = 0.0


def millionths(number: float) -> int:
    """Return a number in millionths, rounded half to even."""
    return round(number * MILLION)


class RatingModel(Protocol):
    """A rating model; its functions are pure."""

    @property
    def name(self) -> str:
        """Return the name of the model."""
        ...

    def start(self) -> Skill:
        """Return the skill of a new player."""
        ...

    def rate(self, skills: Sequence[Skill], places: Sequence[int]) -> tuple[Skill, ...]:
        """Return the skills after a match with these places; ties share a number."""
        ...

    def rest(self, skill: Skill, periods: int) -> Skill:
        """Return the skill after this many whole periods without a match."""
        ...

    def chances(self, skills: Sequence[Skill]) -> tuple[float, ...]:
        """Return the win probability of each player."""
        ...

    def points(self, skill: Skill) -> int:
        """Return the points by which ranking lists are sorted."""
        ...
