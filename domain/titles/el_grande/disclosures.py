"""Effects that reveal hidden information: a closed Castillo, grey cards, power cards taken back unseen (EG-21)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.titles.el_grande.components import AREAS, CASTILLO
from domain.titles.el_grande.effects import AreaScored, CastilloOpened, PowerCardPlayed
from domain.titles.el_grande.state import State


def is_shut(state: State) -> bool:
    """Return whether players must remember the contents of the Castillo (EG-21.4)."""
    return state.setting.castillo != "open"


def shows_hand(state: State, effect: PowerCardPlayed) -> bool:
    """Return whether the effect plays a card that others could not know to be in the hand: grey or taken back.

    A hand starts with every power card. A card that was played before must have been taken back unseen (EG-12.15).
    """
    return effect.grey is not None or effect.power in state.shown[effect.seat]


DISCLOSES: Final[Mapping[type, Callable[[State, Any], bool]]] = {
    CastilloOpened: lambda state, _effect: is_shut(state),
    AreaScored: lambda state, effect: effect.area == AREAS[CASTILLO] and is_shut(state),
    PowerCardPlayed: shows_hand,
}
