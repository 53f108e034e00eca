"""Analysis of final scores: points by source, and points over time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import msgspec

from api.http.charts import spread_labels
from domain.eventstore.application import Matches
from domain.kernel.messages import Message
from domain.kernel.title import AnyTitle, Gain
from domain.matches.aggregate import Match
from domain.matches.facts import ActionTaken, MatchStarted
from domain.matches.titles import read_fact

WIDTH: Final = 320
HEIGHT: Final = 110
MARK_HEIGHT: Final = 17.0
"""Minimum distance between the marks at the ends of lines."""


class ScoreRow(msgspec.Struct, frozen=True):
    """The points of each seat from one source or place."""

    heading: Message
    points: tuple[int, ...]

    @property
    def best(self) -> int | None:
        """The points of the best seat, or None if all are equal."""
        points_max = max(self.points)
        return points_max if points_max > min(self.points) else None


class ScoreAnalysis(msgspec.Struct, frozen=True):
    """The analysis of the final scores of all seats."""

    sources: tuple[ScoreRow, ...]
    places: tuple[ScoreRow, ...]
    """Points by place, for titles that score places."""
    lines: tuple[str, ...]
    """Points over time by seat: SVG polyline points in a picture of `WIDTH` × `HEIGHT`."""
    top: int
    """The points at the upper edge of the picture."""
    bests: tuple[ScoreRow | None, ...] = ()
    """By seat: the source with its largest lead over the others; None without any lead."""
    mosts: tuple[ScoreRow | None, ...] = ()
    """By seat: the source of most of its points; None without points."""

    @property
    def marks(self) -> tuple[float, ...]:
        """By seat: the height of the mark at the end of its line; marks do not overlap."""
        return spread_labels([float(line.rpartition(",")[2]) for line in self.lines], MARK_HEIGHT, HEIGHT)


def analyse_match(matches: Matches, match: Match) -> ScoreAnalysis | None:
    """Return the analysis of the points in all entries of a match, or None for a title without sources of points."""
    if match.definition.sources is None:
        return None
    effects = []
    for entry in matches.entries(match.id):
        fact = read_fact(match.definition, entry)
        if isinstance(fact, ActionTaken | MatchStarted):
            effects += [(entry.version, effect) for effect in fact.effects]
    return analyse_gains(
        match.definition, tuple(match.definition.sources.gains(effects)), len(match.seats), match.version
    )


def analyse_gains(title: AnyTitle, gains: Sequence[Gain], seats: int, last: int) -> ScoreAnalysis:
    """Return the analysis of these gains.

    Sources are in the title's order, and a source without points is left out. `seats` is the number of seats, `last`
    the last version on the time axis.
    """
    assert title.sources is not None
    by_source, by_place = Counter[tuple[str, int]](), Counter[tuple[str, int]]()
    for gain in gains:
        by_source[gain.source, gain.seat] += gain.points
        if gain.place:
            by_place[gain.place, gain.seat] += gain.points
    sources = tuple(
        ScoreRow(Message(heading), tuple(by_source[source, seat] for seat in range(seats)))
        for source, heading in title.sources.headings.items()
        if any(by_source[source, seat] for seat in range(seats))
    )
    place_heading = title.sources.place
    places = tuple(
        ScoreRow(place_heading(place), tuple(by_place[place, seat] for seat in range(seats)))
        for place in dict.fromkeys(place for place, _ in by_place)
        if place_heading is not None
    )
    return ScoreAnalysis(
        sources, places, *draw_lines(gains, seats, last), best_sources(sources, seats), main_sources(sources, seats)
    )


def best_sources(sources: Sequence[ScoreRow], seats: int) -> tuple[ScoreRow | None, ...]:
    """Return for each seat the source with its largest lead over the average of the others; the first if equal.

    None for a seat that leads in no source.
    """
    found = list[ScoreRow | None]()
    for seat in range(seats):
        leads = [(seats * row.points[seat] - sum(row.points), row) for row in sources]
        lead, best_row = max(leads, key=lambda lead_and_row: lead_and_row[0], default=(0, None))
        found.append(best_row if lead > 0 else None)
    return tuple(found)


def main_sources(sources: Sequence[ScoreRow], seats: int) -> tuple[ScoreRow | None, ...]:
    """Return for each seat the source of most of its points; the first if equal, None for a seat without points."""
    found = list[ScoreRow | None]()
    for seat in range(seats):
        main_row = max(sources, key=lambda row: row.points[seat], default=None)
        found.append(main_row if main_row is not None and main_row.points[seat] > 0 else None)
    return tuple(found)


def draw_lines(gains: Sequence[Gain], seats: int, last: int) -> tuple[tuple[str, ...], int]:
    """Return the SVG points of each seat's line of points over time, and the points at the upper edge (at least 10)."""
    lines: list[list[tuple[int, int]]] = [[(0, 0)] for _ in range(seats)]
    for gain in gains:
        lines[gain.seat].append((gain.version, lines[gain.seat][-1][1] + gain.points))
    points_max = max(10, *(points for line in lines for _, points in line))
    return tuple(step_line_points([*line, (last, line[-1][1])], last, points_max) for line in lines), points_max


def step_line_points(line: Sequence[tuple[int, int]], last: int, points_max: int) -> str:
    """Return the SVG points "x,y x,y" of a step line through (version, points) pairs.

    Negative points are drawn as 0.
    """
    points_xy = [(WIDTH * version / last, HEIGHT - HEIGHT * max(0, points) / points_max) for version, points in line]
    steps = [points_xy[0]]
    for (_, before), (x, y) in pairwise(points_xy):
        steps += [(x, before), (x, y)]
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in steps)
