"""Fit weights to samples by ridge regression, one for each number of seats and each stage.

The prior is that every part has its hand-set weight. Weights are learnt from one half of the matches and their error is
measured on the other half.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from math import sqrt
from typing import Final, NamedTuple

import numpy as np

from ops.dev.training.samples import Sample
from workers.bots.evaluation import SCALE

PRIOR_DEVIATION: Final = 0.3
"""Standard deviation of the prior: a weight of 1 may be 0.7 or 1.3."""
LEAST, MOST = 0, 3 * SCALE
"""Bounds of a weight: not negative, and at most three times the hand-set one."""

Numbers = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


class Fitted(NamedTuple):
    """Weights by `seats/stage`, and the root mean square error of final margins in points, before and after."""

    weights: Mapping[str, tuple[int, ...]]
    before: float
    after: float


def fit(samples: Iterable[Sample]) -> Fitted:
    """Fit weights to all samples, and measure errors by learning from every other match and predicting the rest.

    Weights are in thousandths; errors are those of the hand-set and of the learnt weights.
    """
    sorted_samples = sorted(samples, key=lambda each: (each.seats, each.stage, each.match))
    weights: dict[str, tuple[int, ...]] = {}
    error_before = error_after = 0.0
    count = 0
    for (seats, stage), grouped in groupby(sorted_samples, key=lambda each: (each.seats, each.stage)):
        group = list(grouped)
        weights[f"{seats}/{stage}"] = tuple(round(weight) for weight in ridge(group))
        index_by_match = {match: index for index, match in enumerate(sorted({each.match for each in group}))}
        training_samples, test_samples = (
            [each for each in group if index_by_match[each.match] % 2 == parity] for parity in (0, 1)
        )
        if training_samples and test_samples:
            equal_weights = np.full(len(group[0].parts), float(SCALE))
            error_before += squared_error(training_samples, test_samples, equal_weights)
            error_after += squared_error(training_samples, test_samples, ridge(training_samples))
            count += len(test_samples)
    size = max(1, count) * 10_000
    return Fitted(weights, sqrt(error_before / size), sqrt(error_after / size))


def ridge(group: Sequence[Sample]) -> Numbers:
    """Return the most likely weights in thousandths, from `LEAST` to `MOST`.

    The prior is 1 with the deviation `PRIOR_DEVIATION`.
    """
    parts, margins = columns(group)
    centred, residuals = parts - parts.mean(axis=0), margins - parts.sum(axis=1)
    noise = max(float(residuals.var()), 1.0)
    curve = centred.T @ centred + noise / (PRIOR_DEVIATION * PRIOR_DEVIATION) * np.eye(parts.shape[1])
    weights: Numbers = np.clip(
        (1 + np.linalg.solve(curve, centred.T @ (residuals - residuals.mean()))) * SCALE, LEAST, MOST
    )
    return weights


def squared_error(training_samples: Sequence[Sample], test_samples: Sequence[Sample], weights: Numbers) -> float:
    """Return the sum of squared errors over the samples held back, with the constant estimated from the others."""
    parts, margins = columns(training_samples)
    constant = float(np.mean(margins - parts @ weights / SCALE))
    parts, margins = columns(test_samples)
    return float(np.sum((margins - parts @ weights / SCALE - constant) ** 2))


def columns(group: Sequence[Sample]) -> tuple[Numbers, Numbers]:
    """Return parts and margins as arrays."""
    return np.array([each.parts for each in group], float), np.array([each.margin for each in group], float)
