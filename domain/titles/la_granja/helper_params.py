"""The kinds of helpers and the types of their params; the effect of each kind is in `helpers`."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from domain.kernel.component_data import convert_value, demand
from domain.titles.la_granja.components import Crop, Good, Resource

Count = Annotated[int, Meta(ge=0, le=20)]
Positive = Annotated[int, Meta(ge=1, le=20)]
ExactlyOne = Literal[1]
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
_PRICE: Final = {"resources": Resources, "silver": Positive}

REQUIRED_PARAMS: Final[Mapping[str, Params]] = {
    "barrow_complete_bonus": {"silver": Positive},
    "breeding_threshold": {"pigs_needed": Positive},
    "building_complete_bonus": {"commodities": Positive},
    "buy_discount": _PRICE,
    "card_store_good": {"good": Good, "amount": Positive, "capacity": Positive},
    "commodity_extra_options": {"options": CommodityOptions},
    "delivery_bonus": {"goods": Goods},
    "delivery_substitute": {"required": Crops, "given": Crops},
    "die_shift": {"steps": Positive, "low": ExactlyOne, "high": Literal[6], "siesta_steps": Count},
    "discard_card_for_crop": {"cards": ExactlyOne, "crops": Positive, "silver_gain": Count},
    "donkey_recover": {"silver_cost": Count, "tiles": ExactlyOne},
    "extension_discount": {"goods": Positive, "minimum": Positive},
    "extra_delivery_cost": {"silver": Count},
    "extra_free_delivery": {"donkey_tiles": Tiles, "deliveries": Positive},
    "extra_roof_space": {"spaces": Positive, "vp": Count},
    "field_starts_grown": {"crops": ExactlyOne},
    "free_upgrade": {"resources": Resources, "count": Positive, "silver_gain": Count},
    "growth_bonus": {"crops": Positive, "requires_field": Literal[True]},
    "hand_limit_and_draw": {"hand_limit": Count, "draw": Positive, "keep": Positive},
    "hand_limit_and_income": {"hand_limit": Count, "income_silver": Count},
    "helper_field": {"crop": Literal["choice"]},
    "income_good": {"good": Resource, "amount": Positive},
    "income_good_if_field": {"good": Crop, "amount": Positive, "requires_field": Crop},
    "income_per_extension": {"silver": Positive, "maximum": Positive},
    "keep_delivered_good": {"goods": ExactlyOne},
    "market_move": {"markers": ExactlyOne, "distance": ExactlyOne},
    "market_protect": {"values": Values, "against": Literal["adjacent"]},
    "market_removal_bonus": {"vp": Positive, "min_removed": Positive},
    "market_remove_higher": {"difference": Positive, "markers": ExactlyOne},
    "market_removed_commodity": {"commodities": Positive},
    "market_removed_vp": {"vp": Positive},
    "market_scoring_bonus": {"min_markers": Positive, "vp": Positive},
    "paid_delivery": {"silver_cost": Count, "deliveries": Positive},
    "pay_for_vp": {"cost_options": Payments, "vp": Positive},
    "pay_siesta": {"silver_cost": Count, "siesta_steps": Positive},
    "pay_silver_play_card": {"silver_cost": Count, "cards": Positive},
    "pay_vp_play_card": {"vp_cost": Count, "cards": Positive},
    "pay_vp_round_revenue": {"vp_cost": Count},
    "pig_pen_bonus": {"pens": Positive},
    "reserve_last_die": {"dice": ExactlyOne},
    "revenue_bonus": {"space": Pips},
    "revenue_crops": {"space": Pips, "crops": Annotated[int, Meta(ge=1, le=3)]},
    "revenue_two_options": {"spaces": Values, "options": Positive},
    "roof_buy_bonus": {"vp": Positive},
    "roof_discount": {"silver": Positive, "minimum": Count},
    "roof_first": {"silver_discount": Count},
    "roof_pay_goods": dict.fromkeys(("olive", "grain", "grape", "pig"), Positive),
    "sell_bonus": _PRICE,
    "sell_from_fields": {},
    "sell_special": {"resource": Resource, "silver": Count},
    "sell_upgraded": dict.fromkeys(("food", "wine", "meat"), Count),
    "shared_die_twice": {"times": Positive},
    "siesta_scoring_bonus": {"min_position": Count, "vp": Positive},
    "silver_for_vp": {"silver_cost": Count, "vp": Positive},
    "swap_crop": {"silver_gain": Count},
    "unused_delivery_silver": {"silver": Positive, "maximum": Positive},
    "upgrade_bonus": {"resources": Resources, "vp": Positive},
    "upgrade_discount": {**_PRICE, "minimum": Count},
    "vp_for_silver": {"vp_cost": Count, "silver": Positive},
}
"""Required params of each kind."""

OPTIONAL_PARAMS: Final[Mapping[str, Params]] = {
    "delivery_bonus": _BONUS_FREE,
    "revenue_bonus": {**_BONUS_FREE, "crop_choice": Crops, "crops": Positive, "siesta_steps": Positive},
    "roof_discount": {"first_printing_silver": Count},
}
"""Optional params of each kind."""


def check_params(kind: str, params: Mapping[str, Any], location: str) -> None:
    """Raise `DataFault` for an unknown kind, a missing or unknown param, or a value of the wrong type."""
    demand(kind in REQUIRED_PARAMS, location, f"key `helper.kind`: `{kind}` is not a kind of helper")
    required, optional = REQUIRED_PARAMS[kind], OPTIONAL_PARAMS.get(kind, {})
    for name in required:
        demand(name in params, location, f"key `helper.params.{name}`: missing key")
    for name, value in params.items():
        demand(name in required or name in optional, location, f"key `helper.params.{name}`: unknown key")
        convert_value(required.get(name, optional.get(name)), value, location, f"helper.params.{name}")
