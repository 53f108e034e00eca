"""The kinds of helpers and the types of their params; the effect of each kind is in `helpers`."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from domain.kernel.component_data import demand, plain
from domain.titles.la_granja.components import Crop, Good, Resource

Count = Annotated[int, Meta(ge=0, le=20)]
Some = Annotated[int, Meta(ge=1, le=20)]
One = Literal[1]
"""A count that the cards state, although the rules support only 1."""
Pips = Annotated[int, Meta(ge=1, le=6)]
Resources = Annotated[tuple[Resource, ...], Meta(min_length=1)]
Crops = Annotated[tuple[Crop, ...], Meta(min_length=1)]
Goods = Annotated[tuple[Good, ...], Meta(min_length=1)]
Tiles = Annotated[tuple[Annotated[int, Meta(ge=1, le=4)], ...], Meta(min_length=1)]
Values = Annotated[tuple[Pips, ...], Meta(min_length=1)]
CommodityOptions = Annotated[tuple[Literal["one_of_each_crop", "silver_7"], ...], Meta(min_length=1)]
Payments = Annotated[tuple[Literal["crop_1", "silver_2"], ...], Meta(min_length=1)]

Params = Mapping[str, Any]
"""Types of a helper's params by name."""

_BONUS_FREE: Final = {"silver": Count, "vp": Count}
_PRICE: Final = {"resources": Resources, "silver": Some}

KINDS: Final[Mapping[str, Params]] = {
    "barrow_complete_bonus": {"silver": Some},
    "breeding_threshold": {"pigs_needed": Some},
    "building_complete_bonus": {"commodities": Some},
    "buy_discount": _PRICE,
    "card_store_good": {"good": Good, "amount": Some, "capacity": Some},
    "commodity_extra_options": {"options": CommodityOptions},
    "delivery_bonus": {"goods": Goods},
    "delivery_substitute": {"required": Crops, "given": Crops},
    "die_shift": {"steps": Some, "low": One, "high": Literal[6], "siesta_steps": Count},
    "discard_card_for_crop": {"cards": One, "crops": Some, "silver_gain": Count},
    "donkey_recover": {"silver_cost": Count, "tiles": One},
    "extension_discount": {"goods": Some, "minimum": Some},
    "extra_delivery_cost": {"silver": Count},
    "extra_free_delivery": {"donkey_tiles": Tiles, "deliveries": Some},
    "extra_roof_space": {"spaces": Some, "vp": Count},
    "field_starts_grown": {"crops": One},
    "free_upgrade": {"resources": Resources, "count": Some, "silver_gain": Count},
    "growth_bonus": {"crops": Some, "requires_field": Literal[True]},
    "hand_limit_and_draw": {"hand_limit": Count, "draw": Some, "keep": Some},
    "hand_limit_and_income": {"hand_limit": Count, "income_silver": Count},
    "helper_field": {"crop": Literal["choice"]},
    "income_good": {"good": Resource, "amount": Some},
    "income_good_if_field": {"good": Crop, "amount": Some, "requires_field": Crop},
    "income_per_extension": {"silver": Some, "maximum": Some},
    "keep_delivered_good": {"goods": One},
    "market_move": {"markers": One, "distance": One},
    "market_protect": {"values": Values, "against": Literal["adjacent"]},
    "market_removal_bonus": {"vp": Some, "min_removed": Some},
    "market_remove_higher": {"difference": Some, "markers": One},
    "market_removed_commodity": {"commodities": Some},
    "market_removed_vp": {"vp": Some},
    "market_scoring_bonus": {"min_markers": Some, "vp": Some},
    "paid_delivery": {"silver_cost": Count, "deliveries": Some},
    "pay_for_vp": {"cost_options": Payments, "vp": Some},
    "pay_siesta": {"silver_cost": Count, "siesta_steps": Some},
    "pay_silver_play_card": {"silver_cost": Count, "cards": Some},
    "pay_vp_play_card": {"vp_cost": Count, "cards": Some},
    "pay_vp_round_revenue": {"vp_cost": Count},
    "pig_pen_bonus": {"pens": Some},
    "reserve_last_die": {"dice": One},
    "revenue_bonus": {"space": Pips},
    "revenue_crops": {"space": Pips, "crops": Annotated[int, Meta(ge=1, le=3)]},
    "revenue_two_options": {"spaces": Values, "options": Some},
    "roof_buy_bonus": {"vp": Some},
    "roof_discount": {"silver": Some, "minimum": Count},
    "roof_first": {"silver_discount": Count},
    "roof_pay_goods": dict.fromkeys(("olive", "grain", "grape", "pig"), Some),
    "sell_bonus": _PRICE,
    "sell_from_fields": {},
    "sell_special": {"resource": Resource, "silver": Count},
    "sell_upgraded": dict.fromkeys(("food", "wine", "meat"), Count),
    "shared_die_twice": {"times": Some},
    "siesta_scoring_bonus": {"min_position": Count, "vp": Some},
    "silver_for_vp": {"silver_cost": Count, "vp": Some},
    "swap_crop": {"silver_gain": Count},
    "unused_delivery_silver": {"silver": Some, "maximum": Some},
    "upgrade_bonus": {"resources": Resources, "vp": Some},
    "upgrade_discount": {**_PRICE, "minimum": Count},
    "vp_for_silver": {"vp_cost": Count, "silver": Some},
}
"""Required params of each kind."""

MAY: Final[Mapping[str, Params]] = {
    "delivery_bonus": _BONUS_FREE,
    "revenue_bonus": {**_BONUS_FREE, "crop_choice": Crops, "crops": Some, "siesta_steps": Some},
    "roof_discount": {"first_printing_silver": Count},
}
"""Optional params of each kind."""


def demand_params(kind: str, params: Mapping[str, Any], where: str) -> None:
    """Raise `DataFault` for an unknown kind, a missing or unknown param, or a value of the wrong type."""
    demand(kind in KINDS, where, f"key `helper.kind`: `{kind}` is no kind of helper")
    must, may = KINDS[kind], MAY.get(kind, {})
    for name in must:
        demand(name in params, where, f"key `helper.params.{name}`: the key is missing")
    for name, value in params.items():
        demand(name in must or name in may, where, f"key `helper.params.{name}`: an unknown key")
        plain(must.get(name, may.get(name)), value, where, f"helper.params.{name}")
