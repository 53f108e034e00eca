"""Points through a match as a small picture: a line for every seat, a band for every round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from api.matches.pages.replay_chapters import Round

WIDTH: Final = 360
HEIGHT: Final = 200
LEFT: Final = 30
RIGHT: Final = 26
TOP: Final = 10
BOTTOM: Final = 24
STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
LABEL_HEIGHT: Final = 17.0
LINES_MAX: Final = 5
"""So many horizontal lines at most."""


class Band(msgspec.Struct, frozen=True):
    """A round: its stretch of the picture."""

    round: Round
    x: float
    width: float


class Grid(msgspec.Struct, frozen=True):
    points: int
    y: float


class Trace(msgspec.Struct, frozen=True):
    """The way of a seat's points, and where its mark stands at the end."""

    seat: int
    points: int
    path: str
    mark_y: float


class Chart(msgspec.Struct, frozen=True):
    """The whole picture. `x_of` says where an entry stands; a script moves the cursor with the same two numbers."""

    first: int
    last: int
    bands: tuple[Band, ...]
    grid: tuple[Grid, ...]
    traces: tuple[Trace, ...]

    width = WIDTH
    height = HEIGHT
    left = LEFT
    right = WIDTH - RIGHT
    top = TOP
    bottom = HEIGHT - BOTTOM

    def x_of(self, version: int) -> float:
        return across(version, self.first, self.last)


def across(version: int, first: int, last: int) -> float:
    """Where an entry stands from left to right."""
    span = max(1, last - first)
    return round(LEFT + (min(max(version, first), last) - first) / span * (WIDTH - LEFT - RIGHT), 1)


def chart(scores: Sequence[tuple[int, ...]], rounds: Sequence[Round], first: int) -> Chart | None:
    """The picture of the points after each entry, entry 1 first; nothing where no points are known."""
    seats = len(scores[-1]) if scores else 0
    if not seats:
        return None
    last, most = len(scores), max(1, *(max(each, default=0) for each in scores))
    step = next((step for step in STEPS if most / step <= LINES_MAX), STEPS[-1])
    top = -(-most // step) * step

    def y_of(points: int) -> float:
        return round(HEIGHT - BOTTOM - points / top * (HEIGHT - BOTTOM - TOP), 1)

    bands = tuple(
        Band(
            each, across(each.first, first, last), across(each.last + 1, first, last) - across(each.first, first, last)
        )
        for each in rounds
    )
    marks = spread([y_of(points) for points in scores[-1]])
    return Chart(
        first=first,
        last=last,
        bands=bands,
        grid=tuple(Grid(points, y_of(points)) for points in range(0, top + 1, step)),
        traces=tuple(
            Trace(
                seat, scores[-1][seat], trace([each[seat] if each else 0 for each in scores], first, y_of), marks[seat]
            )
            for seat in range(seats)
        ),
    )


def trace(points: Sequence[int], first: int, y_of: Callable[[int], float]) -> str:
    """Steps from entry to entry; what stays the same is one line."""
    last, now = len(points), points[first - 1]
    path = f"M{across(first, first, last):g} {y_of(now):g}"
    for version in range(first + 1, last + 1):
        if points[version - 1] != now:
            now = points[version - 1]
            path += f"H{across(version, first, last):g}V{y_of(now):g}"
    return f"{path}H{across(last, first, last):g}"


def spread(wanted: Sequence[float]) -> tuple[float, ...]:
    """Marks at the end of the lines, moved apart where they would cover each other."""
    order = sorted(range(len(wanted)), key=lambda seat: wanted[seat])
    placed = dict[int, float]()
    at = -LABEL_HEIGHT
    for seat in order:
        at = max(wanted[seat], at + LABEL_HEIGHT)
        placed[seat] = at
    over = max(0.0, at - (HEIGHT - BOTTOM))
    return tuple(round(placed[seat] - over, 1) for seat in range(len(wanted)))
