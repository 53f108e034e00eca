"""The cards of every title, for whoever wants to read them."""

from collections.abc import Callable, Mapping
from typing import Final

from domain.kernel.catalogue import CataloguedCard
from domain.kernel.messages import N_
from domain.titles.el_grande import catalogue as el_grande
from domain.titles.la_granja import catalogue as la_granja

Catalogue = Callable[[Mapping[str, str]], tuple[CataloguedCard, ...]]
"""The cards of a title as a table with these options plays with them."""

CATALOGUES: Final[Mapping[str, Catalogue]] = {
    "el_grande": el_grande.catalogue,
    "la_granja": la_granja.catalogue,
}

PROVENANCE_WORDS: Final[Mapping[str, str]] = {
    "seed": N_("stated in the rules at hand"),
    "found": N_("found in a public source, named behind the colon"),
    "recalled": N_("from general knowledge of the game, not checked"),
    "reconstructed": N_("filled in to fit the rules; the real value is not known"),
}
"""What the first word of a provenance means."""


def grouped(cards: tuple[CataloguedCard, ...]) -> dict[str, list[CataloguedCard]]:
    """The cards by their groups, in the order in which they come."""
    groups: dict[str, list[CataloguedCard]] = {}
    for card in cards:
        groups.setdefault(card.group, []).append(card)
    return groups
