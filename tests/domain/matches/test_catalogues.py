"""Every title says of its cards what they do and where each value comes from."""

import pytest

from domain.matches.catalogues import CATALOGUES, PROVENANCE_WORDS, grouped
from domain.matches.registry import GAMES

COUNTS = {"la_granja": 66, "el_grande": 45 + 55 + 16}


@pytest.mark.parametrize("title", sorted(CATALOGUES))
def test_every_card_has_uses_of_a_known_provenance(title: str) -> None:
    cards = CATALOGUES[title](GAMES[title].rules.options({}).chosen)

    assert len(cards) == COUNTS[title]
    sources = {word for card in cards for side in card.sides for word in side.provenance.split(", ")}
    assert {source.partition(":")[0] for source in sources} <= set(PROVENANCE_WORDS)


@pytest.mark.parametrize("title", sorted(CATALOGUES))
def test_the_groups_hold_every_card_once(title: str) -> None:
    cards = CATALOGUES[title](GAMES[title].rules.options({}).chosen)

    assert sorted(card.id for group in grouped(cards).values() for card in group) == sorted(card.id for card in cards)
