"""Action cards and grey power cards as data; `action_cards` implements their special actions."""

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from domain.kernel.component_data import convert_value, demand
from domain.kernel.values import replace
from domain.titles.el_grande import components, data
from domain.titles.el_grande.components import FILE, TABLE
from domain.titles.el_grande.texts import TEXTS, check_texts, text_in


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"source": "from"}):
    """The parameters of a special action."""


class Part(Params, frozen=True):
    """One part of a move action: whose caballeros it moves and the maximum."""

    who: Literal["own", "opponent", "any"]
    up_to: int


class Move(Params, frozen=True):
    """Parameters of `move_caballeros` (EG-12.3)."""

    parts: tuple[Part, ...]
    source: Literal["regions", "one_region"]
    to: Literal["regions+castillo"]


class MoveAll(Params, frozen=True):
    """Parameters of `move_all_from_region` (EG-12.4)."""

    who: Literal["own"]
    to: Literal["regions+castillo"]


class FromCourt(Params, frozen=True):
    """Parameters of `place_from_court` (EG-12.5); grey cards use the areas of a normal placement."""

    up_to: int
    to: Literal["regions", "regions+castillo", "king_neighbors+castillo"]
    max_regions: int = 0


class OpponentsReturn(Params, frozen=True):
    """Parameters of `opponents_return` (EG-12.6)."""

    count: int | Literal["all"]
    source: tuple[Literal["regions", "court"], ...]
    chooser: Literal["owner", "none"]
    order: Literal["clockwise_from_left", "simultaneous"]


class ReturnOneEach(Params, frozen=True):
    """Parameters of `return_one_each` (EG-12.7)."""

    count: Literal[1]
    source: tuple[Literal["regions"], ...]
    chooser: Literal["acting"]


class SecretReturn(Params, frozen=True):
    """Parameters of `secret_return` (EG-12.8); with the cards of 2006 every player is affected."""

    who: Literal["opponents", "all"]
    count: int | Literal["all"]
    min_presence: int


class ScoreChosen(Params, frozen=True):
    """Parameters of `score_chosen_region` (EG-12.9); with the cards of 2006 the Castillo may be chosen."""

    count: Literal[1]
    castillo: bool


class ScoreByValue(Params, frozen=True):
    """Parameters of `score_by_value` (EG-12.10)."""

    first_values: tuple[int, ...]


class ScoreCastillo(Params, frozen=True):
    """Parameters of `score_castillo` (EG-12.11)."""

    throw_back: Literal[True]


class FirstOnly(Params, frozen=True):
    """Parameters of `score_all_first_only` (EG-12.12)."""

    castillo: Literal[False]


class Extreme(Params, frozen=True):
    """Parameters of `score_extreme` (EG-12.13)."""

    which: Literal["most", "fewest"]
    castillo: Literal[False]
    min_total: int = 0


class PlaceBoard(Params, frozen=True):
    """Parameters of `place_scoreboard` (EG-12.14)."""

    areas: Literal["regions+castillo"]
    from_supply_or_board: Literal[True]


class Recover(Params, frozen=True):
    """Parameters of `recover_power_card` (EG-12.15)."""

    count: Literal[1]
    includes_current: Literal[True]
    secret: Literal[True]


class MoveOwnGrande(Params, frozen=True):
    """Parameters of `move_grande` (EG-12.16)."""

    who: Literal["own"]
    to: Literal["regions"]


class CoupParams(Params, frozen=True):
    """Parameters of `coup` (EG-12.17)."""

    who: Literal["opponents"]
    named_by: Literal["acting_chooses"] = msgspec.field(name="source")
    destination: Literal["secret_each"]


class Muster(Params, frozen=True):
    """Parameters of `muster` (EG-12.18)."""

    up_to: int


class MoveTheKing(Params, frozen=True):
    """Parameters of `move_king` (EG-12.19, EG-18)."""

    range: Literal["any_region", "adjacent", "exile", "fewest_caballeros", "own_grande_region"]
    places: tuple[str, ...] = ()
    escort: int = 0
    escort_who: Literal["any"] = "any"
    min_total: int = 0


class Own(Params, frozen=True):
    """Parameters of `grande_to_castillo` and `swap_king_grande` (EG-18.6, EG-18.10)."""

    who: Literal["own"]


class Nothing(Params, frozen=True):
    """The empty parameters of `king_to_castillo` (EG-18.8)."""


class InKingRegion(Params, frozen=True):
    """Parameters of `place_in_king_region` (EG-18.9)."""

    add_king_region: Literal[True]


class VetoParams(Params, frozen=True):
    """Parameters of `veto` (EG-19.4)."""

    uses: Literal[1]
    lasts: Literal["current_and_next_round"]


class Alternative(Params, frozen=True):
    """One of the special actions that a card offers as alternatives."""

    kind: str
    params: Any


class ChooseOne(Params, frozen=True):
    """Parameters of `choose_one` (EG-19.5)."""

    options: tuple[Alternative, ...]


class Council(Params, frozen=True):
    """Parameters of `secret_unique_scoring` (EG-19.6)."""

    who: Literal["all"]
    castillo: Literal[False]


