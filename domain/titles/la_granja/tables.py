"""What a match plays with: the only door from a state to cards, components, market board and edition."""

from collections.abc import Mapping

from domain.titles.la_granja.boxes import BOXES, DECKS, DEFAULT_DECK, UPGRADES_TO, Box
from domain.titles.la_granja.cards import Card
from domain.titles.la_granja.components_market import Market
from domain.titles.la_granja.state import State

__all__ = ["BOXES", "DECKS", "DEFAULT_DECK", "UPGRADES_TO", "Box"]  # had from here, like those that follow


def box_of(state: State) -> Box:
    """What the match plays with."""
    return BOXES[state.deck]


def deck_of(state: State) -> Mapping[int, Card]:
    """The farm cards of the match, by number."""
    return BOXES[state.deck].cards


def market_of_state(state: State) -> Market:
    """The market board of the match."""
    return BOXES[state.deck].markets[state.board]
