"""Effects that disclose hidden information: cards leaving a hand, and whether secret VP are left."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.titles.la_granja.agenda import Layout
from domain.titles.la_granja.editions import edition_of
from domain.titles.la_granja.effects import CardDiscarded, CardPlayed, GoodPaid, Planned
from domain.titles.la_granja.state import State

PRIVATE_SIDES: Final = frozenset({"hand", "aside"})
"""Locations of cards that only their seat knows."""


def names_card(_state: State, effect: Planned) -> bool:
    """Return whether the plan names a card from the hand that will be laid after payment (LG-3.1.7)."""
    return any(isinstance(task, Layout) for task in effect.tasks)


def pays_secret_points(state: State, effect: GoodPaid) -> bool:
    """Return whether secret VP are paid, which discloses whether any are left (LG-12.3)."""
    return effect.good == "vp" and not edition_of(state).vp_open


DISCLOSES: Final[Mapping[type, Callable[[State, Any], bool]]] = {
    CardPlayed: lambda _state, _effect: True,
    Planned: names_card,
    GoodPaid: pays_secret_points,
    CardDiscarded: lambda _state, effect: effect.side in PRIVATE_SIDES,
}
