"""Card lists: every card has uses and a known provenance."""

import pytest

from domain.kernel.catalogue import CataloguedCard
from domain.matches.catalogues import PROVENANCE_TEXTS, group_cards
from domain.titles import TITLES

COUNTS = {"la_granja": 66, "el_grande": 45 + 55 + 16}


def cards_of(title: str) -> tuple[CataloguedCard, ...]:
    catalogue = TITLES[title].catalogue
    assert catalogue is not None
    return catalogue(TITLES[title].rules.options({}).chosen)


@pytest.mark.parametrize("title", sorted(COUNTS))
def test_every_card_has_uses_of_a_known_provenance(title: str) -> None:
    cards = cards_of(title)

    assert len(cards) == COUNTS[title]
    sources = {word for card in cards for side in card.sides for word in side.provenance.split(", ")}
    assert {source.partition(":")[0] for source in sources} <= set(PROVENANCE_TEXTS)


@pytest.mark.parametrize("title", sorted(COUNTS))
def test_the_groups_hold_every_card_once(title: str) -> None:
    cards = cards_of(title)

    assert sorted(card.id for group in group_cards(cards).values() for card in group) == sorted(
        card.id for card in cards
    )