PARAMS: Final[Mapping[str, type[Params]]] = {
    "move_caballeros": Move,
    "move_all_from_region": MoveAll,
    "place_from_court": FromCourt,
    "opponents_return": OpponentsReturn,
    "return_one_each": ReturnOneEach,
    "secret_return": SecretReturn,
    "score_chosen_region": ScoreChosen,
    "score_by_value": ScoreByValue,
    "score_castillo": ScoreCastillo,
    "score_all_first_only": FirstOnly,
    "score_extreme": Extreme,
    "place_scoreboard": PlaceBoard,
    "recover_power_card": Recover,
    "move_grande": MoveOwnGrande,
    "coup": CoupParams,
    "muster": Muster,
    "move_king": MoveTheKing,
    "grande_to_castillo": Own,
    "king_to_castillo": Nothing,
    "place_in_king_region": InKingRegion,
    "swap_king_grande": Own,
    "veto": VetoParams,
    "choose_one": ChooseOne,
    "secret_unique_scoring": Council,
}

CardSet = Literal["base", "king", "new_regency", "veteran"]


class Card(data.Record, frozen=True):
    """An action card: its stack, the number of caballeros it places, and its special action."""

    id: str
    name: str
    set: CardSet
    stack: int
    caballeros: int
    kind: str
    params: Any
    text: str
    name_cs: str = ""
    older: str = ""
    working_title: bool = False


class GreyCard(data.Record, frozen=True):
    """A grey power card of Shift of Power (EG-20)."""

    id: str
    value: int
    kind: str
    params: Any
    text: str


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of special action and the rule that defines it."""

    id: str
    rule: str
    text: str


def params_of(kind: str, raw: Mapping[str, Any], location: str) -> Params:
    """Return the validated parameters of a special action, of each alternative for `choose_one` as well.

    Raise `DataFault` for an unknown kind or invalid parameters.
    """
    demand(kind in PARAMS, location, f"key `kind`: `{kind}` is not a kind of special action")
    params = convert_value(PARAMS[kind], raw, f"{location}, params")
    if isinstance(params, ChooseOne):
        options = tuple(
            Alternative(option.kind, params_of(option.kind, option.params, location)) for option in params.options
        )
        return ChooseOne(options)
    return params


def load_cards(table: Mapping[str, Any], file: str, texts: Mapping[str, str] = TEXTS.cards) -> tuple[Card, ...]:
    """Load the action cards of a parsed file; raise `DataFault` unless all are valid and totals and kinds agree.

    `texts` overrides the text of a card for players.
    """
    kinds = {convert_value(Kind, raw, f"{file}, kind").id for raw in data.part(table, "kind", file)}
    demand(kinds == set(PARAMS), file, f"key `kind`: file and rules differ in {sorted(kinds ^ set(PARAMS))}")
    cards = []
    for raw in data.records(Card, table, "card", file):
        location = f"{file}, card {raw.id}"
        demand(1 <= raw.stack <= 5, location, f"key `stack`: {raw.stack} is not between 1 and 5")
        demand(1 <= raw.caballeros <= 5, location, f"key `caballeros`: {raw.caballeros} is not between 1 and 5")
        text = text_in(texts, raw.id, raw.text)
        cards.append(replace(raw, params=params_of(raw.kind, raw.params, location), text=text))
    meta = data.part(table, "meta", file)
    for name, key in (("base", "base_action_cards"), ("king", "king_cards"), ("veteran", "veteran_cards")):
        count = sum(card.set == name for card in cards)
        demand(count == meta[key], file, f"key `meta.{key}`: it states {meta[key]} cards, but the file has {count}")
    count, total = len(cards), meta["action_cards_total"]
    fault = f"key `meta.action_cards_total`: it states {total} cards, but the file has {count}"
    demand(count == total, file, fault)
    check_texts(texts, {card.id for card in cards}, "cards")
    return tuple(cards)


def load_grey_cards(table: Mapping[str, Any], file: str, texts: Mapping[str, str] = TEXTS.grey) -> tuple[GreyCard, ...]:
    """Load the sixteen grey power cards of a parsed file; raise `DataFault` for another number or invalid ones.

    `texts` overrides the text of a card for players.
    """
    cards = []
    for raw in data.records(GreyCard, table, "grey_power_card", file):
        location = f"{file}, grey_power_card {raw.id}"
        demand(raw.value >= 1, location, f"key `value`: {raw.value} is below 1")
        text = text_in(texts, raw.id, raw.text)
        cards.append(replace(raw, params=params_of(raw.kind, raw.params, location), text=text))
    demand(len(cards) == 16, file, f"key `grey_power_card`: expected 16 cards, found {len(cards)}")
    check_texts(texts, {card.id for card in cards}, "grey")
    return tuple(cards)


BOX: Final[Mapping[str, Card]] = {card.id: card for card in load_cards(TABLE, FILE)}
"""The action cards of the 2023 edition by id."""
GREY_CARDS: Final = load_grey_cards(TABLE, FILE)
GREY_FIRST: Final = 21
"""The lowest number of a grey card.

Cards in hand are numbers: a power card its value, 0 a card unknown to the reader.
"""
UNKNOWN: Final = 0
GREYS: Final[Mapping[int, GreyCard]] = {GREY_FIRST + place: card for place, card in enumerate(GREY_CARDS)}
GREY_NUMBER: Final[Mapping[str, int]] = {card.id: number for number, card in GREYS.items()}
GREY_NUMBERS: Final = tuple(GREYS)
DATA_DIGEST: Final = data.digest_of(components.TABLE)
"""The digest of the component data of this version, as stored in `MatchOpened`."""
