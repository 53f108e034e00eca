"""Reasons against a place on the map that hold for every action."""

from typing import Final

from domain.kernel.messages import Message
from domain.kernel.refusals import Refusal
from domain.titles.el_grande import words_terms as terms
from domain.titles.el_grande.components import PLACE_INDEX
from domain.titles.el_grande.state import State, king_region

CASTILLO_SHUT: Final = Refusal("EG-7.3", Message("Nothing leaves the Castillo before it is opened."))
ABROAD: Final = frozenset({"france", "portugal"})
NOTHING_ABROAD: Final = Refusal("EG-5.10", Message("Only the king can be in France or Portugal."))


def is_taboo(state: State, area: str) -> bool:
    """Return whether the area is the king's region (EG-6.1)."""
    return PLACE_INDEX.get(area) == king_region(state)


TABOO: Final = Refusal("EG-6.1", Message("This is the king's region: nothing else may enter or leave it."))
FAR_FROM_KING: Final = Refusal("EG-5.9", Message("You can only place in regions next to the king and in the Castillo."))


def none_of(rule: str, state: State, colour: int) -> Refusal:
    """Return that a colour has no caballero at the place that may be taken."""
    player = terms.player(state.setting, colour)
    return Refusal(rule, Message("{player} has no caballeros there that can be taken.", {"player": player}))
