"""Texts printed on the components of La Granja."""

from collections.abc import Iterator

from domain.titles.la_granja.components import BUILDINGS
from domain.titles.la_granja.tables import DECKS, DEFAULT_DECK


def printed_texts() -> Iterator[str]:
    """Yield the names of buildings and, for the default deck, the names, effects and notes of helpers."""
    for building in BUILDINGS.values():
        yield building.name
    for card in DECKS[DEFAULT_DECK].values():
        yield card.helper.name
        yield card.helper.effect
        yield from card.helper.notes
