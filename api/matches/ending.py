"""How a match that has ended came to its scores: what each source brought, and the points over time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import msgspec

from api.http.charts import spread
from domain.eventstore.application import Matches
from domain.kernel.messages import Message
from domain.kernel.title import AnyTitle, Gain
from domain.matches.aggregate import Match
from domain.matches.facts import ActionTaken, MatchStarted
from domain.matches.titles import read_fact

WIDTH: Final = 320
HEIGHT: Final = 110
MARK: Final = 17.0
"""So far apart the marks at the ends of lines stand."""


class Row(msgspec.Struct, frozen=True):
    """What a source, or a place, brought to each seat."""

    heading: Message
    points: tuple[int, ...]

    @property
    def best(self) -> int | None:
        """What the best seat got, where not all got the same."""
        most = max(self.points)
        return most if most > min(self.points) else None


class Ending(msgspec.Struct, frozen=True):
    """The way of every seat to its score."""

    sources: tuple[Row, ...]
    places: tuple[Row, ...]
    """By place, for a title whose points come from places."""
    lines: tuple[str, ...]
    """By seat: the points over time as corners of a line, in a picture of `WIDTH` × `HEIGHT`."""
    top: int
    """The points at the upper edge of that picture."""
    bests: tuple[Row | None, ...] = ()
    """By seat: the source in which it was furthest ahead of the others; none where it was ahead in none."""
    mosts: tuple[Row | None, ...] = ()
    """By seat: the source that brought it most; none where nothing brought it a point."""

    @property
    def marks(self) -> tuple[float, ...]:
        """By seat: how high its mark stands at the end of its line, none over another."""
        return spread([float(line.rpartition(",")[2]) for line in self.lines], MARK, HEIGHT)


def ending_of(matches: Matches, match: Match) -> Ending | None:
    """The ending of a match; `None` for a title that does not say where points come from."""
    if match.definition.sources is None:
        return None
    effects = []
    for entry in matches.entries(match.id):
        fact = read_fact(match.definition, entry)
        if isinstance(fact, ActionTaken | MatchStarted):
            effects += [(entry.version, effect) for effect in fact.effects]
    return ending(match.definition, tuple(match.definition.sources.gains(effects)), len(match.seats), match.version)


def ending(title: AnyTitle, gains: Sequence[Gain], seats: int, last: int) -> Ending:
    """The ending that these gains make."""
    assert title.sources is not None
    by_source, by_place = Counter[tuple[str, int]](), Counter[tuple[str, int]]()
    for gain in gains:
        by_source[gain.source, gain.seat] += gain.points
        if gain.place:
            by_place[gain.place, gain.seat] += gain.points
    sources = tuple(
        Row(Message(heading), tuple(by_source[source, seat] for seat in range(seats)))
        for source, heading in title.sources.headings.items()
        if any(by_source[source, seat] for seat in range(seats))
    )
    word = title.sources.place
    places = tuple(
        Row(word(place), tuple(by_place[place, seat] for seat in range(seats)))
        for place in dict.fromkeys(place for place, _ in by_place)
        if word is not None
    )
    return Ending(sources, places, *drawn(gains, seats, last), bests_of(sources, seats), mosts_of(sources, seats))


def bests_of(sources: Sequence[Row], seats: int) -> tuple[Row | None, ...]:
    """By seat the source in which it got most above what the others got of it on average, the first of equal ones."""
    found = list[Row | None]()
    for seat in range(seats):
        leads = [(seats * row.points[seat] - sum(row.points), row) for row in sources]
        lead, best = max(leads, key=lambda pair: pair[0], default=(0, None))
        found.append(best if lead > 0 else None)
    return tuple(found)


def mosts_of(sources: Sequence[Row], seats: int) -> tuple[Row | None, ...]:
    """By seat the source that brought it most, the first of equal ones."""
    found = list[Row | None]()
    for seat in range(seats):
        most = max(sources, key=lambda row: row.points[seat], default=None)
        found.append(most if most is not None and most.points[seat] > 0 else None)
    return tuple(found)


def drawn(gains: Sequence[Gain], seats: int, last: int) -> tuple[tuple[str, ...], int]:
    """The points of every seat as a line of steps, and the points at the upper edge."""
    ways: list[list[tuple[int, int]]] = [[(0, 0)] for _ in range(seats)]
    for gain in gains:
        ways[gain.seat].append((gain.version, ways[gain.seat][-1][1] + gain.points))
    top = max(10, *(points for way in ways for _, points in way))
    return tuple(corners([*way, (last, way[-1][1])], last, top) for way in ways), top


def corners(way: Sequence[tuple[int, int]], last: int, top: int) -> str:
    """A line that stays as high as it was until the next points come."""
    placed = [(WIDTH * version / last, HEIGHT - HEIGHT * max(0, points) / top) for version, points in way]
    steps = [placed[0]]
    for (_, before), (x, y) in pairwise(placed):
        steps += [(x, before), (x, y)]
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in steps)
