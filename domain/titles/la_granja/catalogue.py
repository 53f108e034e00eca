"""A readable list of the farm cards: the four sides of each and the source of every value."""

from collections.abc import Mapping

from domain.kernel.catalogue import CataloguedCard, Side
from domain.kernel.messages import N_
from domain.titles.la_granja.boxes import DECK_REGISTRY
from domain.titles.la_granja.cards import Card

EXTENSION_WORDS = {
    "hand_limit": "hand limit",
    "income_silver": "income",
    "pig_pens": "pig pens",
    "extra_deliveries": "extra deliveries",
}


def catalogue(chosen: Mapping[str, str]) -> tuple[CataloguedCard, ...]:
    """Return the cards of the chosen deck, sorted by number."""
    return tuple(_describe_card(card) for card in DECK_REGISTRY.get(chosen["deck"]).value.values())


def _describe_card(card: Card) -> CataloguedCard:
    """Return a farm card for the catalogue, every value with its provenance; bonuses of 0 are left out."""
    barrow, extension, helper = card.barrow, card.extension, card.helper
    added = (
        Side(f"extension, {label}", f"+{getattr(extension, key)}", extension.sources[key])
        for key, label in EXTENSION_WORDS.items()
        if getattr(extension, key)
    )
    sides = (
        Side("number", str(card.number), card.sources["number"]),
        Side("field", card.crop, card.sources["crop"]),
        Side("barrow, goods", ", ".join(barrow.goods), barrow.sources["goods"]),
        Side("barrow, victory points", str(barrow.vp), barrow.sources["vp"]),
        *added,
        Side("helper, name", helper.name, helper.sources["name"]),
        Side("helper, phases", ", ".join(helper.phases), helper.sources["phases"]),
        Side("helper, how often", _usage_limit(card), helper.sources["once_per_round"]),
        Side("helper", helper.effect, helper.sources["effect"]),
    )
    return CataloguedCard(str(card.number), helper.name, N_("Farm cards"), sides, helper.notes)


def _usage_limit(card: Card) -> str:
    return "once a round" if card.helper.once_per_round else "whenever it applies"
