"""Points for a place in a contest, in sixtieths: by the table or the formula of the plan, and the contest's weight."""

from collections.abc import Callable, Mapping
from typing import Final

from domain.circuits.plan import CircuitPlan, Term, TermKind
from domain.standings.points import SIXTIETHS_PER_POINT

FULL_WEIGHT: Final = 100
"""The weight, in percent, of an ordinary contest."""

QUANTITIES: Final[Mapping[TermKind, Callable[[Term, int, int], tuple[int, int]]]] = {
    "constant": lambda _term, _place, _size: (1, 1),
    "beaten": lambda _term, place, size: (size - place, 1),
    "share": lambda _term, place, size: (size - place, max(1, size - 1)),
    "size": lambda _term, _place, size: (size, 1),
    "inverse": lambda _term, place, _size: (1, place),
    "top": lambda term, place, _size: (int(place <= term.places), 1),
}
"""The quantity of each kind of term for a place and a size, as numerator and denominator."""


def points_at(plan: CircuitPlan, place: int, size: int) -> int:
    """Return the sixtieths for an unshared place, 1 to `size`, in a contest of this size."""
    if plan.formula is not None:
        return sum(value_of_term(term, place, size) for term in plan.formula.terms)
    rows = [row for row in plan.table if row.size <= size]
    points = max(rows, key=lambda row: row.size).points if rows else ()
    return points[place - 1] * SIXTIETHS_PER_POINT if place <= len(points) else 0


def value_of_term(term: Term, place: int, size: int) -> int:
    """Return the sixtieths of a term; fractions of a sixtieth are dropped."""
    numerator, denominator = QUANTITIES[term.kind](term, place, size)
    return term.factor * SIXTIETHS_PER_POINT * numerator // denominator


def shared_points(plan: CircuitPlan, place: int, tied: int, size: int, weight: int = FULL_WEIGHT) -> int:
    """Return the sixtieths of each of `tied` people at a place, who share the points of the places they cover."""
    covered = sum(points_at(plan, at, size) for at in range(place, place + tied))
    return covered // tied * weight // FULL_WEIGHT


def most_points(plan: CircuitPlan, size: int, weight: int = FULL_WEIGHT) -> int:
    """Return the most sixtieths that anyone can earn in a contest of at most this size."""
    if plan.formula is not None:
        best = points_at(plan, 1, size) if size else 0
    else:
        best = max((points_at(plan, 1, row.size) for row in plan.table if row.size <= size), default=0)
    return best * weight // FULL_WEIGHT
