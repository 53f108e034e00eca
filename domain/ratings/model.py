"""The small interface of rating models, and the list of those the house knows."""

from collections.abc import Mapping, Sequence
from pkgutil import resolve_name
from typing import Final, Protocol

from domain.kernel.values import Value


class UnknownModel(ValueError):
    """There is no rating model of this name."""


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
        """The skill of somebody who has not played for so many whole periods."""
        ...

    def chances(self, skills: Sequence[Skill]) -> tuple[float, ...]:
        """How likely each is to win."""
        ...

    def points(self, skill: Skill) -> int:
        """The number a ranking list shows and is sorted by."""
        ...


MODELS: Final[Mapping[str, str]] = {
    "plackett-luce": "domain.ratings.plackett_luce:PLACKETT_LUCE",
    "elo": "domain.ratings.elo:ELO",
    "null": "domain.ratings.null:NULL",
}
"""Loaded when asked for: the service starts without the packages behind them."""

BASE: Final = "plackett-luce"
"""The model of the house's ranking lists."""


def model_of(name: str) -> RatingModel:
    """The model of this name."""
    if name not in MODELS:
        raise UnknownModel(f"there is no rating model {name!r}; there are {', '.join(MODELS)}")
    model: RatingModel = resolve_name(MODELS[name])
    return model
