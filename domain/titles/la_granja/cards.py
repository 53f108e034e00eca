"""Records of the farm cards and the loader of deck files; the helpers' rules are in `helpers`."""

from collections.abc import Mapping
from typing import Any, Final

from domain.kernel.component_data import demand, require_unique
from domain.titles.la_granja import data
from domain.titles.la_granja.components import Crop, Deliverable, Phase
from domain.titles.la_granja.helper_params import check_params


class Barrow(data.Record, frozen=True):
    """The top of a card: the goods to deliver, in the order of its symbols, and the VP for completing it."""

    goods: tuple[Deliverable, ...]
    vp: int


class Extension(data.Record, frozen=True):
    """The right side of a card: its additions to the player board."""

    hand_limit: int
    income_silver: int
    pig_pens: int
    extra_deliveries: int


class Helper(data.Record, frozen=True):
    """The bottom of a card: name, phases, trigger and effect of a helper."""

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
    """A farm card with its four sides; only the side that is played counts (LG-3.1.7)."""

    number: int
    crop: Crop
    barrow: Barrow
    extension: Extension
    helper: Helper


UNKNOWN: Final = 0
"""Number that stands for a card hidden from the reader; no card has it."""

DECK_SIZE: Final = 66
"""Number of cards in a deck (LG-1.3)."""

SYMBOLS_MAX: Final = 9
MODES: Final = frozenset({"automatic", "triggered", "action"})
_HELPER_FOLLOWS: Final = dict.fromkeys(("mode", "trigger", "kind", "params", "notes"), "effect")


def load_cards(table: Mapping[str, Any], file: str) -> tuple[Card, ...]:
    """Return the cards of a parsed deck file, sorted by number.

    A deck has `DECK_SIZE` cards with different numbers. Helper kinds and params must be known to the rules. The
    optional tables `meta` and `vocabulary` are checked against the cards. Raise `DataFault` if a check fails.
    """
    rows = data.part(table, "cards", file)
    demand(isinstance(rows, list), f"{file}, cards", f"expected a list of tables, not {rows!r}")
    for number, raw in enumerate(rows, start=1):
        demand(isinstance(raw, Mapping), f"{file}, card at place {number}", f"expected a table, not {raw!r}")
    demand(len(rows) == DECK_SIZE, file, f"a deck has {DECK_SIZE} cards, not {len(rows)}")
    require_unique((raw.get("number") for raw in rows), f"{file}, card numbers")
    cards = tuple(_load_card(raw, file) for raw in rows)
    _check_vocabulary(cards, table.get("vocabulary", {}), file)
    _check_totals(cards, table.get("meta", {}), file)
    return tuple(sorted(cards, key=lambda card: card.number))


def _check_vocabulary(cards: tuple[Card, ...], vocabulary: Mapping[str, Any], file: str) -> None:
    """Raise `DataFault` unless every trigger and kind is listed in the file's vocabulary, if it has one."""
    for card in cards:
        location, helper = f"{file}, card {card.number}", card.helper
        is_known = helper.trigger in vocabulary.get("triggers", (helper.trigger,))
        demand(is_known, location, f"key `helper.trigger`: `{helper.trigger}` is not in the vocabulary")
        is_listed = "kinds" not in vocabulary or card.number in vocabulary["kinds"].get(helper.kind, ())
        demand(is_listed, location, f"key `helper.kind`: the vocabulary does not list the card under `{helper.kind}`")


def _check_totals(cards: tuple[Card, ...], meta: Mapping[str, Any], file: str) -> None:
    """Raise `DataFault` unless the numbers of crops and of barrows by VP agree with `meta`."""
    for crop, count in meta.get("crops", {}).items():
        total = sum(card.crop == crop for card in cards)
        demand(total == count, file, f"key `meta.crops.{crop}`: it states {count} cards, but the file has {total}")
    for vp, count in meta.get("barrow_vp", {}).items():
        total = sum(str(card.barrow.vp) == vp for card in cards)
        demand(total == count, file, f"key `meta.barrow_vp.{vp}`: it states {count} cards, but the file has {total}")


def _load_card(raw: Mapping[str, Any], file: str) -> Card:
    """Return a card with the provenance of its values; raise `DataFault` if its table is invalid."""
    location = f"{file}, card {raw.get('number', 'without a number')}"
    head_values = {key: value for key, value in raw.items() if key not in {"barrow", "extension", "helper"}}
    parts = {
        "barrow": data.record(Barrow, _barrow_table(raw, location), f"{location}, barrow"),
        "extension": data.record(Extension, data.part(raw, "extension", location), f"{location}, extension"),
        "helper": data.record(Helper, data.part(raw, "helper", location), f"{location}, helper", _HELPER_FOLLOWS),
    }
    head = data.record(_Head, head_values, location, {"number": "crop"})
    card = Card(number=head.number, crop=head.crop, sources=head.sources, **parts)  # type: ignore[arg-type]
    demand(card.number > UNKNOWN, location, f"key `number`: {card.number} is below 1")
    _check_sides(card, location)
    return card


def _check_sides(card: Card, location: str) -> None:
    """Raise `DataFault` unless barrows bring 2 to 6 VP (LG-6.3.1), extensions never subtract, and helpers are known.

    Barrows need 1 to `SYMBOLS_MAX` goods; helpers a name, phases, and a known mode and kind with valid params.
    """
    barrow, extension, helper = card.barrow, card.extension, card.helper
    demand(2 <= barrow.vp <= 6, location, f"key `barrow.vp`: {barrow.vp} is not between 2 and 6")
    symbols = len(barrow.goods)
    demand(
        1 <= symbols <= SYMBOLS_MAX, location, f"key `barrow.goods`: expected 1 to {SYMBOLS_MAX} goods, not {symbols}"
    )
    for name in ("hand_limit", "income_silver", "pig_pens", "extra_deliveries"):
        value = getattr(extension, name)
        fits = 0 <= value <= SYMBOLS_MAX
        demand(fits, location, f"key `extension.{name}`: {value} is not between 0 and {SYMBOLS_MAX}")
    demand(bool(helper.name.strip()), location, f"key `helper.name`: {helper.name!r} is not a name")
    demand(bool(helper.phases), location, "key `helper.phases`: expected at least one phase, found none")
    demand(helper.mode in MODES, location, f"key `helper.mode`: `{helper.mode}` is not one of {sorted(MODES)}")
    check_params(helper.kind, helper.params, location)


class _Head(data.Record, frozen=True):
    """The values of a card outside its four sides."""

    number: int
    crop: Crop


def _barrow_table(raw: Mapping[str, Any], location: str) -> dict[str, Any]:
    """Return the barrow table with `count_and_vp_source`, one remark about two keys, renamed to `vp_source`."""
    barrow = data.part(raw, "barrow", location)
    demand(isinstance(barrow, Mapping), f"{location}, barrow", f"expected a table, not {barrow!r}")
    barrow = dict(barrow)
    shared_source = barrow.pop("count_and_vp_source", None)
    return barrow if shared_source is None else {**barrow, "vp_source": shared_source}


FILE: Final = data.CARDS_FILE
TABLE: Final = data.read_table(FILE)
CARDS: Final[Mapping[int, Card]] = {card.number: card for card in load_cards(TABLE, FILE)}
"""The standard deck. Rules use `tables.deck_of(state)` instead, because a match may use another deck."""
CARD_NUMBERS: Final = tuple(CARDS)
