"""Card lists of titles: the meaning of provenances, and cards by group."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.catalogue import CataloguedCard
from domain.kernel.messages import N_

PROVENANCE_TEXTS: Final[Mapping[str, str]] = {
    "seed": N_("stated in the rules"),
    "found": N_("from a public source"),
    "recalled": N_("from general knowledge of the game, unverified"),
    "reconstructed": N_("filled in to fit the rules; the real value is unknown"),
}
"""Descriptions of provenances by their first word."""


def group_cards(cards: tuple[CataloguedCard, ...]) -> dict[str, list[CataloguedCard]]:
    """Return group -> cards; groups and cards are in their original order."""
    groups: dict[str, list[CataloguedCard]] = {}
    for card in cards:
        groups.setdefault(card.group, []).append(card)
    return groups
