"""What is printed on the components of the titles: names and texts that stand in tables of data, not in the sources."""

from collections.abc import Iterator

from domain.titles.el_grande.cards import GREY_CARDS
from domain.titles.el_grande.catalogue import catalogue
from domain.titles.el_grande.components import AREA_NAMES
from domain.titles.el_grande.decks import CARDS
from domain.titles.la_granja.components import BUILDINGS
from domain.titles.la_granja.tables import DECKS, DEFAULT_DECK


def printed() -> Iterator[tuple[str, str]]:
    """Area and text of everything that is printed."""
    for building in BUILDINGS.values():
        yield "la_granja", building.name
    for card in DECKS[DEFAULT_DECK].values():
        yield "la_granja", card.helper.name
        yield "la_granja", card.helper.effect
        for note in card.helper.notes:
            yield "la_granja", note
    for name in AREA_NAMES.values():
        yield "el_grande", name
    for stacks in CARDS.values():
        for action_card in stacks.values():
            yield "el_grande", action_card.name
            yield "el_grande", action_card.text
    for grey in GREY_CARDS:
        yield "el_grande", grey.text
    for listed in catalogue({}):
        for text in (listed.group, listed.name, *(side.name for side in listed.sides), *listed.notes):
            yield "el_grande", text
