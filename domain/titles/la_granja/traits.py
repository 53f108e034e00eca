"""Traits by which matches are searched and counted: donkey tiles, craft buildings, helpers, first cards."""

from collections.abc import Iterable, Iterator
from typing import Final

from domain.kernel.messages import N_, Message
from domain.kernel.rules import Seat
from domain.kernel.traits import Trait, TraitKind, Traits
from domain.titles.la_granja.actions import Action, ChooseDonkey, PlayCard
from domain.titles.la_granja.cards import CARD_NUMBERS
from domain.titles.la_granja.effects import BuildingCompleted, CardPlayed, DonkeysRevealed, Effect, StepBegun
from domain.titles.la_granja.tables import DEFAULT_DECK
from domain.titles.la_granja.words_terms import building, donkeys, helper

KINDS: Final = {
    "donkey": TraitKind(N_("Donkey tiles"), "round"),
    "building": TraitKind(N_("Craft buildings completed"), "order", 4),
    "helper": TraitKind(N_("Helpers played")),
    "card": TraitKind(N_("First cards played"), "order", 3),
}
SIDES: Final = {
    "field": N_("{card} as a field"),
    "barrow": N_("{card} as a market barrow"),
    "extension": N_("{card} as a farm extension"),
    "helper": N_("{card} as a helper"),
}


def read(_seat: Seat, _action: Action | None, effects: Iterable[Effect], round_: int) -> Iterator[Trait]:
    """Yield the traits of an entry: donkey tiles revealed, buildings completed, cards played.

    The entry that reveals donkey tiles may also end the round. The tiles belong to the round of the next step begun in
    the entry.
    """
    effect_list = tuple(effects)
    for index, effect in enumerate(effect_list):
        match effect:
            case DonkeysRevealed(tiles=tiles):
                shown_round = next((each.round for each in effect_list[index:] if isinstance(each, StepBegun)), round_)
                yield from (Trait(seat, "donkey", str(tile), shown_round) for seat, tile in enumerate(tiles))
            case BuildingCompleted(seat=seat, building=number):
                yield Trait(seat, "building", str(number))
            case CardPlayed(seat=seat, card=card, side=side):
                yield Trait(seat, "card", f"{side}/{card}")
                if side == "helper":
                    yield Trait(seat, "helper", str(card))
            case _:
                pass


def choice(action: Action) -> tuple[str, str] | None:
    """Return (kind, value) of a choice to count: the donkey tile, helper, or `SIDE/CARD` played; else None."""
    match action:
        case ChooseDonkey(tile=tile):
            return "donkey", str(tile)
        case PlayCard(card=card, side="helper"):
            return "helper", str(card)
        case PlayCard(card=card, side=side):
            return "card", f"{side}/{card}"
        case _:
            return None


def name(kind: str, value: str) -> Message | str:
    """Return the display name of a trait's value; a card that the standard deck lacks keeps its number."""
    if kind == "donkey":
        return donkeys(int(value))
    if kind == "building":
        return building(int(value), DEFAULT_DECK)
    side, _, card = value.rpartition("/")
    called = helper(int(card), DEFAULT_DECK) if int(card) in CARD_NUMBERS else card
    return Message(SIDES[side], {"card": called}) if side else called


TRAITS: Final = Traits(KINDS, read, choice, name)
