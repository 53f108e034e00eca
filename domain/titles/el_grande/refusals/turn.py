"""Reasons in a turn with an action card or a grey card (EG-5.8 to EG-5.12, EG-20.5)."""

from typing import Final

from domain.kernel.messages import Message
from domain.kernel.refusals import Refusal
from domain.titles.el_grande.cards import Alternative, ChooseOne
from domain.titles.el_grande.decks import card_of
from domain.titles.el_grande.parts import IN_PLAY, VETO, area_at, name_in_part
from domain.titles.el_grande.phases.special import chosen_kind, printed_kind
from domain.titles.el_grande.phases.turns import placement_left
from domain.titles.el_grande.refusals.places import ABROAD, FAR_FROM_KING, NOTHING_ABROAD, TABOO, is_taboo
from domain.titles.el_grande.refusals.specials import SPECIAL_REFUSALS
from domain.titles.el_grande.state import State

NOT_ON_THE_MAP: Final = frozenset({"court", "province"})


def turn(state: State, seat: int, part: str) -> Refusal | None:
    """Return why a card or place cannot be chosen while an action card is in play; None for other parts."""
    if name_in_part(part, "card"):
        return Refusal("EG-2.2", Message("You can take only one action card each round."))
    if name_in_part(part, "power") or name_in_part(part, "hand"):
        return Refusal("EG-4.1", Message("You play one power card each round, before the turns."))
    if part == VETO:
        return Refusal("EG-19.4", Message("You cannot veto your own action."))
    if part == IN_PLAY:
        return in_play(state)
    if name_in_part(part, "played"):
        return Refusal("EG-12.15", Message("Only Empowerment lets you take back a card."))
    area = area_at(part)
    if not area:
        return None
    if state.drafting:
        return special(state, seat, area)
    if is_taboo(state, area) and not is_about_the_king(state, seat):
        return TABOO
    if placement_left(state, seat) and area not in NOT_ON_THE_MAP:
        return far_from_king(area)
    return (None if state.special_used else special(state, seat, area)) or why_not_placed(state, area)


def grey(state: State, seat: int, part: str) -> Refusal | None:
    """Return why a place cannot be chosen for the grey effect (EG-20.5)."""
    area = area_at(part)
    return special(state, seat, area) if area else None


def in_play(state: State) -> Refusal:
    """Return why the card in play cannot be clicked: it is used, or needs a choice on the board (EG-5.8)."""
    if state.special_used:
        return Refusal("EG-5.8", Message("The special action has already been used."))
    if state.drafting:
        return Refusal(
            "EG-12.2", Message("You have begun to choose for the special action: carry it out or start over.")
        )
    return Refusal("EG-5.12", Message("Choose on the board what the special action should do."))


def is_about_the_king(state: State, seat: int) -> bool:
    """Return whether the special action moves the king, for whom the taboo is not the reason."""
    return not state.special_used and printed_kind(state, seat)[0] == "move_king"


def far_from_king(area: str) -> Refusal:
    """Return that a placement cannot go abroad, or that the area is not next to the king (EG-5.9, EG-5.10)."""
    if area in ABROAD:
        return NOTHING_ABROAD
    return FAR_FROM_KING


def why_not_placed(state: State, area: str) -> Refusal | None:
    """Return why no placement is possible (EG-5.9), or for the Province why no call is (EG-5.3)."""
    if area == "province":
        return Refusal("EG-5.3", Message("Caballeros are called at the start of a turn."))
    if state.placed >= card_of(state, state.card).caballeros:
        return Refusal("EG-5.9", Message("You have placed all the caballeros this card allows."))
    return Refusal("EG-5.9", Message("You have no caballeros in your Court to place."))


def special(state: State, seat: int, area: str) -> Refusal | None:
    """Return why the special action cannot use an area; of two alternatives, the first reason (EG-19.5)."""
    kind, params = chosen_kind(state, seat)
    options = params.options if isinstance(params, ChooseOne) else (Alternative(kind, params),)
    refusals = (
        SPECIAL_REFUSALS[each.kind](state, seat, each.params, area) for each in options if each.kind in SPECIAL_REFUSALS
    )
    return next((each for each in refusals if each is not None), None)
