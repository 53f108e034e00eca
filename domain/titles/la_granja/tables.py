"""Access from a state to the cards, components and market board it is played with."""

from collections.abc import Mapping

from domain.titles.la_granja.boxes import BOXES, DECKS, DEFAULT_DECK, UPGRADES_TO, Box
from domain.titles.la_granja.cards import Card
from domain.titles.la_granja.components_market import Market
from domain.titles.la_granja.state import State

__all__ = [
    "BOXES",
    "DECKS",
    "DEFAULT_DECK",
    "UPGRADES_TO",
    "Box",
]  # Re-exported for the callers of the functions below.


def box_of(state: State) -> Box:
    """Return the box of the match."""
    return BOXES[state.deck]


def deck_of(state: State) -> Mapping[int, Card]:
    """Return the farm cards of the match by number."""
    return BOXES[state.deck].cards


def market_of_state(state: State) -> Market:
    """Return the market board of the match."""
    return BOXES[state.deck].markets[state.board]
