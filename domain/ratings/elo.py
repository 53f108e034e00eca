"""Elo for tables of any size: a match is a duel with everybody at the table, each worth its share."""

from collections.abc import Sequence
from typing import Final

from domain.ratings.model import RatingModel, Skill

START: Final = 1500.0
SCALE: Final = 400.0
STEP: Final = 32.0
"""What a match can move a rating by at most, whatever the size of the table."""


class EloModel:
    """A logistic curve over the difference of two ratings."""

    name: Final = "elo"

    def start(self) -> Skill:
        return Skill(START)

    def rate(self, skills: Sequence[Skill], places: Sequence[int]) -> tuple[Skill, ...]:
        share = STEP / (len(skills) - 1)
        changed = []
        for mine, skill in enumerate(skills):
            gained = 0.0
            for theirs, other in enumerate(skills):
                if mine != theirs:
                    scored = 1.0 if places[mine] < places[theirs] else 0.5 if places[mine] == places[theirs] else 0.0
                    gained += scored - expected_share(skill, other)
            changed.append(Skill(skill.mean + share * gained))
        return tuple(changed)

    def rest(self, skill: Skill, periods: int) -> Skill:
        del periods
        return skill

    def chances(self, skills: Sequence[Skill]) -> tuple[float, ...]:
        """In proportion to the strengths behind the ratings: of two players exactly what `expected_share` says."""
        strengths = [10.0 ** ((skill.mean - START) / SCALE) for skill in skills]
        total = sum(strengths)
        return tuple(strength / total for strength in strengths)

    def points(self, skill: Skill) -> int:
        return round(skill.mean)


def expected_share(skill: Skill, other: Skill) -> float:
    """The share of their duels the first is expected to win."""
    return float(1.0 / (1.0 + 10.0 ** ((other.mean - skill.mean) / SCALE)))


ELO: Final[RatingModel] = EloModel()
