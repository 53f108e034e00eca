"""The small interface of rating models; `domain.ratings.models` lists those there are."""

from collections.abc import Sequence
from typing import Protocol

from domain.kernel.values import Value


class NoSuchRanking(Exception):
    """There is no ranking of that title, table size or month."""


class Skill(Value, frozen=True):
    """What a model believes of a player: a mean, and how far it may be off (0 where a model does not say)."""

    mean: float
    deviation: float = 0.0


class RatingModel(Protocol):
    """How skills follow from places. Pure: the same numbers give the same numbers."""

    @property
    def name(self) -> str: ...

    def start(self) -> Skill:
        """Of somebody nobody has seen play."""
        ...

    def rate(self, skills: Sequence[Skill], places: Sequence[int]) -> tuple[Skill, ...]:
        """The skills after a match in which these places were reached; a shared place is the same number."""
        ...

    def rest(self, skill: Skill, periods: int) -> Skill:
        """The skill of somebody who has not played for this many whole periods."""
        ...

    def chances(self, skills: Sequence[Skill]) -> tuple[float, ...]:
        """How likely each is to win."""
        ...

    def points(self, skill: Skill) -> int:
        """The number a ranking list shows and is sorted by."""
        ...
