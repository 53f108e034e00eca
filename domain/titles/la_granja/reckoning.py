"""The numbers of the rules as the helpers at a farm make them (LG-10.7): what each kind of helper changes, and by what.

How much stands on the card; here is only what it is added to or taken from.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from typing import Any, Final

from domain.kernel.rules import Seat
from domain.titles.la_granja.cards import Card
from domain.titles.la_granja.state import Farm, State
from domain.titles.la_granja.tables import DECKS, deck_of

Params = Mapping[str, Any]


class Number(StrEnum):
    """Numbers of the rules that helpers change."""

    UPGRADE_PRICE = "upgrade price of a resource"
    BUYING_PRICE = "buying price of a resource"
    SELLING_PRICE = "selling price of a resource"
    ROOF_PRICE = "price of a roof tile"
    EXTENSION_PRICE = "kinds of goods a farm extension costs"
    EXTRA_DELIVERY_PRICE = "silver an extra delivery costs"
    FIELD_SALES = "1 when crops may be sold from fields"
    HAND_LIMIT = "hand limit"
    INCOME_SILVER = "silver of income"
    PENS = "pig pens"
    PIGS_TO_BREED = "pigs needed for a newborn pig"
    ROOF_SPACES = "roof spaces"
    LAST_ROOF_VP = "VP of a roof space beyond the printed ones"
    FREE_DELIVERIES = "free deliveries"
    SPACE_CROPS = "crops of a revenue space"
    CARDS_DRAWN = "cards drawn where a single one is drawn"
    CARDS_KEPT = "cards kept of those"
    MARKET_SAFETY = "1 when a market space cannot be cleared from beside it"


Adjust = Callable[[Farm, Params, int, Any], int]
"""What is this number for this farm? The last argument says of what: a resource, a revenue space, a market value."""


def upgrade_discount(_: Farm, params: Params, price: int, resource: str) -> int:
    """Chef, Miller: an upgrade that is paid for costs less, never below 0."""
    return max(int(params["minimum"]), price - int(params["silver"])) if resource in params["resources"] else price


def buy_discount(_: Farm, params: Params, price: int, resource: str) -> int:
    """Haggler: each resource bought costs less."""
    return max(0, price - int(params["silver"])) if resource in params["resources"] else price


def sell_bonus(_: Farm, params: Params, price: int, resource: str) -> int:
    """Broker: each resource sold brings more, in forced and final sales too."""
    return price + int(params["silver"]) if resource in params["resources"] else price


def roof_discount(_: Farm, params: Params, price: int, __: Any) -> int:
    """Turner: a roof tile costs less, never below 0."""
    return max(int(params["minimum"]), price - int(params["silver"]))


def roof_first_discount(_: Farm, params: Params, price: int, __: Any) -> int:
    """Early Riser: choosing first, for the discount on the card, if it names one."""
    return max(0, price - int(params["silver_discount"]))


def extension_discount(_: Farm, params: Params, goods: int, __: Any) -> int:
    """Builder: a farm extension costs fewer goods, at least 1."""
    return max(int(params["minimum"]), goods - int(params["goods"]))


def extra_delivery_cost(_: Farm, params: Params, __: int, ___: Any) -> int:
    """Packer: what an extra delivery costs."""
    return int(params["silver"])


def sell_from_fields(_: Farm, __: Params, ___: int, ____: Any) -> int:
    """Field Hand: crops may be sold straight from fields, in the final sale too (LG-13.20)."""
    return 1


def hand_limit(_: Farm, params: Params, limit: int, __: Any) -> int:
    """Schoolmistress, Bookkeeper: the hand limit is higher."""
    return limit + int(params["hand_limit"])


def income_silver(_: Farm, params: Params, silver: int, __: Any) -> int:
    """Schoolmistress: more silver of income."""
    return silver + int(params["income_silver"])


def income_per_extension(farm: Farm, params: Params, silver: int, _: Any) -> int:
    """Steward: silver for each own farm extension, up to a maximum."""
    return silver + min(int(params["maximum"]), int(params["silver"]) * len(farm.extensions))


def pig_pen_bonus(_: Farm, params: Params, pens: int, __: Any) -> int:
    """Swineherd: more pig pens."""
    return pens + int(params["pens"])


def breeding_threshold(_: Farm, params: Params, pigs: int, __: Any) -> int:
    """Stockman: fewer pigs are needed for a newborn one."""
    return min(pigs, int(params["pigs_needed"]))


def extra_roof_space(_: Farm, params: Params, spaces: int, __: Any) -> int:
    """Warehouse Builder: a roof space after the printed ones."""
    return spaces + int(params["spaces"])


def extra_roof_vp(_: Farm, params: Params, __: int, ___: Any) -> int:
    """Warehouse Builder: what that space is worth."""
    return int(params["vp"])


def extra_free_delivery(farm: Farm, params: Params, deliveries: int, _: Any) -> int:
    """Muleteer: more free deliveries with the smaller donkey tiles."""
    more = farm.donkey in params["donkey_tiles"]
    return deliveries + int(params["deliveries"]) if more else deliveries


def revenue_crops(_: Farm, params: Params, crops: int, space: int) -> int:
    """Sower: more different crops from a revenue space."""
    return int(params["crops"]) if space == params["space"] else crops


def cards_drawn(_: Farm, params: Params, __: int, ___: Any) -> int:
    """Bookkeeper: where a single card is drawn, more are drawn."""
    return int(params["draw"])


def cards_kept(_: Farm, params: Params, __: int, ___: Any) -> int:
    """Bookkeeper: and so many of them kept."""
    return int(params["keep"])


def market_protect(_: Farm, params: Params, safe: int, value: int) -> int:
    """Watchman: markers on these values are not removed from beside."""
    return 1 if value in params["values"] else safe


ADJUSTMENTS: Final[Mapping[Number, Mapping[str, Adjust]]] = {
    Number.UPGRADE_PRICE: {"upgrade_discount": upgrade_discount},
    Number.BUYING_PRICE: {"buy_discount": buy_discount},
    Number.SELLING_PRICE: {"sell_bonus": sell_bonus},
    Number.ROOF_PRICE: {"roof_discount": roof_discount, "roof_first": roof_first_discount},
    Number.EXTENSION_PRICE: {"extension_discount": extension_discount},
    Number.EXTRA_DELIVERY_PRICE: {"extra_delivery_cost": extra_delivery_cost},
    Number.FIELD_SALES: {"sell_from_fields": sell_from_fields},
    Number.HAND_LIMIT: {"hand_limit_and_income": hand_limit, "hand_limit_and_draw": hand_limit},
    Number.INCOME_SILVER: {"hand_limit_and_income": income_silver, "income_per_extension": income_per_extension},
    Number.PENS: {"pig_pen_bonus": pig_pen_bonus},
    Number.PIGS_TO_BREED: {"breeding_threshold": breeding_threshold},
    Number.ROOF_SPACES: {"extra_roof_space": extra_roof_space},
    Number.LAST_ROOF_VP: {"extra_roof_space": extra_roof_vp},
    Number.FREE_DELIVERIES: {"extra_free_delivery": extra_free_delivery},
    Number.SPACE_CROPS: {"revenue_crops": revenue_crops},
    Number.CARDS_DRAWN: {"hand_limit_and_draw": cards_drawn},
    Number.CARDS_KEPT: {"hand_limit_and_draw": cards_kept},
    Number.MARKET_SAFETY: {"market_protect": market_protect},
}
"""Per number the kinds of helpers that change it."""

ADJUSTING: Final = frozenset(kind for kinds in ADJUSTMENTS.values() for kind in kinds)


@cache
def adjusters(deck: str, number: Number) -> Mapping[int, tuple[Adjust, Params]]:
    """The cards of a deck whose helpers change this number, and how."""
    adjusts = ADJUSTMENTS[number]
    helpers = {card: printed.helper for card, printed in DECKS[deck].items()}
    return {card: (adjusts[helper.kind], helper.params) for card, helper in helpers.items() if helper.kind in adjusts}


def adjust(state: State, seat: Seat, number: Number, base: int, about: Any = None) -> int:
    """A number of the rules as this seat's helpers make it; several add up (LG-10.7)."""
    farm = state.farms[seat]
    if not farm.helpers:
        return base
    changing = adjusters(state.deck, number)
    for lying in farm.helpers:
        if lying.card in changing:
            change, params = changing[lying.card]
            base = change(farm, params, base, about)
    return base


def adjust_each(state: State, seat: Seat, number: Number, bases: Mapping[str, int]) -> Mapping[str, int]:
    """The same for each of several numbers of one kind, such as the prices of all resources."""
    farm = state.farms[seat]
    changing = adjusters(state.deck, number)
    for lying in farm.helpers:
        if lying.card in changing:
            change, params = changing[lying.card]
            bases = {about: change(farm, params, base, about) for about, base in bases.items()}
    return bases


def ready(state: State, seat: Seat, kind: str) -> Card | None:
    """The seat's helper of this kind, if it lies at the farm and is not exhausted (LG-10.2)."""
    deck = deck_of(state)
    for lying in state.farms[seat].helpers:
        if not lying.exhausted and deck[lying.card].helper.kind == kind:
            return deck[lying.card]
    return None


def owners_of(state: State, kind: str) -> tuple[Seat, ...]:
    """At whose farms helpers of this kind lie, used or not, in turn order."""
    deck = deck_of(state)
    return tuple(
        seat for seat in state.order if any(deck[lying.card].helper.kind == kind for lying in state.farms[seat].helpers)
    )
