"""A baseline model in which all players are equally likely to win."""

from collections.abc import Sequence
from typing import Final

from domain.ratings.model import RatingModel, Skill


class NullModel:
    """A model without information."""

    name: Final = "null"

    def start(self) -> Skill:
        """Return the skill of a new player."""
        return Skill(0.0)

    def rate(self, skills: Sequence[Skill], places: Sequence[int]) -> tuple[Skill, ...]:
        """Return the skills unchanged."""
        del places
        return tuple(skills)

    def rest(self, skill: Skill, periods: int) -> Skill:
        """Return the skill unchanged."""
        del periods
        return skill

    def chances(self, skills: Sequence[Skill]) -> tuple[float, ...]:
        """Return equal win probabilities."""
        return (1.0 / len(skills),) * len(skills)

    def points(self, skill: Skill) -> int:
        """Return the rounded mean."""
        return round(skill.mean)


NULL: Final[RatingModel] = NullModel()
