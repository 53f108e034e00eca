"""The illustrations of El Grande's rules: a position computed by the domain and drawn as on the match page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

import msgspec

from api.titles.el_grande import drawing
from domain.kernel.chance import SeededChance
from domain.titles import el_grande
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.components import AREA_NAMES, AREAS, CALLS, POWERS, Area
from domain.titles.el_grande.scoring import area_points, prices
from domain.titles.el_grande.state import DraftLine, State
from domain.titles.el_grande.view import View, view

KEY: Final = bytes(range(32))
SEATS: Final = 4
PLACED: Final[tuple[tuple[int, Area, int], ...]] = (
    (0, "castilla", 3),
    (1, "castilla", 3),
    (2, "castilla", 1),
    (3, "castilla", 1),
    (0, "toledo", 1),
    (1, "toledo", 2),
    (2, "granada", 3),
    (3, "granada", 3),
    (1, "sevilla", 1),
    (3, "valencia", 2),
    (0, "castillo", 1),
    (2, "castillo", 2),
)
"""Colour, area and number of caballeros placed from the Courts since the setup."""
BIDS: Final = ((0, 8), (1, 3), (2, 5), (3, 9))
"""The power cards on the table, in the order they were played (EG-23.1)."""
ORDER: Final = (3, 0, 2, 1)


class Majority(msgspec.Struct, frozen=True):
    """A region and the points each player would get for it."""

    name: str
    prices: tuple[int, ...]
    counts: tuple[int, ...]
    points: tuple[int, ...]
    grandes: tuple[int, ...]
    is_kings: bool


@cache
def example() -> State:
    """Return a four-player match in its first round, with caballeros placed."""
    state: State | None = None
    options = el_grande.options({"start_seat": "0"})
    for effect in el_grande.start(options, SEATS, SeededChance(KEY)):
        state = el_grande.evolve(state, effect)
    assert state is not None
    for effect in example_effects():
        state = el_grande.evolve(state, effect)
    return state


def example_effects() -> Iterator[e.Effect]:
    """Yield the effects since the setup: caballeros placed, power cards played, turn order set."""
    for colour, area, count in PLACED:
        yield e.CaballerosMoved(colour, (DraftLine(colour, "court", area, count),))
    for seat, power in BIDS:
        yield e.PowerCardPlayed(seat, power, power)
    yield e.TurnOrderSet(ORDER)


def majorities(state: State) -> tuple[Majority, ...]:
    """Return the areas with caballeros of several colours, with their current points."""
    found = []
    for index, area in enumerate(AREAS):
        counts = state.pieces[index]
        if sum(1 for count in counts if count) > 1:
            standing = tuple(seat for seat, place in enumerate(state.grandes) if place == index)
            points = area_points(state, index)
            found.append(
                Majority(AREA_NAMES[area], prices(state, index), counts, points, standing, state.king == index)
            )
    return tuple(found)


def picture() -> Mapping[str, Any]:
    """Return the template context of the illustrations."""
    state = example()
    shown_view: View = view(state, None)
    return {
        **drawing.picture(shown_view),
        "view": shown_view,
        "match": {"seat": None, "status": "running"},
        "majorities": majorities(state),
        "powers": tuple((power, CALLS[power]) for power in POWERS),
    }
