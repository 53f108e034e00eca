"""Mapping from actions to the parts of the drawn table that are clicked to choose them.

Names equal `data-part` in the templates. Parts of a farm are drawn only at the reader's own farm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.titles.la_granja import actions as a
from domain.titles.la_granja.components import REVENUE_SPACES
from domain.titles.la_granja.holdings import FIELDS

DRAWN_OPTIONS: Final = frozenset(option for space in REVENUE_SPACES.values() for option in space.options)
"""Options printed on a revenue space; a helper's additional options are not drawn."""

PILE: Final = "pile"
GROWTH: Final = "growth"
EXTRA_DELIVERIES: Final = "extra-deliveries"


def part_of(action: object) -> str:
    """Return the name of the part of the table for an action; "" if it has none."""
    name = PART_OF.get(type(action))
    return name(action) if name else ""


def goods_part(good: str, place: str) -> str:
    """Return the part of the reader's farm that shows a good at a place."""
    return f"{place}-{good}" if place in {*FIELDS, "helper"} else f"store-{good}"


def marker_part(action: a.TakeBackMarker) -> str:
    """Return the id of the drawn part that shows the marker taken back."""
    match action.place:
        case "barrow":
            return f"barrow-{action.number}-{action.good}-taken"
        case "row":
            return f"building-{action.number}-{action.good}-taken"
        case "mark":
            return f"mark-{action.number}"
        case "market":
            return f"stall-{action.number}"
        case place:
            return goods_part(action.good, place)


PART_OF: Final[Mapping[type[Any], Callable[[Any], str]]] = {
    a.PlayCard: lambda action: f"hand-{action.card}-{action.side}",
    a.DiscardCard: lambda action: f"hand-{action.card}",
    a.DrawCard: lambda _: PILE,
    a.ReplaceCard: lambda action: f"laid-{action.card}",
    a.UseHelper: lambda action: f"laid-{action.card}",
    a.PayGood: lambda action: goods_part(action.good, action.place),
    a.UpgradeResource: lambda action: goods_part(action.resource, action.place),
    a.SellResource: lambda action: goods_part(action.resource, action.place),
    a.BuyResource: lambda action: goods_part(action.resource, "store"),
    a.TakeGood: lambda action: goods_part(action.good, "store"),
    a.SpendCommodity: lambda _: goods_part("trade_commodity", "space"),
    a.TakeBackMarker: marker_part,
    a.GrowCrops: lambda _: GROWTH,
    a.BreedPig: lambda _: goods_part("pig", "store"),
    a.BuyRoof: lambda action: f"roof-{action.tile}",
    a.UseRoof: lambda action: f"roof-{action.tile}",
    a.TurnRoof: lambda action: f"roof-{action.tile}",
    a.TakeDie: lambda action: f"die-{action.pips}",
    a.ChangeDie: lambda action: f"space-{action.pips}",
    a.ReserveSpace: lambda action: f"space-{action.space}",
    a.TakeOption: lambda action: f"option-{action.option}" if action.option in DRAWN_OPTIONS else "",
    a.ChooseDonkey: lambda action: f"donkey-{action.tile}",
    a.RecoverDonkey: lambda action: f"donkey-{action.tile}",
    a.DeliverToBuilding: lambda action: f"building-{action.building}-{action.asked or action.good}",
    a.DeliverToBarrow: lambda action: f"barrow-{action.card}-{action.asked or action.good}",
    a.BuyDeliveries: lambda _: EXTRA_DELIVERIES,
    a.PlaceStall: lambda action: f"stall-{action.cell}",
    a.MoveStall: lambda action: f"stall-{action.to}",
    a.RemoveStall: lambda action: f"stall-{action.cell}",
}
