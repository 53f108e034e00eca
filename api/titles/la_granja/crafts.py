"""What the two sides of a craft marker bring, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.kernel.messages import N_, Message
from domain.titles.la_granja.components import Bonus

AT_ONCE: Final[Mapping[str, str]] = {
    "silver": N_("silver: {count}"),
    "delivery_and_siesta_vp": N_("deliveries: {count}, and the points of the own siesta space"),
    "trade_commodity": N_("trade commodities: {count}"),
    "any_resource": N_("resources of choice: {count}"),
    "vp": N_("victory points: {count}"),
    "vp_per_own_barrow": N_("victory points for each own market barrow: {count}"),
}
"""By kind, what completing a building brings on the spot."""

LASTING: Final[Mapping[str, str]] = {
    "income_silver": N_("income, silver: {count}"),
    "siesta_step_and_free_delivery": N_("siesta steps: +{steps}, free deliveries: +{count}"),
    "income_trade_commodity": N_("income, trade commodities: {count}"),
    "income_any_resource": N_("income, resources of choice: {count}"),
    "vp_per_craft_marker": N_("victory points for each further craft marker: {count}"),
    "vp_per_completed_barrow": N_("victory points for each market barrow completed: {count}"),
}
"""By kind, what the marker brings from the next round on."""


def at_once(printed: Bonus) -> Message:
    return Message(AT_ONCE[printed.kind], {"count": printed.amount or printed.deliveries})


def lasting(printed: Bonus) -> Message:
    args: dict[str, int | str | Message] = {
        "count": printed.amount or printed.deliveries,
        "steps": printed.siesta_steps,
    }
    return Message(LASTING[printed.kind], args)
