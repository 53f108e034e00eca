"""The farm cards as a list to read: four uses each, and where every value comes from."""

from domain.kernel.catalogue import CataloguedCard, Side
from domain.la_granja.cards import CARDS, Card
from domain.la_granja.helpers import helper_has_effect

EXTENSION_WORDS = {
    "hand_limit": "hand limit",
    "income_silver": "income",
    "pig_pens": "pig pens",
    "extra_deliveries": "extra deliveries",
}


def catalogue() -> tuple[CataloguedCard, ...]:
    """All cards by number."""
    return tuple(_shown(card) for card in CARDS.values())


def _shown(card: Card) -> CataloguedCard:
    barrow, extension, helper = card.barrow, card.extension, card.helper
    added = (
        Side(f"extension, {words}", f"+{getattr(extension, key)}", extension.sources[key])
        for key, words in EXTENSION_WORDS.items()
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
        Side("helper, how often", _often(card), helper.sources["once_per_round"]),
        Side("helper", helper.effect, helper.sources["effect"]),
    )
    without = () if helper_has_effect(card.number) else ("The helper is without effect for now.",)
    return CataloguedCard(str(card.number), helper.name, "Farm cards", sides, (*without, *helper.notes))


def _often(card: Card) -> str:
    return "once a round" if card.helper.once_per_round else "whenever it applies"
