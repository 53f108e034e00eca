"""Reasons against a place in a special action or grey effect, by kind (EG-12, EG-18)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.kernel.messages import Message
from domain.kernel.refusals import Refusal
from domain.titles.el_grande.action_cards.pieces import escort_choices
from domain.titles.el_grande.action_cards.returns import arrested_colours
from domain.titles.el_grande.cards import MoveTheKing
from domain.titles.el_grande.components import (
    AREAS,
    CASTILLO,
    KING_INDEX,
    PLACE_INDEX,
    REGION_COUNT,
    REGIONS,
)
from domain.titles.el_grande.refusals.drafts import evacuation, from_court, move, muster
from domain.titles.el_grande.refusals.places import TABOO, is_taboo, none_of
from domain.titles.el_grande.state import State, king_region

NOT_A_REGION: Final = Message("The Castillo is not a region.")


def arrest(state: State, seat: int, _params: object, area: str) -> Refusal | None:
    """Return why no caballero can be arrested at an area (EG-12.7)."""
    colours = arrested_colours(state, seat)
    if not colours:
        return Refusal("EG-12.7", Message("You have already chosen one caballero of each opponent."))
    if area not in REGIONS:
        return Refusal("EG-12.7", Message("You can only choose caballeros in regions."))
    return TABOO if is_taboo(state, area) else none_of("EG-12.7", state, colours[0])


def coup(_state: State, _seat: int, _params: object, area: str) -> Refusal | None:
    """Return that a Coup cannot name the Castillo (EG-12.17)."""
    return Refusal("EG-12.17", NOT_A_REGION) if area == "castillo" else None


def score_region(_state: State, _seat: int, _params: object, area: str) -> Refusal | None:
    """Return that a card of 2023 cannot score the Castillo (EG-12.9)."""
    return Refusal("EG-12.9", NOT_A_REGION) if area == "castillo" else None


def scoreboard(_state: State, _seat: int, _params: object, area: str) -> Refusal | None:
    """Return that an area already has a scoreboard (EG-12.14, EG-11.2); None for any other place."""
    if area not in AREAS:
        return None
    return Refusal("EG-11.2", Message("There is already a scoreboard there."))


def grande(state: State, seat: int, _params: object, area: str) -> Refusal | None:
    """Return why the Grande cannot move to an area (EG-12.16); None if no reason is known."""
    home = state.grandes[seat]
    if home == CASTILLO:
        return Refusal("EG-12.16", Message("Your Grande is in the Castillo and stays there until it is opened."))
    if home == king_region(state):
        return Refusal("EG-12.16", Message("Your Grande is in the king's region and cannot leave it."))
    if area == "castillo":
        return Refusal("EG-12.16", Message("Your Grande can only move to a region, not into the Castillo."))
    if PLACE_INDEX.get(area) == home:
        return Refusal("EG-12.16", Message("Your Grande is already there."))
    return None


def king(state: State, _seat: int, params: MoveTheKing, area: str) -> Refusal | None:
    """Return why the card cannot send the king to a place (EG-12.19, EG-18.4, EG-18.5, EG-18.11, EG-18.12).

    None for a part where the king can never be.
    """
    index = KING_INDEX.get(area)
    if index is None:
        return None
    if escort_choices(state, params):
        return Refusal("EG-18.5", Message("First choose who goes with the king."))
    if index == state.king:
        return Refusal("EG-12.19", Message("The king is already there."))
    if params.range == "exile":
        return Refusal("EG-18.4", Message("This card can only send the king to France or Portugal."))
    if index >= REGION_COUNT:
        return Refusal("EG-6.4", Message("The king can only move to a region."))
    if params.range == "adjacent":
        return Refusal("EG-12.19", Message("With this card the king moves to a neighbouring region."))
    if params.range == "fewest_caballeros":
        return Refusal("EG-18.11", Message("With this card the king moves to the region with the fewest caballeros."))
    return Refusal("EG-18.12", Message("With this card the king moves to your Grande's region."))


RefuseSpecial = Callable[[State, int, Any, str], Refusal | None]
"""A function from state, acting seat, card parameters and place to the reason, or None."""

SPECIAL_REFUSALS: Final[Mapping[str, RefuseSpecial]] = {
    "move_caballeros": move,
    "move_all_from_region": evacuation,
    "place_from_court": from_court,
    "muster": muster,
    "return_one_each": arrest,
    "coup": coup,
    "score_chosen_region": score_region,
    "place_scoreboard": scoreboard,
    "move_grande": grande,
    "move_king": king,
}
"""The kinds that choose places; the others have no reason that depends on a place."""
