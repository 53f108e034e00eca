"""The printed texts of El Grande."""

from collections.abc import Iterator

from domain.titles.el_grande.cards import GREY_CARDS
from domain.titles.el_grande.catalogue import catalogue
from domain.titles.el_grande.components import AREA_NAMES
from domain.titles.el_grande.decks import CARDS


def printed_texts() -> Iterator[str]:
    """Yield the names of areas and cards, texts of cards, and the words of the catalogue; some come more than once."""
    yield from AREA_NAMES.values()
    for stacks in CARDS.values():
        for action_card in stacks.values():
            yield action_card.name
            yield action_card.text
    for grey in GREY_CARDS:
        yield grey.text
    for card in catalogue({}):
        yield from (card.group, card.name, *(side.name for side in card.sides), *card.notes)
