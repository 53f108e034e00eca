"""Plots of points over time, drawn here as numbers for an SVG: no script, and a table says the same."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

import msgspec

WIDTH: Final = 640
HEIGHT: Final = 260
LEFT, RIGHT, TOP, BOTTOM = 48, 104, 12, 28
ALONE: Final = 14
"""The margin beside a single curve, which bears no name."""
TICKS_MAX: Final = 6
POINTS_MAX: Final = 240
"""A line of more points is thinned: the screen has no more."""
LABEL_HEIGHT: Final = 14
STEPS: Final = (10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000)


class Tick(msgspec.Struct, frozen=True):
    """A line of the grid and what stands at it."""

    at: float
    text: str


class Mark(msgspec.Struct, frozen=True):
    x: float
    y: float


class Curve(msgspec.Struct, frozen=True):
    """One player's line: its path, its marks, where its name stands."""

    name: str
    path: str
    marks: tuple[Mark, ...]
    label_y: float
    last: int


class Plot(msgspec.Struct, frozen=True):
    curves: tuple[Curve, ...]
    across: tuple[Tick, ...]
    along: tuple[Tick, ...]
    first_day: datetime
    last_day: datetime
    lowest: int
    highest: int
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


Series = tuple[str, Sequence[tuple[datetime, int]]]


def plot(series: Sequence[Series]) -> Plot | None:
    """The lines of these players; nothing where nobody has two points."""
    drawn = [(name, points) for name, points in series if len(points) > 1]
    if not drawn:
        return None
    times = [at.timestamp() for _, points in drawn for at, _ in points]
    values = [value for _, points in drawn for _, value in points]
    step = next((each for each in STEPS if (max(values) - min(values)) / each < TICKS_MAX), STEPS[-1])
    low, high = min(values) // step * step, -(-max(values) // step) * step
    high += step if high == low else 0
    right = WIDTH - (RIGHT if len(drawn) > 1 else ALONE)
    begin, span = min(times), max(1.0, max(times) - min(times))

    def mark(at: datetime, value: int) -> Mark:
        x = LEFT + (right - LEFT) * (at.timestamp() - begin) / span
        return Mark(round(x, 1), height_of(value, low, high))

    curves = [(name, tuple(mark(at, value) for at, value in thinned(points)), points[-1][1]) for name, points in drawn]
    labels = apart([marks[-1].y for _, marks, _ in curves])
    days = [datetime.fromtimestamp(begin + span * part / 2, UTC) for part in range(3)]
    pattern = "%H:%M" if days[0].date() == days[-1].date() else "%Y-%m-%d"
    return Plot(
        curves=tuple(
            Curve(name, path(marks), marks[-1:], round(label, 1), last)
            for (name, marks, last), label in zip(curves, labels, strict=True)
        ),
        across=tuple(Tick(height_of(value, low, high), str(value)) for value in range(low, high + 1, step)),
        along=tuple(
            Tick(round(LEFT + (right - LEFT) * part / 2, 1), day.strftime(pattern)) for part, day in enumerate(days)
        ),
        first_day=days[0],
        last_day=days[-1],
        lowest=min(values),
        highest=max(values),
        right=right,
    )


def height_of(value: int, low: int, high: int) -> float:
    return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low), 1)


def path(marks: Sequence[Mark]) -> str:
    return " ".join(f"{mark.x},{mark.y}" for mark in marks)


def thinned(points: Sequence[tuple[datetime, int]]) -> Sequence[tuple[datetime, int]]:
    """Every so-manieth point, the last one always."""
    every = -(-len(points) // POINTS_MAX)
    return points if every == 1 else [*points[:-1:every], points[-1]]


def apart(wanted: Sequence[float]) -> list[float]:
    """Heights for labels near the wanted ones, none over another."""
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    found = list(wanted)
    for above, below in pairwise(order):
        found[below] = max(found[below], found[above] + LABEL_HEIGHT)
    too_low = max(0.0, found[order[-1]] - (HEIGHT - 4))
    return [height - too_low for height in found]
