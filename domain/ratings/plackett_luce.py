"""Weng and Lin's Bayesian rating with the Plackett-Luce likelihood, as implemented by OpenSkill."""

from collections.abc import Sequence
from math import sqrt
from typing import Final

from openskill.models import PlackettLuce, PlackettLuceRating

from domain.ratings.model import RatingModel, Skill

REST: Final = 0.5
"""The deviation that a whole period without a match adds, as a root of a sum of squares."""
POINTS_START: Final = 1000
POINTS_PER_UNIT: Final = 40
DEVIATIONS_DOUBTED: Final = 3
"""Ranking lists show the mean minus this many deviations, which is 0 for a newcomer."""


class SpareTeams(list[list[PlackettLuceRating]]):
    """Reusable teams of one player, overwritten before each use.

    The package deep-copies teams before it changes them, which would take a third of the time.
    """

    def __deepcopy__(self, memo: object) -> list[list[PlackettLuceRating]]:
        return self


class OpenSkillModel:
    """The package's model with its defaults: mean 25, deviation 25/3."""

    name: Final = "plackett-luce"

    def __init__(self) -> None:
        self._model = PlackettLuce()
        self._spare: list[PlackettLuceRating] = []
        first = self._model.rating()
        self._start = Skill(first.mu, first.sigma)

    def start(self) -> Skill:
        """Return the skill of a new player."""
        return self._start

    def rate(self, skills: Sequence[Skill], places: Sequence[int]) -> tuple[Skill, ...]:
        """Return the skills after a match with these places."""
        teams = self._teams(skills)
        rated = tuple(Skill(player.mu, player.sigma) for (player,) in self._model.rate(teams, ranks=list(places)))
        self._release_teams(teams)
        return rated

    def rest(self, skill: Skill, periods: int) -> Skill:
        """Return the skill with a larger deviation after periods without a match, at most a newcomer's.

        A deviation above that is not lowered.
        """
        if periods <= 0:
            return skill
        widened = sqrt(skill.deviation * skill.deviation + REST * REST * periods)
        return Skill(skill.mean, max(skill.deviation, min(self._start.deviation, widened)))

    def chances(self, skills: Sequence[Skill]) -> tuple[float, ...]:
        """Return the win probability of each player."""
        teams = self._teams(skills)
        chances = tuple(self._model.predict_win(teams))
        self._release_teams(teams)
        return chances

    def points(self, skill: Skill) -> int:
        """Return the points of ranking lists."""
        return round(POINTS_START + POINTS_PER_UNIT * (skill.mean - DEVIATIONS_DOUBTED * skill.deviation))

    def _teams(self, skills: Sequence[Skill]) -> SpareTeams:
        return SpareTeams([self._rating(skill)] for skill in skills)

    def _rating(self, skill: Skill) -> PlackettLuceRating:
        """Return a spare rating object, because a new one costs a random id; threads never share one."""
        try:
            rating = self._spare.pop()
        except IndexError:
            rating = self._model.rating()
        rating.mu, rating.sigma = skill.mean, skill.deviation
        return rating

    def _release_teams(self, teams: SpareTeams) -> None:
        self._spare.extend(rating for (rating,) in teams)


PLACKETT_LUCE: Final[RatingModel] = OpenSkillModel()
