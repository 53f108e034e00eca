"""The chances to win through a match as a small picture, with marks where something was given away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from api.http.charts import MATCH, EntryChart, across
from domain.analyses.report import WHOLE, Analysis, Decision, Grade

MARKED: Final[tuple[Grade, ...]] = ("inaccuracy", "mistake", "blunder")
QUARTERS: Final = 4


class Slip(msgspec.Struct, frozen=True):
    """A decision that cost something, where it stands."""

    entry: int
    seat: int
    grade: Grade
    x: float
    y: float


class Level(msgspec.Struct, frozen=True):
    percent: int
    y: float


class ChancesChart(EntryChart, frozen=True):
    """The picture; `paths` by seat."""

    paths: tuple[str, ...]
    slips: tuple[Slip, ...]
    levels: tuple[Level, ...]


def y_of(chance: int) -> float:
    return MATCH.y_of(chance, 0, WHOLE)


def draw_chances(analysis: Analysis) -> ChancesChart | None:
    """Nothing where nobody had a choice."""
    decisions = analysis.decisions
    if not decisions:
        return None
    first, last = decisions[0].entry, analysis.entries
    return ChancesChart(
        first,
        last,
        tuple(path_of(decisions, seat, first, last) for seat in range(analysis.seats)),
        tuple(
            Slip(each.entry, each.seat, each.grade, across(each.entry, first, last), y_of(each.chances[each.seat]))
            for each in decisions
            if each.grade in MARKED
        ),
        tuple(Level(100 * part // QUARTERS, y_of(WHOLE * part // QUARTERS)) for part in range(QUARTERS + 1)),
    )


def path_of(decisions: Sequence[Decision], seat: int, first: int, last: int) -> str:
    points = [f"{across(each.entry, first, last):g} {y_of(each.chances[seat]):g}" for each in decisions]
    return "M" + "L".join(points)
