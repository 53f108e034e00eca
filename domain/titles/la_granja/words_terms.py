"""Translatable terms in the rulebook's words: goods, places, buildings and steps."""

from collections.abc import Mapping, Sequence
from typing import Final

from domain.kernel import messages
from domain.kernel.messages import N_, Message, join_terms, plural
from domain.kernel.rules import Seat
from domain.titles.la_granja.cards import Extension
from domain.titles.la_granja.components import ROOF_EFFECTS as PRINTED
from domain.titles.la_granja.state import NEUTRAL
from domain.titles.la_granja.tables import BOXES, DECKS
from domain.titles.la_granja.view import Space

Args = dict[str, int | str | Message]
"""Arguments of a message."""

GOODS: Final[Mapping[str, tuple[str, str]]] = {
    "silver": plural("{count} silver", "{count} silver"),
    "vp": plural("{count} victory point", "{count} victory points"),
    "olive": plural("{count} olive", "{count} olives"),
    "grain": plural("{count} grain", "{count} grain"),
    "grape": plural("{count} grape", "{count} grapes"),
    "pig": plural("{count} pig", "{count} pigs"),
    "food": plural("{count} food", "{count} food"),
    "wine": plural("{count} wine", "{count} wine"),
    "meat": plural("{count} meat", "{count} meat"),
    "trade_commodity": plural("{count} trade commodity", "{count} trade commodities"),
    "stall": plural("{count} market stall", "{count} market stalls"),
}

KINDS: Final[Mapping[str, str]] = {
    "silver": N_("silver"),
    "vp": N_("victory points"),
    "olive": N_("olive"),
    "grain": N_("grain"),
    "grape": N_("grape"),
    "pig": N_("pig"),
    "food": N_("food"),
    "wine": N_("wine"),
    "meat": N_("meat"),
    "trade_commodity": N_("trade commodity"),
}

FROM: Final[Mapping[str, str]] = {
    "field": N_("from a field"),
    "helper_field": N_("from a helper's field"),
    "store": N_("from the store"),
    "pen": N_("from a pen"),
    "helper": N_("from a helper"),
    "space": N_("from the farm"),
    "": N_("from the purse"),
}

TAKEN_FROM: Final[Mapping[str, str]] = {
    "field": N_("from a field"),
    "helper_field": N_("from a helper's field"),
    "store": N_("from a store"),
    "pen": N_("from a pen"),
    "helper": N_("from a helper"),
    "space": N_("from the trade commodities"),
    "barrow": N_("from a market barrow"),
    "row": N_("from a row of a craft building"),
    "mark": N_("from a completed craft building"),
    "market": N_("from the market"),
}

STEPS: Final[Mapping[str, str]] = {
    "setup": N_("setup"),
    "cards": N_("play a farm card and draw"),
    "income": N_("take income"),
    "growth": N_("growth on fields and newborn pig"),
    "roofs": N_("buy roof tiles"),
    "roll": N_("roll the revenue dice"),
    "first_dice": N_("take the first dice"),
    "second_dice": N_("take the second dice"),
    "last_die": N_("resolve the last die"),
    "donkeys": N_("choose a donkey tile"),
    "siesta": N_("advance on the siesta track"),
    "free_deliveries": N_("make free deliveries"),
    "extra_deliveries": N_("buy and make extra deliveries"),
    "market_scoring": N_("score the market"),
    "siesta_scoring": N_("score the siesta track"),
    "siesta_return": N_("reset the siesta track"),
    "turning": N_("turn up the next roof tiles and flip craft markers"),
    "sale": N_("final sale"),
    "over": N_("the end"),
}

ROOF_EFFECTS: Final[Mapping[str, str]] = {
    "silver_4": N_("4 silver"),
    "silver_3": N_("3 silver"),
    "silver_2": N_("2 silver"),
    "olive": N_("1 olive"),
    "grape": N_("1 grape"),
    "grain_or_olive": N_("1 grain or 1 olive"),
    "any_crop": N_("1 crop of choice"),
    "two_different_crops": N_("2 different crops"),
    "pig": N_("1 pig"),
    "upgrade_1": N_("1 free upgrade"),
    "upgrade_2": N_("2 free upgrades"),
    "delivery": N_("1 delivery"),
    "paid_delivery": N_("1 delivery for 1 silver"),
    "play_or_draw_card": N_("play or draw 1 card"),
    "vp_1": N_("1 victory point"),
    "flip_roof": N_("turn another used roof tile face up"),
    "siesta_1": N_("1 siesta step"),
    "siesta_2": N_("2 siesta steps"),
    "upgraded_good": N_("1 food, wine or meat"),
    "die_1": N_("change a die by 1"),
    "die_2": N_("change a die by up to 2"),
    "income": N_("take income once more"),
    "market_marker": N_("a marker on any free market space"),
    "double_roof_vp": N_("double the victory points of a roof space"),
}

