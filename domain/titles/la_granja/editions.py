"""Edition differences that the component table does not state (LG-12), and accessors of both."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from domain.titles.la_granja.components import Edition
from domain.titles.la_granja.components_sense import EDITIONS
from domain.titles.la_granja.state import State
from domain.titles.la_granja.tables import box_of

ONE_BY_ONE: Final = "one_by_one"
AT_ONCE: Final = "at_once"
EXTRA_DELIVERIES: Final = (ONE_BY_ONE, AT_ONCE)
"""Ways to buy extra deliveries (LG-12.4), default first."""

PLENTY: Final = 10_000
"""Markers per player in an edition without a limit: more than a match can use (LG-12.2, Yucata)."""


class Custom(NamedTuple):
    """Rules of an edition that the component table does not state."""

    keeps_marks: bool
    """Whether markers in completed buildings cannot be taken back (LG-12.2)."""
    marks_helpers: bool
    """Whether a player marker stays on a used once-per-round helper until phase IV and cannot be taken back (LG-12.6).
    """
    extra_deliveries: tuple[str, ...] = (ONE_BY_ONE,)
    """Allowed ways to buy extra deliveries (LG-12.4)."""


CUSTOMS: Final[Mapping[str, Custom]] = {
    "original": Custom(keeps_marks=True, marks_helpers=True, extra_deliveries=EXTRA_DELIVERIES),
    "deluxe": Custom(keeps_marks=False, marks_helpers=False),
    "yucata": Custom(keeps_marks=False, marks_helpers=False),
    "bga": Custom(keeps_marks=True, marks_helpers=False),
}

assert CUSTOMS.keys() == set(EDITIONS), "every edition a component file has has a row"


def edition_of(state: State) -> Edition:
    """Return the component table's row of the edition in play."""
    return box_of(state).editions[state.edition]


def custom_of(state: State) -> Custom:
    """Return the additional rules of the edition in play."""
    return CUSTOMS[state.edition]


def marker_supply(edition: Edition) -> int:
    """Return the number of markers per player: 25, or `PLENTY` if the edition has no limit (LG-12.2)."""
    return edition.marker_limit or PLENTY
