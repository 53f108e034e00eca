"""The update of Plackett-Luce ratings after a match of single players, in the arithmetic of the package, step by step.

OpenSkill's own function rates teams with weights, scores and margins, and checks, copies and sorts all of these for
every match. Here are the same operations on the same numbers in the same order, so that not one bit of a rating
differs: `tests/domain/ratings/test_update.py` holds the two together. Why there are two is told in
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


def updated(skills: Sequence[Skill], places: Sequence[int]) -> tuple[Skill, ...]:
    """The skills after a match in which these places were reached.

    Everything goes from the best place on. Squares are powers and sums are loops, as the package has them: `x * x` and
    `sum` may round otherwise.
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
    found, c_squared = [*skills], c**2
    for (seat, mean, deviation, variance), (omega, delta) in zip(before, pulls, strict=True):
        shrunk = 1 - delta * (variance / c_squared) * (sqrt(variance) / c)
        found[seat] = Skill(mean + omega * (variance / c), deviation * sqrt(max(KAPPA, shrunk)))
    return tuple(found)


def pulls_of(strengths: Sequence[float]) -> list[tuple[float, float]]:
    """Of everybody, how much better they did than expected, and how much that tells; nobody shares a place."""
    sums, found = list[float](), []
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
        left = 1 - share
        found.append((omega + left, delta + share * left))
    return found


def shared_pulls_of(strengths: Sequence[float], ranks: Sequence[int]) -> list[tuple[float, float]]:
    """The same where some share a place."""
    sums, found = list[float](), []
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
        found.append((omega, delta))
    return found


class QuickModel(OpenSkillModel):
    """The package's model with its update written out here."""

    def rate(self, skills: Sequence[Skill], places: Sequence[int]) -> tuple[Skill, ...]:
        return updated(skills, places)


QUICK: Final[RatingModel] = QuickModel()
