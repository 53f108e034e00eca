"""Edition differences that the component table does not state (LG-12), and accessors of both."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from domain.titles.la_granja.components import Edition
from domain.titles.la_granja.components_checks import EDITIONS
from domain.titles.la_granja.state import State
from domain.titles.la_granja.tables import box_of

ONE_BY_ONE: Final = "one_by_one"
AT_ONCE: Final = "at_once"
EXTRA_DELIVERIES: Final = (ONE_BY_ONE, AT_ONCE)
"""Ways to buy extra deliveries (LG-12.4), default first."""

UNLIMITED_MARKERS: Final = 10_000
"""Markers per player in an edition without a limit: more than a match can use (LG-12.2, Yucata)."""


class EditionRules(NamedTuple):
    """Rules of an edition that the component table does not state."""

    keeps_marks: bool
    """Whether markers in completed buildings cannot be taken back (LG-12.2)."""
    marks_helpers: bool
    """Whether a player marker stays on a used once-per-round helper until phase IV and cannot be taken back (LG-12.6).
    """
    extra_deliveries: tuple[str, ...] = (ONE_BY_ONE,)
    """Allowed ways to buy extra deliveries (LG-12.4)."""


EDITION_RULES: Final[Mapping[str, EditionRules]] = {
    "original": EditionRules(keeps_marks=True, marks_helpers=True, extra_deliveries=EXTRA_DELIVERIES),
    "deluxe": EditionRules(keeps_marks=False, marks_helpers=False),
    "yucata": EditionRules(keeps_marks=False, marks_helpers=False),
    "bga": EditionRules(keeps_marks=True, marks_helpers=False),
}

assert EDITION_RULES.keys() == set(EDITIONS), "every edition a component file has has a row"


def edition_of(state: State) -> Edition:
    """Return the component table's row of the edition in play."""
    return box_of(state).editions[state.edition]


def edition_rules_of(state: State) -> EditionRules:
    """Return the additional rules of the edition in play."""
    return EDITION_RULES[state.edition]


def marker_supply(edition: Edition) -> int:
    """Return the number of markers per player: 25, or `UNLIMITED_MARKERS` if the edition has no limit (LG-12.2)."""
    return edition.marker_limit or UNLIMITED_MARKERS
