"""The game's terms as messages, in the rulebook's words: goods, places, buildings, steps. Each is translated alone."""

from collections.abc import Iterable, Mapping
from typing import Final

from domain.kernel.messages import Message
from domain.kernel.rules import Seat
from domain.la_granja.cards import Extension
from domain.la_granja.components import BUILDINGS, ROOF_TILES
from domain.la_granja.state import NEUTRAL
from domain.la_granja.tables import DECKS, DEFAULT_DECK

Args = dict[str, int | str | Message]
"""The arguments of a message."""

GOODS: Final[Mapping[str, tuple[str, str]]] = {
    "silver": ("{count} silver", "{count} silver"),
    "vp": ("{count} victory point", "{count} victory points"),
    "olive": ("{count} olive", "{count} olives"),
    "grain": ("{count} grain", "{count} grain"),
    "grape": ("{count} grape", "{count} grapes"),
    "pig": ("{count} pig", "{count} pigs"),
    "food": ("{count} food", "{count} food"),
    "wine": ("{count} wine", "{count} wine"),
    "meat": ("{count} meat", "{count} meat"),
    "trade_commodity": ("{count} trade commodity", "{count} trade commodities"),
    "stall": ("{count} market stall", "{count} market stalls"),
}

KINDS: Final[Mapping[str, str]] = {
    "silver": "silver",
    "vp": "victory points",
    "olive": "olive",
    "grain": "grain",
    "grape": "grape",
    "pig": "pig",
    "food": "food",
    "wine": "wine",
    "meat": "meat",
    "trade_commodity": "trade commodity",
}

FROM: Final[Mapping[str, str]] = {
    "field": "from a field",
    "store": "from the store",
    "pen": "from a pen",
    "helper": "from a helper",
    "space": "from the farm",
    "": "from the purse",
}

TAKEN_FROM: Final[Mapping[str, str]] = {
    "field": "from a field",
    "store": "from a store",
    "pen": "from a pen",
    "helper": "from a helper",
    "space": "from the trade commodities",
    "barrow": "from a market barrow",
    "row": "from a row of a craft building",
    "mark": "from a completed craft building",
    "market": "from the market",
}

STEPS: Final[Mapping[str, str]] = {
    "setup": "setup",
    "cards": "play a farm card and draw",
    "income": "take income",
    "growth": "growth on fields and newborn pig",
    "roofs": "buy roof tiles",
    "roll": "roll the revenue dice",
    "first_dice": "take the first dice",
    "second_dice": "take the second dice",
    "last_die": "resolve the last die",
    "donkeys": "choose a donkey tile",
    "siesta": "advance on the siesta track",
    "free_deliveries": "make free deliveries",
    "extra_deliveries": "buy and make extra deliveries",
    "market_scoring": "score the market",
    "siesta_scoring": "score the siesta track",
    "siesta_return": "reset the siesta track",
    "turning": "turn up the next roof tiles and flip craft markers",
    "sale": "final sale",
    "over": "the end",
}

ROOF_EFFECTS: Final[Mapping[str, str]] = {
    "silver_4": "4 silver",
    "silver_3": "3 silver",
    "silver_2": "2 silver",
    "olive": "1 olive",
    "grape": "1 grape",
    "grain_or_olive": "1 grain or 1 olive",
    "any_crop": "1 crop of choice",
    "two_different_crops": "2 different crops",
    "pig": "1 pig",
    "upgrade_1": "1 free upgrade",
    "upgrade_2": "2 free upgrades",
    "delivery": "1 delivery",
    "paid_delivery": "1 delivery for 1 silver",
    "play_or_draw_card": "play or draw 1 card",
    "vp_1": "1 victory point",
    "flip_roof": "turn another used roof tile face up",
    "siesta_1": "1 siesta step",
    "siesta_2": "2 siesta steps",
    "upgraded_good": "1 food, wine or meat",
    "die_1": "change a die by 1",
    "die_2": "change a die by up to 2",
    "income": "take income once more",
    "market_marker": "a marker on any free market space",
    "double_roof_vp": "double the victory points of a roof space",
}

SPACES: Final[Mapping[int, str]] = {
    1: "1 pig",
    2: "play or draw 1 card, or take 1 crop of choice",
    3: "2 different crops",
    4: "4 silver",
    5: "upgrades or siesta steps",
    6: "1 delivery or 2 silver",
}

OPTIONS: Final[Mapping[str, str]] = {
    "pig_1": "1 pig",
    "play_card": "play 1 card",
    "draw_card": "draw 1 card",
    "play_or_draw_card": "play or draw 1 card",
    "crop_any": "1 crop of choice",
    "two_different_crops": "2 different crops",
    "silver_4": "4 silver",
    "silver_2": "2 silver",
    "upgrade_2": "up to 2 free upgrades",
    "upgrade_1_siesta_1": "1 free upgrade and 1 siesta step",
    "siesta_2": "2 siesta steps",
    "delivery_1": "1 delivery",
    "one_of_each_crop": "1 olive, 1 grain and 1 grape",
    "silver_7": "7 silver",
}


def player(seat: Seat) -> Message:
    """Whoever sits there; a page may put the name instead."""
    return Message("Neutral player") if seat == NEUTRAL else Message("Player {number}", {"number": seat + 1})


def goods(good: str, amount: int = 1) -> Message:
    """So many of a good."""
    one, many = GOODS[good]
    return Message(one, {"count": amount}, plural=many, count=amount)


def kind(good: str) -> Message:
    return Message(KINDS[good])


def place(name: str) -> Message:
    return Message(FROM[name])


def building(number: int) -> Message:
    return Message(BUILDINGS[number].name)


def helper(card: int, deck: str = DEFAULT_DECK) -> Message:
    """The name of the helper on a card."""
    return Message(DECKS[deck][card].helper.name)


def step(name: str) -> Message:
    return Message(STEPS[name])


def listed(terms: Iterable[Message]) -> Message:
    """Several terms in a row."""
    first, *rest = terms
    for term in rest:
        first = Message("{first}, {second}", {"first": first, "second": term})
    return first


def donkeys(count: int) -> Message:
    return Message("{count} donkey", {"count": count}, plural="{count} donkeys", count=count)


def hats(count: int) -> Message:
    return Message("{count} hat", {"count": count}, plural="{count} hats", count=count)


def roof(tile: str) -> Message:
    """What a roof tile does."""
    return Message(ROOF_EFFECTS[ROOF_TILES[tile].effect])


def extension(printed: Extension) -> Message:
    """What a farm extension adds, all of it."""
    counted = (
        ("{count} card more in hand", "{count} cards more in hand", printed.hand_limit),
        ("{count} silver of income", "{count} silver of income", printed.income_silver),
        ("{count} pig pen", "{count} pig pens", printed.pig_pens),
        ("{count} extra delivery", "{count} extra deliveries", printed.extra_deliveries),
    )
    return listed(Message(one, {"count": count}, plural=many, count=count) for one, many, count in counted if count)
