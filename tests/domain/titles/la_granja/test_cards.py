"""The 66 farm cards of the standard deck, and error messages for damaged decks."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from domain.kernel.component_data import DataFault
from domain.titles.la_granja import cards, data
from domain.titles.la_granja.cards import CARD_NUMBERS, CARDS, UNKNOWN, load_cards

Damage = Callable[[dict[str, Any]], object]


def test_there_are_66_cards_with_four_uses_each() -> None:
    """LG-1.3, LG-3.1.2 to LG-3.1.5."""
    assert tuple(range(1, 67)) == CARD_NUMBERS
    assert all(2 <= card.barrow.vp <= 6 for card in CARDS.values())
    assert all(card.extension.hand_limit == 1 for card in CARDS.values())
    assert UNKNOWN not in CARDS


def test_every_value_of_a_card_has_a_provenance() -> None:
    """Reconstructed values are marked as such (LG-12.10: printings differ)."""
    card = CARDS[63]

    assert card.helper.sources["effect"] == "seed"
    assert card.helper.sources["params"] == "seed"
    assert card.helper.sources["once_per_round"] == "reconstructed"
    assert card.barrow.sources == {"goods": "reconstructed", "vp": "reconstructed"}
    assert CARDS[23].barrow.sources["vp"] == "found:sonia-g.co.jp"


def test_the_digest_depends_on_values_but_not_on_remarks() -> None:
    table = copy.deepcopy(cards.TABLE)
    table["cards"][0]["crop_source"] = "recalled"
    assert data.digest_of(table) == data.digest_of(cards.TABLE)

    table["cards"][0]["helper"]["params"]["silver"] = 2
    assert data.digest_of(table) != data.digest_of(cards.TABLE)


def _set(part: str, key: str, value: object) -> Damage:
    def damage(card: dict[str, Any]) -> None:
        card[part][key] = value

    return damage


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda card: card.update(crop="rice"), "deck.toml, card 4: key `crop`: Invalid enum value 'rice'"),
        (lambda card: card.pop("crop"), "deck.toml, card 4: key `crop`: missing key"),
        (lambda card: card.pop("barrow"), "deck.toml, card 4: the key `barrow` is missing"),
        (lambda card: card.update(number=0), "deck.toml, card 0: key `number`: 0 is below 1"),
        (lambda card: card.update(number=5), "deck.toml, card numbers: 5 appears twice"),
        (_set("barrow", "vp", 7), "deck.toml, card 4: key `barrow.vp`: 7 is not between 2 and 6"),
        (_set("barrow", "goods", ["gold"]), "deck.toml, card 4, barrow: key `goods[0]`: Invalid enum value 'gold'"),
        (_set("extension", "well", 1), "deck.toml, card 4, extension: key `well`: unknown key"),
        (_set("helper", "mode", "magic"), "deck.toml, card 4: key `helper.mode`: `magic` is not one of ['action', "),
        (_set("helper", "trigger", "noon"), "key `helper.trigger`: `noon` is not in the vocabulary"),
        (_set("helper", "kind", "miracle"), "deck.toml, card 4: key `helper.kind`: `miracle` is not a kind of helper"),
        (_set("helper", "kind", "sell_from_fields"), "card 4: key `helper.params.vp_cost`: unknown key"),
        (lambda card: card["helper"].pop("effect_source"), "helper: the key `mode` has no provenance"),
        (_set("barrow", "vp", 3), "deck.toml: key `meta.barrow_vp.3`: it states 16 cards, but the file has 17"),
        (lambda card: card.update(crop="grain"), "key `meta.crops.olive`: it states 22 cards, but the file has 21"),
    ],
)
def test_a_damaged_deck_is_refused_with_card_and_key(damage: Damage, sentence: str) -> None:
    table = copy.deepcopy(cards.TABLE)
    damage(table["cards"][3])

    with pytest.raises(DataFault) as refusal:
        load_cards(table, "deck.toml")

    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("card", "param"),
    [(5, "dice"), (19, "cards"), (39, "markers"), (39, "distance"), (40, "tiles"), (58, "markers"), (63, "goods")],
)
def test_a_number_the_rules_fix_at_one_is_refused_as_two(card: int, param: str) -> None:
    """Otherwise the helper's text and its effect would differ."""
    table = copy.deepcopy(cards.TABLE)
    table["cards"][card - 1]["helper"]["params"][param] = 2

    with pytest.raises(DataFault, match=f"deck.toml, card {card}: key `helper.params.{param}`: Invalid enum value 2"):
        load_cards(table, "deck.toml")


def test_a_deck_with_65_cards_is_refused() -> None:
    table = copy.deepcopy(cards.TABLE)
    del table["cards"][65]

    with pytest.raises(DataFault, match=r"^deck\.toml: a deck has 66 cards, not 65$"):
        load_cards(table, "deck.toml")
