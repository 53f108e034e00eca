"""What the parts of a judgement are called where a puzzle says why a choice is best."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.kernel.messages import N_

REASON: Final = N_("{part}: {points} points more than the second best choice")
PARTS: Final[Mapping[str, str]] = {
    "points": N_("Points already scored"),
    "others": N_("Points kept from the others"),
    "majorities": N_("Majorities"),
    "castillo": N_("Castillo"),
    "board": N_("Caballeros on the board"),
    "court": N_("Caballeros in the court"),
    "province": N_("Caballeros in the provinces"),
    "vetoes": N_("Veto"),
    "turn": N_("What is left of the turn"),
    "silver": N_("Silver"),
    "goods": N_("Goods"),
    "barrows": N_("Market barrows"),
    "buildings": N_("Craft buildings"),
    "market": N_("Market"),
    "siesta": N_("Siesta"),
    "cards": N_("Cards"),
    "fields": N_("Fields"),
    "extensions": N_("Farm extensions"),
    "helpers": N_("Helpers"),
    "roofs": N_("Roof tiles"),
}
