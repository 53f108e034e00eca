"""Adjustment of the rules' numbers by the helpers at a farm (LG-10.7).

The cards state the amounts. This module defines how each kind of helper applies them.
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
    """Numbers of the rules that helpers can adjust."""

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
"""Adjustment of a number for a farm; the last argument is a resource, a revenue space or a market value."""


def upgrade_discount(_: Farm, params: Params, price: int, resource: str) -> int:
    """Reduce the price of a paid upgrade, not below the minimum (Chef, Miller)."""
    return max(int(params["minimum"]), price - int(params["silver"])) if resource in params["resources"] else price


def buy_discount(_: Farm, params: Params, price: int, resource: str) -> int:
    """Reduce the price of each resource bought (Haggler)."""
    return max(0, price - int(params["silver"])) if resource in params["resources"] else price


def sell_bonus(_: Farm, params: Params, price: int, resource: str) -> int:
    """Raise the price of each resource sold, including forced and final sales (Broker)."""
    return price + int(params["silver"]) if resource in params["resources"] else price


def roof_discount(_: Farm, params: Params, price: int, __: object) -> int:
    """Reduce the price of a roof tile, not below the minimum (Turner)."""
    return max(int(params["minimum"]), price - int(params["silver"]))


def roof_first_discount(_: Farm, params: Params, price: int, __: object) -> int:
    """Reduce the price of a roof tile by the discount of the Early Riser, if the card has one."""
    return max(0, price - int(params["silver_discount"]))


def extension_discount(_: Farm, params: Params, goods: int, __: object) -> int:
    """Reduce the number of goods that a farm extension costs, not below the minimum (Builder)."""
    return max(int(params["minimum"]), goods - int(params["goods"]))


def extra_delivery_cost(_: Farm, params: Params, __: int, ___: object) -> int:
    """Replace the price of an extra delivery (Packer)."""
    return int(params["silver"])


def sell_from_fields(_: Farm, __: Params, ___: int, ____: object) -> int:
    """Allow crops to be sold from fields, in the final sale too (Field Hand, LG-13.20)."""
    return 1


def hand_limit(_: Farm, params: Params, limit: int, __: object) -> int:
    """Raise the hand limit (Schoolmistress, Bookkeeper)."""
    return limit + int(params["hand_limit"])


def income_silver(_: Farm, params: Params, silver: int, __: object) -> int:
    """Raise the silver of the income (Schoolmistress)."""
    return silver + int(params["income_silver"])


def income_per_extension(farm: Farm, params: Params, silver: int, _: object) -> int:
    """Raise the silver of the income for each farm extension, up to a maximum (Steward)."""
    return silver + min(int(params["maximum"]), int(params["silver"]) * len(farm.extensions))


def pig_pen_bonus(_: Farm, params: Params, pens: int, __: object) -> int:
    """Add pig pens (Swineherd)."""
    return pens + int(params["pens"])


def breeding_threshold(_: Farm, params: Params, pigs: int, __: object) -> int:
    """Lower the number of pigs needed for a newborn pig (Stockman)."""
    return min(pigs, int(params["pigs_needed"]))


def extra_roof_space(_: Farm, params: Params, spaces: int, __: object) -> int:
    """Add a roof space after the printed ones (Warehouse Builder)."""
    return spaces + int(params["spaces"])


def extra_roof_vp(_: Farm, params: Params, __: int, ___: object) -> int:
    """Return the VP of the added roof space (Warehouse Builder)."""
    return int(params["vp"])


def extra_free_delivery(farm: Farm, params: Params, deliveries: int, _: object) -> int:
    """Add free deliveries for certain donkey tiles (Muleteer)."""
    more = farm.donkey in params["donkey_tiles"]
    return deliveries + int(params["deliveries"]) if more else deliveries


def revenue_crops(_: Farm, params: Params, crops: int, space: int) -> int:
    """Set the number of different crops of a revenue space (Sower)."""
    return int(params["crops"]) if space == params["space"] else crops


def cards_drawn(_: Farm, params: Params, __: int, ___: object) -> int:
    """Set the number of cards drawn where one is drawn (Bookkeeper)."""
    return int(params["draw"])


def cards_kept(_: Farm, params: Params, __: int, ___: object) -> int:
    """Set the number of drawn cards that are kept (Bookkeeper)."""
    return int(params["keep"])


def market_protect(_: Farm, params: Params, is_protected: int, value: int) -> int:
    """Protect markers on these values from removal by an adjacent stall (Watchman)."""
    return 1 if value in params["values"] else is_protected


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
"""Adjustments of each number, by kind of helper."""

ADJUSTING_KINDS: Final = frozenset(kind for kinds in ADJUSTMENTS.values() for kind in kinds)


@cache
def adjusters(deck: str, number: Number) -> Mapping[int, tuple[Adjust, Params]]:
    """Return card number -> (adjustment, params) of each helper in the deck that adjusts this number."""
    adjusts = ADJUSTMENTS[number]
    helpers = {card: printed.helper for card, printed in DECKS[deck].items()}
    return {card: (adjusts[helper.kind], helper.params) for card, helper in helpers.items() if helper.kind in adjusts}


def adjust(state: State, seat: Seat, number: Number, base: int, subject: object = None) -> int:
    """Return the number adjusted by all of the seat's helpers, also exhausted ones (LG-10.7).

    `subject` is as in `Adjust`.
    """
    farm = state.farms[seat]
    if not farm.helpers:
        return base
    changes_by_card = adjusters(state.deck, number)
    for helper_card in farm.helpers:
        if helper_card.card in changes_by_card:
            change, params = changes_by_card[helper_card.card]
            base = change(farm, params, base, subject)
    return base


def adjust_each(state: State, seat: Seat, number: Number, bases: Mapping[str, int]) -> Mapping[str, int]:
    """Return several numbers of one kind adjusted at once, such as the prices of all resources (key -> number)."""
    farm = state.farms[seat]
    changes_by_card = adjusters(state.deck, number)
    for helper_card in farm.helpers:
        if helper_card.card in changes_by_card:
            change, params = changes_by_card[helper_card.card]
            bases = {subject: change(farm, params, base, subject) for subject, base in bases.items()}
    return bases


def ready_helper(state: State, seat: Seat, kind: str) -> Card | None:
    """Return the seat's helper of this kind if it is not exhausted (LG-10.2), else None."""
    deck = deck_of(state)
    for helper_card in state.farms[seat].helpers:
        if not helper_card.exhausted and deck[helper_card.card].helper.kind == kind:
            return deck[helper_card.card]
    return None


def owners_of(state: State, kind: str) -> tuple[Seat, ...]:
    """Return the seats with a helper of this kind, exhausted or not, in turn order."""
    deck = deck_of(state)
    return tuple(
        seat
        for seat in state.order
        if any(deck[helper_card.card].helper.kind == kind for helper_card in state.farms[seat].helpers)
    )
