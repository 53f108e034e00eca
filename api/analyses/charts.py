"""Charts of winning chances during a match, with marks at costly decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from api.http.charts import MATCH, EntryChart, x_of_entry
from domain.analyses.report import WHOLE, Analysis, Decision, Grade

MARKED_GRADES: Final[tuple[Grade, ...]] = ("inaccuracy", "mistake", "blunder")
QUARTERS: Final = 4


class Slip(msgspec.Struct, frozen=True):
    """A costly decision and its position in the chart."""

    entry: int
    seat: int
    grade: Grade
    x: float
    y: float


class GridLine(msgspec.Struct, frozen=True):
    """A horizontal grid line."""

    percent: int
    y: float


class ChancesChart(EntryChart, frozen=True):
    """The chart; `paths` by seat."""

    paths: tuple[str, ...]
    slips: tuple[Slip, ...]
    levels: tuple[GridLine, ...]


def y_of(chance: int) -> float:
    """Return the y coordinate of a chance."""
    return MATCH.y_of(chance, 0, WHOLE)


def draw_chances(analysis: Analysis) -> ChancesChart | None:
    """Return the chart: a line for each seat and marks at costly decisions; None if there were no decisions."""
    decisions = analysis.decisions
    if not decisions:
        return None
    first, last = decisions[0].entry, analysis.entries
    return ChancesChart(
        first,
        last,
        tuple(path_of(decisions, seat, first, last) for seat in range(analysis.seats)),
        tuple(
            Slip(each.entry, each.seat, each.grade, x_of_entry(each.entry, first, last), y_of(each.chances[each.seat]))
            for each in decisions
            if each.grade in MARKED_GRADES
        ),
        tuple(
            GridLine(100 * quarter // QUARTERS, y_of(WHOLE * quarter // QUARTERS)) for quarter in range(QUARTERS + 1)
        ),
    )


def path_of(decisions: Sequence[Decision], seat: int, first: int, last: int) -> str:
    """Return the SVG path of a seat."""
    points = [f"{x_of_entry(each.entry, first, last):g} {y_of(each.chances[seat]):g}" for each in decisions]
    return "M" + "L".join(points)
