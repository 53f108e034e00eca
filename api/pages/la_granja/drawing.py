"""La Granja: what the templates of board and farms need beside the view, and the headings of the action buttons."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from domain.kernel.messages import say
from domain.la_granja import actions
from domain.la_granja import words_terms as terms
from domain.la_granja.cards import Card
from domain.la_granja.components import REVENUE_SPACES, SIESTA
from domain.la_granja.helpers import helper_has_effect
from domain.la_granja.tables import DECKS
from domain.la_granja.view import Farm, Space, View

HEX: Final = 30.0
"""From the centre of a hex to a corner, in units of the drawing."""
MARGIN: Final = 6.0

PHASE_NAMES: Final[Mapping[str, str]] = {"I": "farm", "II": "revenue", "III": "transport", "IV": "scoring"}

HEADINGS: Final[Mapping[type[Any], str]] = {
    actions.Pass: "Go on",
    actions.Decline: "Go on",
    actions.PlayCard: "Play a card",
    actions.DrawCard: "Play a card",
    actions.DiscardCard: "Discard a card",
    actions.ReplaceCard: "Make room",
    actions.PayGood: "Pay for the farm extension",
    actions.PassOver: "Pay for the farm extension",
    actions.GrowCrops: "Growth",
    actions.BreedPig: "Growth",
    actions.BuyRoof: "Buy a roof tile",
    actions.TakeDie: "Take a die",
    actions.TakeOption: "Take the revenue",
    actions.ChangeDie: "Change the die",
    actions.ReserveSpace: "Reserve a space",
    actions.ChooseDonkey: "Choose a donkey tile",
    actions.DeliverToBuilding: "Deliver to a craft building",
    actions.DeliverToBarrow: "Deliver to a market barrow",
    actions.PlaceStall: "Place a stall on the market",
    actions.MoveStall: "Move a stall on the market",
    actions.RemoveStall: "Remove a stall from the market",
    actions.RecoverDonkey: "Take back a donkey tile",
    actions.TakeGood: "Take a good",
    actions.SpendCommodity: "Spend a trade commodity",
    actions.BuyResource: "Buy",
    actions.SellResource: "Sell",
    actions.UpgradeResource: "Upgrade",
    actions.UseRoof: "Use a roof tile",
    actions.TurnRoof: "Turn a roof tile up",
    actions.UseHelper: "Use a helper",
    actions.TakeBackMarker: "Take back a marker",
    actions.FinalSale: "Final sale",
}


class Hex(msgspec.Struct, frozen=True):
    """A market space as it is drawn."""

    x: float
    y: float
    corners: str
    space: Space


def heading(action: Any) -> str:
    return HEADINGS[type(action)]


def hexes(market: tuple[Space, ...]) -> tuple[Hex, ...]:
    """The market spaces with the places of their centres, pointed side up."""
    return tuple(_hex(space) for space in market)


def _hex(space: Space) -> Hex:
    x = HEX * math.sqrt(3) * (space.q + space.r / 2)
    y = HEX * 1.5 * space.r
    corners = (
        (x + (HEX - 1) * math.sin(math.tau * i / 6), y + (HEX - 1) * math.cos(math.tau * i / 6)) for i in range(6)
    )
    return Hex(round(x, 1), round(y, 1), " ".join(f"{cx:.1f},{cy:.1f}" for cx, cy in corners), space)


def view_box(drawn: tuple[Hex, ...]) -> str:
    """The smallest frame around all hexes."""
    reach = HEX + MARGIN
    left, right = min(hex.x for hex in drawn) - reach, max(hex.x for hex in drawn) + reach
    top, bottom = min(hex.y for hex in drawn) - reach, max(hex.y for hex in drawn) + reach
    return f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}"


def stocks(farm: Farm) -> tuple[tuple[str, int], ...]:
    """What lies in the stores, pens and purse of a farm."""
    kinds = ("silver", "olive", "grain", "grape", "pig", "food", "wine", "meat", "trade_commodity")
    return tuple((kind, getattr(farm, kind)) for kind in kinds)


def farms_in_order(view: View) -> tuple[Farm, ...]:
    """The reader's own farm first, then the others in turn order."""
    seats = [seat for seat in view.order if seat != view.seat]
    if view.seat is not None:
        seats.insert(0, view.seat)
    return tuple(view.farms[seat] for seat in seats)


def hand(view: View) -> tuple[Card, ...]:
    """The reader's own cards."""
    return tuple(DECKS[view.deck][number] for number in view.farms[view.seat].hand) if view.seat is not None else ()


def roof_name(tile: str) -> str:
    """What a roof tile brings, in few words."""
    return say(terms.roof(tile))


def standing(view: View) -> str:
    """Where the match stands, in one line."""
    name = f" ({PHASE_NAMES[view.phase]})" if view.phase in PHASE_NAMES else ""
    return f"round {view.round} · phase {view.phase}{name} · {terms.STEPS.get(view.step, view.step)}"


def picture(view: View) -> Mapping[str, Any]:
    """All that board and farms are drawn from."""
    drawn = hexes(view.market)
    return {
        "hexes": drawn,
        "view_box": view_box(drawn),
        "farms": farms_in_order(view),
        "stocks": stocks,
        "hand": hand(view),
        "has_effect": helper_has_effect,
        "good_names": terms.KINDS,
        "option_names": terms.OPTIONS,
        "roof_name": roof_name,
        "standing": standing(view),
        "revenue": REVENUE_SPACES,
        "dice_on": {number: view.dice.count(number) for number in REVENUE_SPACES},
        "siesta_vp": SIESTA.vp,
    }
