"""Strengths of bots from places: the Plackett-Luce model, fitted by Newton's method, with errors clustered by deal.

The first place goes to each seat with a probability proportional to its strength, the next place likewise among the
remaining seats, and so on (Plackett 1975); ties by Breslow's approximation (1974). The matches of a deal share their
chance, so errors are computed between deals (sandwich estimate), and are never below the model's own.
"""

from collections.abc import Mapping, Sequence
from math import log
from typing import Final

import numpy as np

from ops.dev.balance.figures import CERTAINTY
from ops.dev.ladder.matches import PlayedMatch

POINTS: Final = 400 / log(10)
"""Elo points per unit of log-strength: 400 points are odds of 10 to 1."""
PRIOR: Final = 0.01
"""Precision of the prior that all are equal; it bounds the strength of a bot that always wins."""
STEPS_MAX: Final = 100
CLOSE: Final = 1e-9

Strengths = Mapping[str, tuple[float, float]]
"""Points over the mean of the bots, and the half-width of the 95 % interval, by bot."""

Numbers = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def strengths(deals: Sequence[Sequence[PlayedMatch]]) -> Strengths:
    """Return (strength, half of its 95 % interval) of every bot in these matches, which are grouped by deal.

    Strengths are in points, 400 for odds of ten to one, with a mean of 0; a single bot has (0, 0).
    """
    names = sorted({bot for deal in deals for match in deal for bot in match.bots})
    values: Numbers = np.zeros(len(names))
    if len(names) == 1:
        return {names[0]: (0.0, 0.0)}
    for _ in range(STEPS_MAX):
        slopes, curve = _slopes(deals, names, values)
        step = np.linalg.solve(curve, slopes.sum(axis=0) - PRIOR * values)
        values = values + step / max(1.0, float(np.abs(step).max()))
        if float(np.abs(step).max()) < CLOSE:
            break
    slopes, curve = _slopes(deals, names, values)
    centred, model = slopes - slopes.mean(axis=0), np.linalg.inv(curve)
    centre = np.eye(len(names)) - 1 / len(names)
    variances = [np.diag(centre @ spread @ centre) for spread in (model @ (centred.T @ centred) @ model, model)]
    errors = np.sqrt(np.maximum(*variances)) * CERTAINTY * POINTS
    points = (values - values.mean()) * POINTS
    return {name: (float(points[index]), float(errors[index])) for index, name in enumerate(names)}


def _slopes(deals: Sequence[Sequence[PlayedMatch]], names: Sequence[str], values: Numbers) -> tuple[Numbers, Numbers]:
    """Return the gradient of the log-likelihood by deal, and its total curvature with the prior."""
    slopes: Numbers = np.zeros((len(deals), len(names)))
    curve: Numbers = PRIOR * np.eye(len(names))
    for row, deal in enumerate(deals):
        for match in deal:
            seats = [names.index(bot) for bot in match.bots]
            for seat, place in enumerate(match.places):
                remaining_bots = [
                    seats[other] for other, other_place in enumerate(match.places) if other_place >= place
                ]
                if len(remaining_bots) == 1:
                    continue
                shares: Numbers = np.zeros(len(names))
                for bot in remaining_bots:
                    shares[bot] += np.exp(values[bot])
                shares /= shares.sum()
                slopes[row, seats[seat]] += 1
                slopes[row] -= shares
                curve += np.diag(shares) - np.outer(shares, shares)
    return slopes, curve