SPACES: Final[Mapping[int, str]] = {
    1: N_("1 pig"),
    2: N_("play or draw 1 card, or take 1 crop of choice"),
    3: N_("2 different crops"),
    4: N_("4 silver"),
    5: N_("upgrades or siesta steps"),
    6: N_("1 delivery or 2 silver"),
}

OPTIONS: Final[Mapping[str, str]] = {
    "pig_1": N_("1 pig"),
    "play_card": N_("play 1 card"),
    "draw_card": N_("draw 1 card"),
    "play_or_draw_card": N_("play or draw 1 card"),
    "crop_any": N_("1 crop of choice"),
    "two_different_crops": N_("2 different crops"),
    "silver_4": N_("4 silver"),
    "silver_2": N_("2 silver"),
    "upgrade_2": N_("up to 2 free upgrades"),
    "upgrade_1_siesta_1": N_("1 free upgrade and 1 siesta step"),
    "siesta_2": N_("2 siesta steps"),
    "delivery_1": N_("1 delivery"),
    "one_of_each_crop": N_("1 olive, 1 grain and 1 grape"),
    "silver_7": N_("7 silver"),
}


def player(seat: Seat) -> Message:
    """Return the player of the seat; a page can replace it by the name."""
    return Message("Neutral player") if seat == NEUTRAL else messages.player(seat)


def goods(good: str, amount: int = 1) -> Message:
    """Return `amount` of a good, such as `2 olives`."""
    singular_text, plural_text = GOODS[good]
    return Message(singular_text, {"count": amount}, plural=plural_text, count=amount)


def kind(good: str) -> Message:
    """Return the name of a kind of good."""
    return Message(KINDS[good])


def place(name: str) -> Message:
    """Return a place as the origin of a good, such as `from a field`."""
    return Message(FROM[name])


def building(number: int, deck: str) -> Message:
    """Return the name of a craft building."""
    return Message(BOXES[deck].buildings[number].name)


def helper(card: int, deck: str) -> Message:
    """Return the name of the helper on a card."""
    return Message(DECKS[deck][card].helper.name)


def card(number: int, deck: str) -> Message:
    """Return a farm card in quotation marks, named after its helper."""
    return Message("“{card}”", {"card": helper(number, deck)})


def market_space(market: Sequence[Space], cell: int) -> Args:
    """Return value, row (from the top) and place (from the left) of a market space, as message arguments."""
    space = market[cell]
    rows = sorted({each.r for each in market})
    row = sorted(each.q for each in market if each.r == space.r)
    return {"value": space.value, "row": rows.index(space.r) + 1, "place": row.index(space.q) + 1}


def step(name: str) -> Message:
    """Return the name of a step."""
    return Message(STEPS[name])


def donkeys(count: int) -> Message:
    """Return a number of donkeys, such as `2 donkeys`."""
    return Message("{count} donkey", {"count": count}, plural="{count} donkeys", count=count)


def hats(count: int) -> Message:
    """Return a number of hats, such as `1 hat`."""
    return Message("{count} hat", {"count": count}, plural="{count} hats", count=count)


def roof(tile: str, deck: str) -> Message:
    """Return the effect of a roof tile; an effect that differs from the package's has its file's text, untranslated."""
    effect = BOXES[deck].effect_of(tile)
    standard = PRINTED.get(effect.id)
    is_standard = standard is not None and (standard.kind, standard.params) == (effect.kind, effect.params)
    return Message(ROOF_EFFECTS[effect.id] if is_standard else effect.text)


def roof_tile(tile: str, deck: str, others: Sequence[str] = ()) -> Message:
    """Return a roof tile in quotation marks, named after its effect.

    The id is added if another of the tiles shown together has the same effect.
    """
    effect = roof(tile, deck)
    if any(other != tile and roof(other, deck) == effect for other in others):
        return Message("“{effect}” ({tile})", {"tile": tile, "effect": effect})
    return Message("“{effect}”", {"effect": effect})


def extension(printed: Extension) -> Message:
    """Return all bonuses of a farm extension, joined; bonuses of 0 are left out."""
    gains = (
        (plural("{count} card more in hand", "{count} cards more in hand"), printed.hand_limit),
        (plural("{count} silver of income", "{count} silver of income"), printed.income_silver),
        (plural("{count} pig pen", "{count} pig pens"), printed.pig_pens),
        (plural("{count} extra delivery", "{count} extra deliveries"), printed.extra_deliveries),
    )
    return join_terms(
        Message(singular_text, {"count": count}, plural=plural_text, count=count)
        for (singular_text, plural_text), count in gains
        if count
    )
