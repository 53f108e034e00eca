"""Searchable and countable traits of El Grande matches: power cards, homes, action cards, king and Castillo."""

from collections.abc import Iterable, Iterator
from typing import Final

from domain.kernel.messages import N_, Message
from domain.kernel.rules import Seat
from domain.kernel.traits import Trait, TraitKind, Traits
from domain.titles.el_grande.actions import Action, MoveKing, PlaceCaballeros, PlayPowerCard, TakeActionCard
from domain.titles.el_grande.decks import CARDS
from domain.titles.el_grande.effects import (
    ActionCardTaken,
    CaballerosMoved,
    Effect,
    HomeTaken,
    PowerCardPlayed,
    RoundBegun,
)
from domain.titles.el_grande.words_terms import caballeros, place

CASTILLO: Final = "castillo"
KINDS: Final = {
    "power": TraitKind(N_("Power cards played"), "round"),
    "home": TraitKind(N_("Home regions")),
    "king": TraitKind(N_("Moves of the king")),
    "castillo": TraitKind(N_("Caballeros put into the Castillo in one go"), "round"),
    "action_card": TraitKind(N_("Action cards taken")),
}


def read(seat: Seat, action: Action | None, effects: Iterable[Effect], round_: int) -> Iterator[Trait]:
    """Yield the traits of an entry: king's destination, homes, cards played and taken, placements in the Castillo.

    Only a colour's own caballeros count. `round_` is the round after the entry, even if the entry began it.
    """
    effect_list = tuple(effects)
    round_ -= sum(isinstance(effect, RoundBegun) for effect in effect_list)
    if isinstance(action, MoveKing):
        yield Trait(seat, "king", action.place)
    for effect in effect_list:
        match effect:
            case RoundBegun():
                round_ += 1
            case HomeTaken(seat=owner, region=region):
                yield Trait(owner, "home", region)
            case PowerCardPlayed(seat=owner, power=power):
                yield Trait(owner, "power", str(power), round_)
            case ActionCardTaken(seat=owner, card=card):
                yield Trait(owner, "action_card", card)
            case CaballerosMoved(seat=owner, lines=lines):
                count = sum(line.count for line in lines if line.target == CASTILLO and line.colour == owner)
                if count:
                    yield Trait(owner, CASTILLO, str(count), round_)
            case _:
                pass


def choice(action: Action) -> tuple[str, str] | None:
    """Return (kind, value) of a choice that is counted, or None: power or action card, king, own Castillo placement."""
    match action:
        case PlayPowerCard(power=power):
            return "power", str(power)
        case TakeActionCard(card=card):
            return "action_card", card
        case MoveKing(place=target):
            return "king", target
        case PlaceCaballeros(area="castillo", count=count):
            return CASTILLO, str(count)
        case _:
            return None


def name(kind: str, value: str) -> Message | str:
    """Return a trait's value in words; an action card that no card set knows keeps its id."""
    if kind in {"home", "king"}:
        return place(value)
    if kind == CASTILLO:
        return caballeros(int(value))
    if kind == "action_card":
        card = next((cards[value] for cards in CARDS.values() if value in cards), None)
        return Message(card.name) if card else value
    return value


TRAITS: Final = Traits(KINDS, read, choice, name, edition="cards", round_ahead=1)
