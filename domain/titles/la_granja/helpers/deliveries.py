"""Helpers about deliveries and completed rows and barrows."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.rules import Seat
from domain.titles.la_granja.agenda import AnyTask, DeliveryChoice, Gain, HelperOffer
from domain.titles.la_granja.cards import Card
from domain.titles.la_granja.delivering import deliveries_after_payment
from domain.titles.la_granja.effects import (
    BarrowCompleted,
    BuildingCompleted,
    Delivered,
    Effect,
    GoodPaid,
    MomentReached,
    plan_tasks,
)
from domain.titles.la_granja.helpers.kinds import Helper, gain_at_once, offer_helper
from domain.titles.la_granja.holdings import FIELDS
from domain.titles.la_granja.state import COMMODITY, State
from domain.titles.la_granja.tables import deck_of
from domain.titles.la_granja.turns import is_alone


def offer_to_keep(_: State, seat: Seat, card: Card, effect: Delivered) -> tuple[Effect, ...]:
    """Offer the Barter Trader after the owner's delivery; goods with a place only, no commodities (LG-13.30).

    It comes before the delivery completes anything.
    """
    if effect.seat != seat or not effect.place or effect.good == COMMODITY:
        return ()
    return offer_helper(seat, card, good=effect.good, place=effect.place)


def return_delivered_good(state: State, seat: Seat, _: Card, offer: HelperOffer) -> tuple[Effect, ...]:
    """Gain the delivered good again at its former place, with a new marker from the supply (Barter Trader).

    The delivery emptied one field of the crop. Any ordinary empty field of it will do (LG-0.7).
    """
    farm, deck, number = state.farms[seat], deck_of(state), 0
    helper_numbers = [helper_card.card for helper_card in farm.helpers]
    if offer.place in FIELDS:
        is_lent = offer.place == "helper_field"
        emptied = (field for field in farm.fields if not field.full and (field.card in helper_numbers) == is_lent)
        number = next(field.card for field in emptied if is_lent or field.crop == offer.good)
    elif offer.place == "helper":
        stores = (card for card in map(deck.__getitem__, helper_numbers) if "capacity" in card.helper.params)
        number = next(card.number for card in stores if card.helper.params["good"] == offer.good)
    place = "field" if offer.place in FIELDS else offer.place
    return (plan_tasks(seat, Gain(seat, offer.good, 1, place, "helper", number), done=0),)


def reward_delivery(state: State, seat: Seat, card: Card, effect: Delivered) -> tuple[Effect, ...]:
    """Give the owner silver for each wine delivered (Wine Dealer); offer 1 VP for meat (Sausage Maker).

    `()` for other goods and other seats.
    """
    if effect.seat != seat or effect.good not in card.helper.params["goods"]:
        return ()
    return offer_helper(seat, card) if card.helper.mode == "triggered" else take_reward(state, seat, card, None)


def take_reward(_: State, seat: Seat, card: Card, __: HelperOffer | None) -> tuple[Effect, ...]:
    """Give the owner the silver and VP of the card."""
    params = card.helper.params
    return tuple(
        effect for good in ("silver", "vp") if good in params for effect in gain_at_once(seat, good, params[good])
    )


def barrow_bonus(_: State, seat: Seat, card: Card, effect: BarrowCompleted) -> tuple[Effect, ...]:
    """Pay silver when the owner completes a barrow (Wheelwright)."""
    return gain_at_once(seat, "silver", card.helper.params["silver"]) if effect.seat == seat else ()


def building_bonus(_: State, seat: Seat, card: Card, effect: BuildingCompleted) -> tuple[Effect, ...]:
    """Give a trade commodity when the owner completes a craft building (Guild Clerk)."""
    return gain_at_once(seat, COMMODITY, card.helper.params["commodities"]) if effect.seat == seat else ()


def reward_unused_deliveries(_: State, seat: Seat, card: Card, effect: MomentReached) -> tuple[Effect, ...]:
    """Give the owner silver for each unused free delivery, up to the card's maximum (Idler)."""
    params = card.helper.params
    silver = min(params["maximum"], params["silver"] * effect.number)
    return (
        gain_at_once(seat, "silver", silver) if (effect.seat, effect.moment) == (seat, "delivered") and silver else ()
    )


def can_buy_a_delivery(state: State, seat: Seat, card: Card, _: AnyTask) -> bool:
    """Return whether a delivery is possible after paying for it.

    Not in step III.1, where seats act at the same time and could compete for a symbol (LG-2.1.1).
    """
    return is_alone(state) and bool(deliveries_after_payment(state, seat, card.helper.params["silver_cost"]))


def buy_a_delivery(_: State, seat: Seat, card: Card, __: AnyTask) -> tuple[Effect, ...]:
    """Pay silver and get the card's deliveries in the revenue phase (Courier)."""
    params = card.helper.params
    choices = [DeliveryChoice(seat)] * params["deliveries"]
    return plan_tasks(seat, *choices, done=0), GoodPaid(seat, "silver", params["silver_cost"], "", "helper")


KINDS: Final[Mapping[str, Helper]] = {
    "keep_delivered_good": Helper(performs=return_delivered_good, reacts={Delivered: offer_to_keep}),
    "delivery_bonus": Helper(performs=take_reward, reacts={Delivered: reward_delivery}),
    "delivery_substitute": Helper(),
    "barrow_complete_bonus": Helper(reacts={BarrowCompleted: barrow_bonus}),
    "building_complete_bonus": Helper(reacts={BuildingCompleted: building_bonus}),
    "unused_delivery_silver": Helper(reacts={MomentReached: reward_unused_deliveries}),
    "paid_delivery": Helper(offers=can_buy_a_delivery, performs=buy_a_delivery),
}
"""Helper kinds about deliveries; the effect of the Stand-in is in `delivering`."""
