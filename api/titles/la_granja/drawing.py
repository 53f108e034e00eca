"""Template variables of the table, headings of the action buttons, and short labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from api.http.languages import say
from api.http.parts import PagePart
from api.titles.drawing import Brief
from api.titles.la_granja import boards, farms
from api.titles.la_granja.addresses import query_of
from api.titles.la_granja.farms import good_words
from api.titles.la_granja.prompts import PHASES, match_progress, prompt
from domain.kernel.messages import N_, Message
from domain.titles.la_granja import actions
from domain.titles.la_granja import words_terms as terms
from domain.titles.la_granja.tables import BOXES
from domain.titles.la_granja.view import View

__all__ = ["HEADINGS", "TEMPLATES", "brief", "ends_step", "heading", "picture", "prompt"]

TEMPLATES: Final = (
    ("start", "la_granja/start.html"),
    ("board", "la_granja/board.html"),
    ("mine", "la_granja/mine.html"),
    ("farms", "la_granja/farms.html"),
)
"""Fragments of the table by name; `start` never changes and is sent once."""

CONTINUE: Final = N_("Continue")

HEADINGS: Final[Mapping[type[Any], str]] = {
    actions.Pass: CONTINUE,
    actions.Decline: CONTINUE,
    actions.PlayCard: N_("Play a card"),
    actions.DrawCard: N_("Play a card"),
    actions.DiscardCard: N_("Discard a card"),
    actions.ReplaceCard: N_("Make room"),
    actions.PayGood: N_("Pay for the farm extension"),
    actions.PassOver: N_("Pay for the farm extension"),
    actions.GrowCrops: N_("Growth"),
    actions.BreedPig: N_("Growth"),
    actions.BuyRoof: N_("Buy a roof tile"),
    actions.TakeDie: N_("Take a die"),
    actions.TakeOption: N_("Take the revenue"),
    actions.ChangeDie: N_("Change the die"),
    actions.ReserveSpace: N_("Reserve a space"),
    actions.ChooseDonkey: N_("Choose a donkey tile"),
    actions.DeliverToBuilding: N_("Deliver to a craft building"),
    actions.DeliverToBarrow: N_("Deliver to a market barrow"),
    actions.BuyDeliveries: N_("Buy extra deliveries"),
    actions.PlaceStall: N_("Place a stall on the market"),
    actions.MoveStall: N_("Move a stall on the market"),
    actions.RemoveStall: N_("Remove a stall from the market"),
    actions.RecoverDonkey: N_("Take back a donkey tile"),
    actions.TakeGood: N_("Take a good"),
    actions.SpendCommodity: N_("Spend a trade commodity"),
    actions.BuyResource: N_("Buy"),
    actions.SellResource: N_("Sell"),
    actions.UpgradeResource: N_("Upgrade"),
    actions.UseRoof: N_("Use a roof tile"),
    actions.TurnRoof: N_("Turn a roof tile face up"),
    actions.UseHelper: N_("Use a helper"),
    actions.TakeBackMarker: N_("Take back a marker"),
    actions.FinalSale: N_("Final sale"),
}


def ends_step(action: object) -> bool:
    """Return whether the action only ends a step or declines."""
    return HEADINGS[type(action)] is CONTINUE


def heading(action: object) -> str:
    """Return the heading of the button group that contains the action."""
    return HEADINGS[type(action)]


SIDES: Final[Mapping[str, str]] = {
    "field": N_("Field"),
    "barrow": N_("Barrow"),
    "extension": N_("Extension"),
    "helper": N_("Helper"),
}


def brief(view: View, action: object) -> Brief | None:
    """Return a short label for actions whose heading gives the context; None for others.

    A played card is labelled with its side and name, a donkey tile with its donkeys and hats, a purchase with good and
    price.
    """
    match action:
        case actions.PlayCard(card=card, side=side):
            card_address = f"/cards/la_granja{query_of(view.deck)}#card-{card}"
            return Brief((Message(SIDES[side]),), terms.helper(card, view.deck), card_address)
        case actions.ChooseDonkey(tile=tile):
            donkey = BOXES[view.deck].donkey_tiles[tile]
            return Brief((terms.donkeys(donkey.donkeys), terms.hats(donkey.hats)))
        case actions.SpendCommodity(option=option) if view.step != "donkeys":
            return Brief((Message(terms.OPTIONS[option]),))
        case actions.BuyResource(resource=resource) if view.seat is not None:
            price = next(each.buy for each in view.farms[view.seat].prices if each.resource == resource)
            return Brief((terms.goods(resource), terms.goods("silver", price)))
    return None


def card_in_hand(deck: str, number: int) -> dict[str, Any]:
    """Return the template variables of a card in the reader's hand."""
    return {"card": BOXES[deck].cards[number], "good_words": good_words(), "of": query_of(deck)}


def drawn_hand(deck: str, hand: tuple[int, ...], set_aside: tuple[int, ...], limit: int) -> dict[str, Any]:
    """Return the template variables of the reader's hand and of the cards set aside."""

    def cards(numbers: tuple[int, ...]) -> tuple[PagePart, ...]:
        return tuple(PagePart("la_granja/in_hand.html", card_in_hand, (deck, number)) for number in numbers)

    return {"hand": cards(hand), "aside": cards(set_aside), "hand_limit": limit, "good_words": good_words()}


def hand(view: View) -> PagePart | None:
    """Return the page part of the reader's hand; None for a spectator."""
    if view.seat is None:
        return None
    farm = view.farms[view.seat]
    return PagePart("la_granja/hand.html", drawn_hand, (view.deck, farm.hand, farm.aside, farm.hand_limit), "hand")


def table_links(is_seated: bool) -> dict[str, Any]:
    """Return the template variables of the links to the parts of the table."""
    return {"is_seated": is_seated}


def picture(view: View) -> Mapping[str, Any]:
    """Return the template variables of the whole table."""
    return {
        **boards.board(view),
        "own": farms.own(view),
        "others": farms.others(view),
        "hand": hand(view),
        "discarded": tuple(BOXES[view.deck].cards[number] for number in view.discard),
        "ways": PagePart("la_granja/ways.html", table_links, (view.seat is not None,)),
        "phase_names": PHASES,
        "standing": say(match_progress(view)),
    }
