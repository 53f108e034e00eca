"""The cards of every title, for whoever wants to read them."""

from collections.abc import Callable, Mapping
from typing import Final

from domain.el_grande import catalogue as el_grande
from domain.kernel.catalogue import CataloguedCard
from domain.la_granja import catalogue as la_granja

CATALOGUES: Final[Mapping[str, Callable[[], tuple[CataloguedCard, ...]]]] = {
    "el_grande": el_grande.catalogue,
    "la_granja": la_granja.catalogue,
}

PROVENANCE_WORDS: Final[Mapping[str, str]] = {
    "seed": "stated in the rules at hand",
    "found": "found in a public source, named behind the colon",
    "recalled": "from general knowledge of the game, not checked",
    "reconstructed": "filled in to fit the rules; the real value is not known",
}
"""What the first word of a provenance means."""


def grouped(cards: tuple[CataloguedCard, ...]) -> dict[str, list[CataloguedCard]]:
    """The cards by their groups, in the order in which they come."""
    groups: dict[str, list[CataloguedCard]] = {}
    for card in cards:
        groups.setdefault(card.group, []).append(card)
    return groups
