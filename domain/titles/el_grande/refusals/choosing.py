"""Reasons against a place in choices caused by a card or a general scoring (EG-9, EG-12, EG-13)."""

from domain.kernel.messages import Message
from domain.kernel.refusals import Refusal
from domain.titles.el_grande.cards import SecretReturn
from domain.titles.el_grande.components import AREAS, REGIONS
from domain.titles.el_grande.parts import area_at
from domain.titles.el_grande.phases.special import chosen_kind
from domain.titles.el_grande.refusals.places import CASTILLO_SHUT, TABOO, is_taboo, none_of
from domain.titles.el_grande.state import State, active


def send_back(state: State, seat: int, part: str) -> Refusal | None:
    """Return why nothing can be sent back from a place (EG-12.6); None for parts that are neither area nor Court."""
    area = area_at(part)
    if area == "castillo":
        return CASTILLO_SHUT
    if area not in {*REGIONS, "court"}:
        return None
    return TABOO if is_taboo(state, area) else none_of("EG-12.6", state, seat)


def secret(state: State, _seat: int, part: str) -> Refusal | None:
    """Return why a region cannot be chosen secretly (EG-12.8, EG-12.17); None for a part that is no area."""
    area = area_at(part)
    if area not in AREAS:
        return None
    if area == "castillo":
        return Refusal("EG-13.2", Message("The Castillo is not a region."))
    if is_taboo(state, area):
        return TABOO
    _, params = chosen_kind(state, active(state))
    if isinstance(params, SecretReturn):
        return Refusal("EG-12.8", Message("You have too few caballeros there for this card."))
    return Refusal("EG-12.17", Message("Your caballeros must leave that region."))


def discs(_state: State, _seat: int, part: str) -> Refusal | None:
    """Return why the disc cannot name the Castillo (EG-9.1); None for any other part."""
    if area_at(part) == "castillo":
        return Refusal("EG-9.1", Message("The Castillo is not a region: choose where your caballeros go from there."))
    return None
