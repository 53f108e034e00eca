"""The chart of predicted and observed wins of favourites."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final

import msgspec

from api.http.charts import Frame, Tick
from api.rankings.schemas import BandShown

FRAME: Final = Frame(width=420, height=320, left=52, right=400, top=36, bottom=270)
RADIUS_MIN: Final = 4.0
RADIUS_ADDED: Final = 10.0
LOW: Final = 50
"""A favourite has at least this probability in percent."""


class Dot(msgspec.Struct, frozen=True):
    """A band of probabilities; the area grows with the number of pairs."""

    x: float
    y: float
    radius: float


class CalibrationChart(msgspec.Struct, frozen=True):
    """Observed against predicted shares of wins; dots on the line were predicted exactly."""

    dots: tuple[Dot, ...]
    across: tuple[Tick, ...]
    along: tuple[Tick, ...]
    line: tuple[float, float, float, float]
    """Both ends of the line of exact predictions: x, y, x, y."""

    width = FRAME.width
    height = FRAME.height
    left = FRAME.left
    right = FRAME.right
    top = FRAME.top
    bottom = FRAME.bottom


def x_of(percent: float) -> float:
    """Return the x coordinate of a predicted share."""
    return round(FRAME.left + (FRAME.right - FRAME.left) * (percent - LOW) / (100 - LOW), 1)


def draw_calibration(bands: Sequence[BandShown]) -> CalibrationChart | None:
    """Return the chart of bands; None without any."""
    if not bands:
        return None
    most = max(band.pairs for band in bands)
    return CalibrationChart(
        tuple(
            Dot(
                x_of(100 * band.expected),
                FRAME.y_of(100 * band.observed, 0, 100),
                round(RADIUS_MIN + RADIUS_ADDED * sqrt(band.pairs / most), 1),
            )
            for band in bands
        ),
        tuple(Tick(FRAME.y_of(percent, 0, 100), f"{percent} %") for percent in range(0, 101, 20)),
        tuple(Tick(x_of(percent), f"{percent} %") for percent in range(LOW, 101, 10)),
        (x_of(LOW), FRAME.y_of(LOW, 0, 100), x_of(100), FRAME.y_of(100, 0, 100)),
    )
