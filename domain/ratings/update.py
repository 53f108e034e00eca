"""The Plackett-Luce update for single players, with exactly the package's arithmetic.

OpenSkill's function rates teams with weights, scores and margins, and checks, copies and sorts them for every match.
This module performs the same operations on the same numbers in the same order, so that ratings are identical to the
last bit, as `tests/domain/ratings/test_update.py` checks. The reasons are in
`ops/decisions/0055-the-update-written-out.md`.
"""

from collections.abc import Sequence
from math import exp, sqrt
from typing import Final

from openskill.models import PlackettLuce

from domain.ratings.model import RatingModel, Skill
from domain.ratings.plackett_luce import OpenSkillModel

PACKAGE: Final = PlackettLuce()
TAU_SQUARED: Final = PACKAGE.tau * PACKAGE.tau
BETA_SQUARED: Final = PACKAGE.beta**2
KAPPA: Final = PACKAGE.kappa


def update_skills(skills: Sequence[Skill], places: Sequence[int]) -> tuple[Skill, ...]:
    """Return the skills after a match with these places, in the order of seats.

    Squares are powers and sums are loops, as in the package: `x * x` and `sum` may round differently.
    """
    order = sorted(range(len(places)), key=places.__getitem__)
    before, total = [], 0.0
    for seat in order:
        skill = skills[seat]
        deviation = sqrt(skill.deviation * skill.deviation + TAU_SQUARED)
        variance = deviation**2
        total += variance + BETA_SQUARED
        before.append((seat, skill.mean, deviation, variance))
    c = sqrt(total)
    strengths = [exp(mean / c) for _, mean, _, _ in before]
    pulls = pulls_of(strengths) if len(set(places)) == len(places) else shared_pulls_of(strengths, sorted(places))
    updated, c_squared = [*skills], c**2
    for (seat, mean, deviation, variance), (omega, delta) in zip(before, pulls, strict=True):
        shrunk = 1 - delta * (variance / c_squared) * (sqrt(variance) / c)
        updated[seat] = Skill(mean + omega * (variance / c), deviation * sqrt(max(KAPPA, shrunk)))
    return tuple(updated)


def pulls_of(strengths: Sequence[float]) -> list[tuple[float, float]]:
    """Return (surprise of the result, its information) for each player, best first, without shared places."""
    sums, pulls = list[float](), []
    for first in range(len(strengths)):
        total = 0.0
        for strength in strengths[first:]:
            total += strength
        sums.append(total)
    for index, strength in enumerate(strengths):
        omega = delta = 0.0
        for total in sums[:index]:
            share = strength / total
            delta += share * (1 - share)
            omega -= share
        share = strength / sums[index]
        remainder = 1 - share
        pulls.append((omega + remainder, delta + share * remainder))
    return pulls


def shared_pulls_of(strengths: Sequence[float], ranks: Sequence[int]) -> list[tuple[float, float]]:
    """Return the same as `pulls_of` for shared places; `ranks` are the sorted places."""
    sums, pulls = list[float](), []
    counts = [ranks.count(rank) for rank in ranks]
    for rank in ranks:
        total = 0.0
        for strength in strengths[ranks.index(rank) :]:
            total += strength
        sums.append(total)
    for index, strength in enumerate(strengths):
        omega = delta = 0.0
        for other in range(ranks.index(ranks[index]) + counts[index]):
            share = strength / sums[other]
            delta += share * (1 - share) / counts[other]
            if other == index:
                omega += (1 - share) / counts[other]
            else:
                omega -= share / counts[other]
        pulls.append((omega, delta))
    return pulls


class QuickModel(OpenSkillModel):
    """The package's model with the update of this module."""

    def rate(self, skills: Sequence[Skill], places: Sequence[int]) -> tuple[Skill, ...]:
        """Return the skills after a match with these places."""
        return update_skills(skills, places)


QUICK: Final[RatingModel] = QuickModel()
