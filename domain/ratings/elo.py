"""Elo for tables of any size: a match is a duel of every pair, each with an equal share."""

from collections.abc import Sequence
from typing import Final

from domain.ratings.model import RatingModel, Skill

START: Final = 1500.0
SCALE: Final = 400.0
STEP: Final = 32.0
"""The maximum change of a rating by a match, independent of the table size."""


class EloModel:
    """Elo: a logistic curve over the difference of two ratings."""

    name: Final = "elo"

    def start(self) -> Skill:
        """Return the skill of a new player."""
        return Skill(START)

    def rate(self, skills: Sequence[Skill], places: Sequence[int]) -> tuple[Skill, ...]:
        """Return the skills after a match with these places; ties count half, and opponents share the step equally."""
        share = STEP / (len(skills) - 1)
        changed = []
        for seat, skill in enumerate(skills):
            gained = 0.0
            for opponent, other in enumerate(skills):
                if seat != opponent:
                    scored = (
                        1.0 if places[seat] < places[opponent] else 0.5 if places[seat] == places[opponent] else 0.0
                    )
                    gained += scored - expected_share(skill, other)
            changed.append(Skill(skill.mean + share * gained))
        return tuple(changed)

    def rest(self, skill: Skill, periods: int) -> Skill:
        """Return the skill unchanged: Elo has no deviation."""
        del periods
        return skill

    def chances(self, skills: Sequence[Skill]) -> tuple[float, ...]:
        """Return win probabilities in proportion to strengths; for two players, `expected_share`."""
        strengths = [10.0 ** ((skill.mean - START) / SCALE) for skill in skills]
        total = sum(strengths)
        return tuple(strength / total for strength in strengths)

    def points(self, skill: Skill) -> int:
        """Return the rounded rating."""
        return round(skill.mean)


def expected_share(skill: Skill, other: Skill) -> float:
    """Return the expected share of duels won by the first player."""
    return float(1.0 / (1.0 + 10.0 ** ((other.mean - skill.mean) / SCALE)))


ELO: Final[RatingModel] = EloModel()
