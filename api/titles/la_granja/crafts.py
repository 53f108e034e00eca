"""Descriptions of both sides of a craft marker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.kernel.messages import Message, join_terms, plural
from domain.titles.la_granja.components import Bonus

AT_ONCE: Final[Mapping[str, tuple[str, str]]] = {
    "silver": plural("{count} silver", "{count} silver"),
    "delivery_and_siesta_vp": plural(
        "{count} delivery, and the points of your siesta space",
        "{count} deliveries, and the points of your siesta space",
    ),
    "trade_commodity": plural("{count} trade commodity", "{count} trade commodities"),
    "any_resource": plural("{count} resource of your choice", "{count} resources of your choice"),
    "vp": plural("{count} victory point", "{count} victory points"),
    "vp_per_own_barrow": plural(
        "{count} victory point for each of your market barrows",
        "{count} victory points for each of your market barrows",
    ),
}
"""Instant bonus for completing a building, by kind."""

LASTING: Final[Mapping[str, tuple[str, str]]] = {
    "income_silver": plural("{count} silver of income", "{count} silver of income"),
    "siesta_step_and_free_delivery": plural("{count} free delivery", "{count} free deliveries"),
    "income_trade_commodity": plural("{count} trade commodity as income", "{count} trade commodities as income"),
    "income_any_resource": plural(
        "{count} resource of your choice as income", "{count} resources of your choice as income"
    ),
    "vp_per_craft_marker": plural(
        "{count} victory point for each further craft marker", "{count} victory points for each further craft marker"
    ),
    "vp_per_completed_barrow": plural(
        "{count} victory point for each market barrow you complete",
        "{count} victory points for each market barrow you complete",
    ),
}
"""Lasting bonus of the marker, by kind; siesta steps precede it."""

STEPS: Final = plural("{count} step on the siesta track", "{count} steps on the siesta track")


def at_once(bonus: Bonus) -> Message:
    """Return the description of the instant side."""
    return count_message(AT_ONCE[bonus.kind], bonus.amount or bonus.deliveries)


def lasting(bonus: Bonus) -> Message:
    """Return the description of the lasting side."""
    gain = count_message(LASTING[bonus.kind], bonus.amount or bonus.deliveries)
    return join_terms((count_message(STEPS, bonus.siesta_steps), gain)) if bonus.siesta_steps else gain


def count_message(forms: tuple[str, str], count: int) -> Message:
    """Return the singular or plural form with its count."""
    singular, plural = forms
    return Message(singular, {"count": count}, plural=plural, count=count)
