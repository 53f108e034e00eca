"""SVG coordinates of line charts: player ratings, and points of the seats during a match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

import msgspec


class Frame(msgspec.Struct, frozen=True):
    """Size and margins of a chart."""

    width: int
    height: int
    left: int
    right: int
    """Right end of the plot."""
    top: int
    bottom: int
    """Baseline of the plot."""

    def y_of(self, value: float, low: float, high: float) -> float:
        """Return the y coordinate of a value between `low` (at the bottom) and `high` (at the top)."""
        return round(self.bottom - (self.bottom - self.top) * (value - low) / (high - low), 1)


RATINGS: Final = Frame(width=640, height=260, left=48, right=536, top=12, bottom=232)
RIGHT_OF_SINGLE_CURVE: Final = 626
"""Right end of a chart with a single curve, which has no label."""
MATCH: Final = Frame(width=360, height=200, left=30, right=334, top=10, bottom=176)
POINTS_MAX: Final = 240
"""Maximum number of points per curve; more are thinned out."""
NAME_HEIGHT: Final = 14.0
MARK_HEIGHT: Final = 17.0
"""Minimum distance between marks at the end of curves."""
RATING_STEPS: Final = (10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000)
MATCH_STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
LINES_MAX: Final = 5
"""Maximum number of horizontal grid lines above the lowest."""


def find_step(steps: Sequence[int], is_enough: Callable[[int], bool]) -> int:
    """Return the first step that satisfies `is_enough`, or the last step."""
    return next((step for step in steps if is_enough(step)), steps[-1])


def spread_labels(desired: Sequence[float], gap: float, lowest: float) -> tuple[float, ...]:
    """Return y positions near the wanted ones, in their order, at least `gap` apart, at most `lowest`.

    Raises `IndexError` without any.
    """
    order = sorted(range(len(desired)), key=lambda index: desired[index])
    placed = list(desired)
    for above, below in pairwise(order):
        placed[below] = max(placed[below], placed[above] + gap)
    overflow = max(0.0, placed[order[-1]] - lowest)
    return tuple(round(height - overflow, 1) for height in placed)


class Tick(msgspec.Struct, frozen=True):
    """A grid line with its label."""

    at: float
    text: str


class Mark(msgspec.Struct, frozen=True):
    """A point of a curve."""

    x: float
    y: float


class Curve(msgspec.Struct, frozen=True):
    """The curve of one player: path, marks and label position."""

    name: str
    path: str
    marks: tuple[Mark, ...]
    label_y: float
    last: int


class RatingChart(msgspec.Struct, frozen=True):
    """A chart of ratings."""

    curves: tuple[Curve, ...]
    across: tuple[Tick, ...]
    along: tuple[Tick, ...]
    first_day: datetime
    last_day: datetime
    lowest: int
    highest: int
    right: int

    width = RATINGS.width
    height = RATINGS.height
    left = RATINGS.left
    top = RATINGS.top
    bottom = RATINGS.bottom


Series = tuple[str, Sequence[tuple[datetime, int]]]


def draw_ratings(series: Sequence[Series]) -> RatingChart | None:
    """Return the chart of players with at least two points (time, rating); None if there are none."""
    drawable = [(name, points) for name, points in series if len(points) > 1]
    if not drawable:
        return None
    times = [at.timestamp() for _, points in drawable for at, _ in points]
    values = [value for _, points in drawable for _, value in points]
    step = find_step(RATING_STEPS, lambda step: (max(values) - min(values)) / step < LINES_MAX + 1)
    bottom_value, top_value = min(values) // step * step, -(-max(values) // step) * step
    top_value += step if top_value == bottom_value else 0
    left, right = RATINGS.left, RATINGS.right if len(drawable) > 1 else RIGHT_OF_SINGLE_CURVE
    begin, span = min(times), max(1.0, max(times) - min(times))

    def mark(at: datetime, value: int) -> Mark:
        x = left + (right - left) * (at.timestamp() - begin) / span
        return Mark(round(x, 1), RATINGS.y_of(value, bottom_value, top_value))

    curves = [
        (name, tuple(mark(at, value) for at, value in thin_out(points)), points[-1][1]) for name, points in drawable
    ]
    labels = spread_labels([marks[-1].y for _, marks, _ in curves], NAME_HEIGHT, RATINGS.height - 4)
    days = [datetime.fromtimestamp(begin + span * part / 2, UTC) for part in range(3)]
    pattern = "%H:%M" if days[0].date() == days[-1].date() else "%Y-%m-%d"
    return RatingChart(
        curves=tuple(
            Curve(name, polyline_points(marks), marks[-1:], label, last)
            for (name, marks, last), label in zip(curves, labels, strict=True)
        ),
        across=tuple(
            Tick(RATINGS.y_of(value, bottom_value, top_value), str(value))
            for value in range(bottom_value, top_value + 1, step)
        ),
        along=tuple(
            Tick(round(left + (right - left) * part / 2, 1), day.strftime(pattern)) for part, day in enumerate(days)
        ),
        first_day=days[0],
        last_day=days[-1],
        lowest=min(values),
        highest=max(values),
        right=right,
    )


def polyline_points(marks: Sequence[Mark]) -> str:
    """Return the `points` attribute of an SVG polyline."""
    return " ".join(f"{mark.x},{mark.y}" for mark in marks)


def thin_out(points: Sequence[tuple[datetime, int]]) -> Sequence[tuple[datetime, int]]:
    """Return at most about `POINTS_MAX` evenly spaced points, always including the last."""
    every = -(-len(points) // POINTS_MAX)
    return points if every == 1 else [*points[:-1:every], points[-1]]


class ChartRound(msgspec.Struct, frozen=True):
    """A round of the chart and of its table."""

    number: int
    first: int
    last: int
    scores: tuple[int, ...]
    """Scores after the last entry of the round."""


class ChartBand(msgspec.Struct, frozen=True):
    """The horizontal range of a round."""

    round: ChartRound
    x: float
    width: float


class GridLine(msgspec.Struct, frozen=True):
    """A horizontal grid line."""

    points: int
    y: float


class SeatCurve(msgspec.Struct, frozen=True):
    """The curve of a seat and the y position of its mark."""

    seat: int
    points: int
    path: str
    mark_y: float


class EntryChart(msgspec.Struct, frozen=True):
    """A chart over the entries of a match; a script moves its cursor with `first` and `last`."""

    first: int
    last: int

    width = MATCH.width
    height = MATCH.height
    left = MATCH.left
    right = MATCH.right
    top = MATCH.top
    bottom = MATCH.bottom

    def x_of(self, version: int) -> float:
        """Return the x coordinate of an entry, which is moved into the range of the chart."""
        return x_of_entry(version, self.first, self.last)


class PointsChart(EntryChart, frozen=True):
    """The points of all seats."""

    bands: tuple[ChartBand, ...]
    grid: tuple[GridLine, ...]
    traces: tuple[SeatCurve, ...]


def x_of_entry(version: int, first: int, last: int) -> float:
    """Return the x coordinate of an entry, which is moved into the range from `first` to `last`."""
    span = max(1, last - first)
    return round(MATCH.left + (min(max(version, first), last) - first) / span * (MATCH.right - MATCH.left), 1)


def draw_match(scores: Sequence[tuple[int, ...]], rounds: Sequence[ChartRound], first: int) -> PointsChart | None:
    """Return the chart of points after each entry, from entry 1; None if no points are known.

    The curves begin at entry `first`. `scores` are the points by seat, empty where unknown.
    """
    seats = len(scores[-1]) if scores else 0
    if not seats:
        return None
    last, points_max = len(scores), max(1, *(max(each, default=0) for each in scores))
    step = find_step(MATCH_STEPS, lambda step: points_max / step <= LINES_MAX)
    axis_max = -(-points_max // step) * step

    def y_of(points: int) -> float:
        return MATCH.y_of(points, 0, axis_max)

    bands = tuple(
        ChartBand(
            each,
            x_of_entry(each.first, first, last),
            x_of_entry(each.last + 1, first, last) - x_of_entry(each.first, first, last),
        )
        for each in rounds
    )
    marks = spread_labels([y_of(points) for points in scores[-1]], MARK_HEIGHT, MATCH.bottom)
    return PointsChart(
        first=first,
        last=last,
        bands=bands,
        grid=tuple(GridLine(points, y_of(points)) for points in range(0, axis_max + 1, step)),
        traces=tuple(
            SeatCurve(
                seat,
                scores[-1][seat],
                draw_step_path([each[seat] if each else 0 for each in scores], first, y_of),
                marks[seat],
            )
            for seat in range(seats)
        ),
    )


def draw_step_path(points: Sequence[int], first: int, y_of: Callable[[int], float]) -> str:
    """Return an SVG path of steps from entry `first`; entries without a change extend the line."""
    last, now = len(points), points[first - 1]
    path = f"M{x_of_entry(first, first, last):g} {y_of(now):g}"
    for version in range(first + 1, last + 1):
        if points[version - 1] != now:
            now = points[version - 1]
            path += f"H{x_of_entry(version, first, last):g}V{y_of(now):g}"
    return f"{path}H{x_of_entry(last, first, last):g}"
