"""Effects that show what was hidden: a shut Castillo, grey cards, power cards that were taken back unseen (EG-21)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.titles.el_grande.components import AREAS, CASTILLO
from domain.titles.el_grande.effects import AreaScored, CastilloOpened, PowerCardPlayed
from domain.titles.el_grande.state import State


def is_shut(state: State) -> bool:
    """Return whether the players have to remember what is in the Castillo (EG-21.4)."""
    return state.setting.castillo != "open"


def shows_hand(state: State, effect: PowerCardPlayed) -> bool:
    """Return whether a card is played of which others could not know that it is in the hand.

    Every hand begins with all power cards; one that was played before has been taken back unseen (EG-12.15).
    """
    return effect.grey is not None or effect.power in state.shown[effect.seat]


DISCLOSES: Final[Mapping[type, Callable[[State, Any], bool]]] = {
    CastilloOpened: lambda state, _effect: is_shut(state),
    AreaScored: lambda state, effect: effect.area == AREAS[CASTILLO] and is_shut(state),
    PowerCardPlayed: shows_hand,
}
