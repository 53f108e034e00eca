"""The model that knows nothing: everybody at a table is as likely to win. Whatever is worth using does better."""

from collections.abc import Sequence
from typing import Final

from domain.ratings.model import RatingModel, Skill


class NullModel:
    name: Final = "null"

    def start(self) -> Skill:
        return Skill(0.0)

    def rate(self, skills: Sequence[Skill], places: Sequence[int]) -> tuple[Skill, ...]:
        del places
        return tuple(skills)

    def rest(self, skill: Skill, periods: int) -> Skill:
        del periods
        return skill

    def chances(self, skills: Sequence[Skill]) -> tuple[float, ...]:
        return (1.0 / len(skills),) * len(skills)

    def points(self, skill: Skill) -> int:
        return round(skill.mean)


NULL: Final[RatingModel] = NullModel()
