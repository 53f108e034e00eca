"""The value of a round with each kind of helper to the greedy bot, in hundredths of a victory point.

Values are by kind, so that they apply to any deck. They were measured in 600 matches in which all kinds counted alike,
as the average gain with each; see `ops/decisions`.
"""

from collections.abc import Mapping
from typing import Final

from domain.titles.la_granja.cards import Helper

KINDS: Final[Mapping[str, int]] = {
    "barrow_complete_bonus": 30,
    "breeding_threshold": 77,
    "building_complete_bonus": 150,
    "buy_discount": 30,
    "card_store_good": 100,
    "commodity_extra_options": 30,
    "delivery_bonus": 35,
    "delivery_substitute": 39,
    "die_shift": 50,
    "discard_card_for_crop": 124,
    "donkey_recover": 30,
    "extension_discount": 46,
    "extra_delivery_cost": 35,
    "extra_free_delivery": 57,
    "extra_roof_space": 30,
    "field_starts_grown": 57,
    "free_upgrade": 125,
    "growth_bonus": 82,
    "hand_limit_and_draw": 30,
    "hand_limit_and_income": 82,
    "helper_field": 94,
    "income_good": 75,
    "income_good_if_field": 88,
    "income_per_extension": 50,
    "keep_delivered_good": 145,
    "market_move": 40,
    "market_protect": 70,
    "market_removal_bonus": 30,
    "market_remove_higher": 30,
    "market_removed_commodity": 55,
    "market_removed_vp": 40,
    "market_scoring_bonus": 30,
    "paid_delivery": 60,
    "pay_for_vp": 70,
    "pay_siesta": 45,
    "pay_silver_play_card": 30,
    "pay_vp_play_card": 95,
    "pay_vp_round_revenue": 70,
    "pig_pen_bonus": 30,
    "reserve_last_die": 30,
    "revenue_bonus": 50,
    "revenue_crops": 57,
    "revenue_two_options": 30,
    "roof_buy_bonus": 76,
    "roof_discount": 98,
    "roof_first": 30,
    "roof_pay_goods": 80,
    "sell_bonus": 88,
    "sell_from_fields": 58,
    "sell_special": 80,
    "sell_upgraded": 40,
    "shared_die_twice": 108,
    "siesta_scoring_bonus": 58,
    "silver_for_vp": 30,
    "swap_crop": 60,
    "unused_delivery_silver": 30,
    "upgrade_bonus": 32,
    "upgrade_discount": 80,
    "vp_for_silver": 90,
}


def worth_of(helper: Helper) -> int:
    """Return the value of a round with the helper."""
    return KINDS[helper.kind]
