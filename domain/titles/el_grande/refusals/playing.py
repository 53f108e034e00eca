"""Reasons against power cards, making up a call, and taking an action card (EG-4, EG-5.5, EG-5.7)."""

from domain.kernel.messages import Message
from domain.kernel.refusals import Refusal
from domain.titles.el_grande import words_terms as terms
from domain.titles.el_grande.cards import GREY_FIRST
from domain.titles.el_grande.components import POWERS
from domain.titles.el_grande.parts import area_at, name_in_part
from domain.titles.el_grande.refusals.places import TABOO, is_taboo, none_of
from domain.titles.el_grande.state import State


def power(state: State, seat: int, part: str) -> Refusal | None:
    """Return why a power card, or a grey card alone, cannot be played (EG-4.2, EG-8.3, EG-20.2, EG-20.3)."""
    if name_in_part(part, "hand"):
        return Refusal("EG-20.2", Message("A grey card is played with a power card: choose the power card."))
    value = next((each for each in POWERS if str(each) == name_in_part(part, "power")), None)
    if value is None:
        return None
    args: terms.Args = {"power": value}
    if value not in state.hands[seat]:
        return Refusal("EG-8.3", Message("You have already played power card {power}.", args))
    if any(card >= GREY_FIRST for card in state.hands[seat]):
        return Refusal("EG-20.3", Message("Every total you can make with {power} is already on the table.", args))
    return Refusal("EG-4.2", Message("{power} has already been played this round.", args))


def make_up(state: State, seat: int, part: str) -> Refusal | None:
    """Return why a place cannot make up a call (EG-5.5, EG-6.1)."""
    match area_at(part):
        case "province":
            return Refusal("EG-5.5", Message("Your Province is empty."))
        case "castillo":
            return Refusal("EG-5.5", Message("Caballeros cannot be called from the Castillo."))
        case "" | "court" | "france" | "portugal":
            return None
        case region:
            return TABOO if is_taboo(state, region) else none_of("EG-5.5", state, seat)


def take(_state: State, _seat: int, part: str) -> Refusal | None:
    """Return that another player has taken the card (EG-5.7); None for a part that is no action card."""
    if name_in_part(part, "card"):
        return Refusal("EG-5.7", Message("That card is no longer on offer."))
    return None
