"""The plan of a circuit: points by place and size, counted results, thresholds, tie-breaks and places in the final."""

from typing import Annotated, Final, Literal

import msgspec

from domain.circuits.fact_base import Text
from domain.contests.errors import ContestRefused
from domain.kernel.bounds import NAME_MAX
from domain.kernel.texts import LINE_DESCRIPTION, fault_of_line, name_key
from domain.kernel.values import Value
from domain.standings.contest import ENTRIES_MAX

CONTESTS_MAX: Final = 100
ROWS_MAX: Final = 20
PLACES_MAX: Final = 200
TERMS_MAX: Final = 12
POINTS_MAX: Final = 100_000
DAYS_MAX: Final = 60

TermKind = Literal["constant", "beaten", "share", "size", "inverse", "top"]
"""The quantity that a term multiplies.

`constant`: 1. `beaten`: the number of participants behind the place. `share`: from 1 for the first to 0 for the last
place. `size`: the number of participants. `inverse`: 1 divided by the place. `top`: 1 for the best `places`, else 0.
"""
CircuitTieBreak = Literal["countback", "dropped", "wins", "results", "recent", "lot"]
"""Tie-breaks of a circuit.

`countback`: the best result that counts, then the second best, and so on. `dropped`: the same for results that do not
count. `wins`: first places. `results`: the number of results. `recent`: the result in the last contest, then in the one
before. `lot`: a fixed random order.
"""
Factor = Annotated[int, msgspec.Meta(ge=1, le=POINTS_MAX)]
Points = Annotated[int, msgspec.Meta(ge=0, le=POINTS_MAX)]
Count = Annotated[int, msgspec.Meta(ge=0, le=ENTRIES_MAX)]
Contests = Annotated[int, msgspec.Meta(ge=0, le=CONTESTS_MAX)]


class CircuitRefused(ContestRefused):
    """A command that does not fit the state of the circuit; the message gives the reason."""


class PointsRow(Value, frozen=True):
    """Points by place, the first place first, of contests with at least `size` participants."""

    size: Annotated[int, msgspec.Meta(ge=1, le=ENTRIES_MAX)]
    points: Annotated[tuple[Points, ...], msgspec.Meta(max_length=PLACES_MAX)]


class Term(Value, frozen=True, omit_defaults=True):
    """A term of a formula: `factor` points times a quantity; `places` is for `top` only."""

    kind: TermKind
    factor: Factor
    places: Annotated[int, msgspec.Meta(ge=1, le=PLACES_MAX)] = 1


class Formula(Value, frozen=True):
    """Points as a sum of terms. No factor is negative, so a better place never earns less."""

    terms: Annotated[tuple[Term, ...], msgspec.Meta(max_length=TERMS_MAX)]


class CircuitPlan(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The plan of a circuit; points follow from a table or a formula."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_MAX, description=LINE_DESCRIPTION)]
    table: Annotated[tuple[PointsRow, ...], msgspec.Meta(max_length=ROWS_MAX)] = ()
    formula: Formula | None = None
    best: Contests = 0
    """The number of results that count, the best ones; 0: all."""
    per_title: Contests = 0
    """The number of results of one title that count; 0: no limit."""
    participants_min: Count = 0
    """A contest with fewer participants does not count."""
    results_min: Contests = 0
    """People with fewer results have no rank."""
    tie_breaks: tuple[CircuitTieBreak, ...] = ("countback", "wins")
    """If they do not decide, a rank is shared."""
    qualify: Count = 0
    """The number of places in the final; 0: there is no final."""
    answer_days: Annotated[int, msgspec.Meta(ge=0, le=DAYS_MAX)] = 7
    """Days to answer an invitation to the final, after which the place goes to the next; 0: no limit."""
    text: Text = ""


def check_circuit(plan: CircuitPlan) -> None:
    """Raise `CircuitRefused` if the plan contradicts itself; the message names the value."""
    if not name_key(plan.name):
        raise CircuitRefused("enter a name for the circuit")
    if (fault := fault_of_line("the name of the circuit", plan.name)) is not None:
        raise CircuitRefused(fault)
    if plan.formula is None:
        check_table(plan.table)
    elif plan.table:
        raise CircuitRefused("a circuit has either a table of points or a formula, not both")
    elif not plan.formula.terms:
        raise CircuitRefused("a formula without terms gives no points")
    if plan.best and plan.results_min > plan.best:
        raise CircuitRefused(f"a rank needs {plan.results_min} results, but only the best {plan.best} count")
    if len(set(plan.tie_breaks)) < len(plan.tie_breaks):
        raise CircuitRefused("a tie-break is named twice")


def check_table(rows: tuple[PointsRow, ...]) -> None:
    """Raise `CircuitRefused` unless the table gives points that never rise from place to place, once for each size."""
    if not any(any(row.points) for row in rows):
        raise CircuitRefused("state the points by place, in a table or by a formula")
    sizes = [row.size for row in rows]
    for row in rows:
        if sizes.count(row.size) > 1:
            raise CircuitRefused(f"the points of contests from {row.size} participants on are given twice")
        for place, (points, after) in enumerate(zip(row.points, row.points[1:], strict=False), start=2):
            if after > points:
                raise CircuitRefused(
                    f"from {row.size} participants on, place {place} earns {after} points, more than the place before"
                )
