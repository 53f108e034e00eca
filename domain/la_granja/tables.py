"""Which tables a match plays with: the only door from a state to cards, market board and edition."""

from collections.abc import Mapping
from typing import Final

from domain.la_granja.cards import CARDS, Card
from domain.la_granja.components import PRICES
from domain.la_granja.components_market import MARKETS, Market
from domain.la_granja.state import State

DEFAULT_DECK: Final = "standard"
DECKS: Final[Mapping[str, Mapping[int, Card]]] = {DEFAULT_DECK: CARDS}

SELLING: Final[Mapping[str, int]] = {name: price.sell for name, price in PRICES.items()}
BUYING: Final[Mapping[str, int]] = {name: price.buy for name, price in PRICES.items()}
UPGRADING: Final[Mapping[str, int]] = {name: price.upgrade for name, price in PRICES.items()}
UPGRADES_TO: Final[Mapping[str, str]] = {name: price.upgrades_to for name, price in PRICES.items()}


def deck_of(state: State) -> Mapping[int, Card]:
    """The farm cards of the match, by number."""
    return DECKS[state.deck]


def market_of_state(state: State) -> Market:
    """The market board of the match."""
    return MARKETS[state.board]
