"""What an edition does differently, beside its row in the component table (LG-12): a row more, and who reads it."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from domain.titles.la_granja.components import Edition
from domain.titles.la_granja.components_sense import EDITIONS
from domain.titles.la_granja.state import State
from domain.titles.la_granja.tables import box_of

ONE_BY_ONE: Final = "one_by_one"
AT_ONCE: Final = "at_once"
EXTRA_DELIVERIES: Final = (ONE_BY_ONE, AT_ONCE)
"""How extra deliveries are bought (LG-12.4), the usual way first."""

PLENTY: Final = 10_000
"""The markers of a player where there is no limit: more than a match can use up (LG-12.2, Yucata)."""


class Custom(NamedTuple):
    """What the component table does not say of an edition."""

    keeps_marks: bool
    """Markers in completed buildings may not be taken back (LG-12.2)."""
    marks_helpers: bool
    """A player marker lies on a helper used once per round, until phase IV; it may not be taken back (LG-12.6)."""
    extra_deliveries: tuple[str, ...] = (ONE_BY_ONE,)
    """How a table may buy extra deliveries (LG-12.4)."""


CUSTOMS: Final[Mapping[str, Custom]] = {
    "original": Custom(keeps_marks=True, marks_helpers=True, extra_deliveries=EXTRA_DELIVERIES),
    "deluxe": Custom(keeps_marks=False, marks_helpers=False),
    "yucata": Custom(keeps_marks=False, marks_helpers=False),
    "bga": Custom(keeps_marks=True, marks_helpers=False),
}

assert CUSTOMS.keys() == set(EDITIONS), "every edition a component file has has a row"


def edition_of(state: State) -> Edition:
    """The row of the edition that is played."""
    return box_of(state).editions[state.edition]


def custom_of(state: State) -> Custom:
    """The rest of that row."""
    return CUSTOMS[state.edition]


def marker_supply(edition: Edition) -> int:
    """The markers of a player: 25, or as many as anybody may want (LG-12.2)."""
    return edition.marker_limit or PLENTY
