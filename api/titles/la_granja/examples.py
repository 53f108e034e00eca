"""Worked examples of helpers whose effect is not narrated in a match."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.messages import N_, Message
from domain.titles.la_granja.boxes import DECK_REGISTRY
from domain.titles.la_granja.cards import Card

EXAMPLES: Final[Mapping[int, str]] = {
    10: N_("Your donkey tile shows 2 donkeys: you have 3 free deliveries. With 3 or 4 donkeys it adds none."),
    21: N_("You resolve revenue space 1: you take 1 pig and also put 1 olive or 1 grain into the store."),
    24: N_("Your donkey tile shows 2 hats: for 1 silver you advance 3 steps on the siesta track."),
    25: N_("Your third farm extension costs 2 different goods instead of 3. Your first one still costs 1."),
    28: N_("You complete a market barrow worth 4 victory points: you also take 2 silver."),
    32: N_("Your new stall removes 2 markers of opponents: you take 2 victory points for them, and 2 more."),
    33: N_("In one round opponents remove 2 of your markers: you take 1 trade commodity, for the first one only."),
    41: N_("Revenue space 2 lets you draw 1 card: you draw 2, keep one and discard the other."),
    46: N_("You resolve revenue space 3: you take 1 olive, 1 grain and 1 grape, not only two of them."),
    57: N_(
        "In the scoring phase you have 3 markers on the market: you take 4 victory points. With 2 markers you take 2."
    ),
    59: N_("You are last in the turn order: you still choose a roof tile first."),
    62: N_("Your farm starts with 2 pens: with this helper there is room for 4 pigs."),
}
"""Examples by card number of the standard deck (LG-10)."""


def example(number: int, card: Card) -> Message | None:
    """Return the example of a helper; None if it has none or differs from the standard deck's helper."""
    standard_card = DECK_REGISTRY.get("standard").value.get(number)
    if number not in EXAMPLES or standard_card is None or standard_card.helper != card.helper:
        return None
    return Message(EXAMPLES[number])
