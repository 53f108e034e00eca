"""General reasons, which state whose decision is pending; used if a part has no specific reason."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.messages import Message
from domain.kernel.refusals import Refusal
from domain.titles.el_grande import words_terms as terms
from domain.titles.el_grande.state import State, Step

DUE_DECISIONS: Final[Mapping[Step, Refusal]] = {
    "pass_grey": Refusal("EG-20.1", Message("First pass one of your three grey cards to the left.")),
    "power": Refusal("EG-4.1", Message("First play a power card.")),
    "call": Refusal("EG-5.2", Message("Your turn begins with calling caballeros from the Province to the Court.")),
    "make_up": Refusal("EG-5.5", Message("First decide whether to call the missing caballeros from regions.")),
    "grey": Refusal("EG-20.5", Message("First use your grey card or skip it; the action card comes after it.")),
    "take": Refusal("EG-5.7", Message("First take one of the action cards on offer.")),
    "turn": Refusal("EG-5.8", Message("Your action card lets you place caballeros and use its special action.")),
    "veto": Refusal("EG-19.4", Message("First allow the special action or veto it.")),
    "send_back": Refusal("EG-12.6", Message("First send caballeros from your Court or regions to the Province.")),
    "secret": Refusal("EG-13.2", Message("First choose a region in secret.")),
    "discs": Refusal("EG-9.1", Message("First set your disc to a region, or leave it unclear.")),
}
"""The decision that an acting seat owes, by step."""

CHOSEN: Final = Refusal("EG-13.3", Message("You have already chosen, and your choice is final."))
UNASKED: Final[Mapping[Step, Refusal]] = {
    "secret": Refusal("EG-13.4", Message("The others choose in secret; there is nothing for you to choose.")),
    "discs": Refusal("EG-9.2", Message("Only players with a piece in the Castillo set a disc.")),
}
"""The reason for a seat that has no part in a simultaneous choice, by step."""
OVER: Final = Refusal("EG-14.1", Message("The match is over."))


def due_decision(state: State) -> Refusal:
    """Return the decision that the seat owes instead."""
    return DUE_DECISIONS[state.step]


def why_waiting(state: State, seat: int) -> Refusal:
    """Return why a seat that does not act can choose nothing: match over, already chosen, or another's decision."""
    if state.step == "over":
        return OVER
    if state.step in {"pass_grey", *UNASKED}:
        return CHOSEN if seat in state.asked else UNASKED[state.step]
    player = {"player": terms.player(state.setting, state.to_act[0])}
    if state.step == "power":
        return Refusal("EG-4.1", Message("{player} plays a power card before you.", player))
    if state.step == "veto":
        return Refusal("EG-19.4", Message("{player} decides whether to veto the special action.", player))
    if state.step == "send_back":
        return Refusal("EG-12.6", Message("{player} chooses which caballeros to send back.", player))
    return Refusal("EG-5.1", Message("It is {player}'s turn.", player))
