"""The farm cards: numbers and words only, one record per card; what a helper does lives in `helpers`."""

from collections.abc import Mapping
from typing import Any, Final

from domain.la_granja import components, data
from domain.la_granja.components import Crop, Deliverable, Phase


class Barrow(data.Record, frozen=True):
    """The top of a card: goods to deliver, in the order of its symbols, and the victory points for all of them."""

    goods: tuple[Deliverable, ...]
    vp: int


class Extension(data.Record, frozen=True):
    """The right side of a card: what it adds to the player board."""

    hand_limit: int
    income_silver: int
    pig_pens: int
    extra_deliveries: int


class Helper(data.Record, frozen=True):
    """The bottom of a card: who helps, when, and in words how."""

    name: str
    phases: tuple[Phase, ...]
    once_per_round: bool
    mode: str
    trigger: str
    kind: str
    params: Mapping[str, Any]
    effect: str
    notes: tuple[str, ...] = ()


class Card(data.Record, frozen=True):
    """One farm card: four uses, of which only the side played counts (LG-3.1.7)."""

    number: int
    crop: Crop
    barrow: Barrow
    extension: Extension
    helper: Helper


UNKNOWN: Final = 0
"""Stands for a card whose number a reader may not know; no card has this number."""

MODES: Final = frozenset({"automatic", "triggered", "action"})
_HELPER_FOLLOWS: Final = dict.fromkeys(("mode", "trigger", "kind", "params", "notes"), "effect")


def load_cards(table: Mapping[str, Any], file: str) -> tuple[Card, ...]:
    """The cards of a parsed deck file, checked against the totals and the vocabulary the file itself states."""
    vocabulary = data.part(table, "vocabulary", file)
    rows = data.part(table, "cards", file)
    data.unique((raw.get("number") for raw in rows), f"{file}, card numbers")
    cards = tuple(_card(raw, file, vocabulary) for raw in rows)
    meta = data.part(table, "meta", file)
    data.demand(len(cards) == meta["cards"], file, f"{meta['cards']} cards are promised, {len(cards)} stand there")
    for crop, count in meta["crops"].items():
        found = sum(card.crop == crop for card in cards)
        data.demand(found == count, file, f"{count} cards of {crop} are promised, {found} stand there")
    for vp, count in meta["barrow_vp"].items():
        found = sum(card.barrow.vp == int(vp) for card in cards)
        data.demand(found == count, file, f"{count} barrows of {vp} VP are promised, {found} stand there")
    return tuple(sorted(cards, key=lambda card: card.number))


def _card(raw: Mapping[str, Any], file: str, vocabulary: Mapping[str, Any]) -> Card:
    where = f"{file}, card {raw.get('number', 'without a number')}"
    stripped = {key: value for key, value in raw.items() if key not in {"barrow", "extension", "helper"}}
    parts = {
        "barrow": data.record(Barrow, _barrow(raw, where), f"{where}, barrow"),
        "extension": data.record(Extension, data.part(raw, "extension", where), f"{where}, extension"),
        "helper": data.record(Helper, data.part(raw, "helper", where), f"{where}, helper", _HELPER_FOLLOWS),
    }
    head = data.record(_Head, stripped, where, {"number": "crop"})
    card = Card(number=head.number, crop=head.crop, sources=head.sources, **parts)  # type: ignore[arg-type]
    helper = card.helper
    data.demand(card.number > UNKNOWN, where, "a card number is at least 1")
    data.demand(2 <= card.barrow.vp <= 6, where, f"key `barrow.vp`: {card.barrow.vp} is not within 2 to 6")
    data.demand(helper.mode in MODES, where, f"key `helper.mode`: `{helper.mode}` is no mode")
    known = helper.trigger in vocabulary["triggers"]
    data.demand(known, where, f"key `helper.trigger`: `{helper.trigger}` is not in the vocabulary")
    listed = card.number in vocabulary["kinds"].get(helper.kind, ())
    data.demand(listed, where, f"key `helper.kind`: the vocabulary does not list the card under `{helper.kind}`")
    return card


class _Head(data.Record, frozen=True):
    """What stands on a card outside its four sides."""

    number: int
    crop: Crop


def _barrow(raw: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The barrow; `count_and_vp_source` is one remark about two keys."""
    barrow = dict(data.part(raw, "barrow", where))
    joint = barrow.pop("count_and_vp_source", None)
    return barrow if joint is None else {**barrow, "vp_source": joint}


TABLE: Final = data.read_table(data.CARDS_FILE)
CARDS: Final[Mapping[int, Card]] = {card.number: card for card in load_cards(TABLE, data.CARDS_FILE)}
CARD_NUMBERS: Final = tuple(CARDS)

DATA_DIGEST: Final = data.digest_of(components.TABLE, TABLE)
"""What `MatchOpened` names: the digest of the components and the deck this version plays with by default."""
