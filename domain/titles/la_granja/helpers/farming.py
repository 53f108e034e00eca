"""Helpers about income, fields and roof tiles."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.rules import Seat
from domain.titles.la_granja.actions import Action, BuyRoof
from domain.titles.la_granja.adjustments import Number, adjust
from domain.titles.la_granja.agenda import AnyTask, Gain, GoodChoice, HelperChoice, HelperOffer, RoofPayment, RoofStep
from domain.titles.la_granja.cards import Card
from domain.titles.la_granja.effects import Effect, MomentReached, RoofBought, plan_tasks
from domain.titles.la_granja.helpers.kinds import Helper, gain_at_once, offer_helper, start_choice
from domain.titles.la_granja.holdings import PLACE_OF
from domain.titles.la_granja.state import CROPS, RESOURCES, Farm, State
from domain.titles.la_granja.tables import box_of


def income_good(state: State, seat: Seat, card: Card) -> tuple[AnyTask, ...]:
    """Return the task that gains a good as income if the farm has the required field, if any.

    Olive Grower, Grain Grower, Winegrower.
    """
    params = card.helper.params
    if "requires_field" in params and params["requires_field"] not in crops_grown(state.farms[seat]):
        return ()
    return (Gain(seat, params["good"], params["amount"], PLACE_OF[params["good"]], "income"),)


def store_good(state: State, seat: Seat, card: Card) -> tuple[AnyTask, ...]:
    """Return the task that gains a good on the card as income, up to its capacity (Larder Keeper).

    Such a good can only be delivered.
    """
    params = card.helper.params
    (helper_card,) = (helper_card for helper_card in state.farms[seat].helpers if helper_card.card == card.number)
    amount = min(params["amount"], params["capacity"] - helper_card.goods)
    return (Gain(seat, params["good"], amount, "helper", "income", card.number),) if amount > 0 else ()


def crops_grown(farm: Farm) -> tuple[str, ...]:
    """Return the crops that the fields grow; a helper's field counts only while a crop is on it."""
    return tuple(crop for crop in CROPS if any(field.crop == crop for field in farm.fields))


def offer_gleaner(state: State, seat: Seat, card: Card, effect: MomentReached) -> tuple[Effect, ...]:
    """Offer the Gleaner after growth if the farm has a field."""
    if (effect.seat, effect.moment) != (seat, "grown") or not crops_grown(state.farms[seat]):
        return ()
    return offer_helper(seat, card)


def use_gleaner(state: State, seat: Seat, card: Card, _: HelperOffer) -> tuple[Effect, ...]:
    """Choose a crop of a kind that one of the owner's fields grows (Gleaner)."""
    choice = GoodChoice(seat, crops_grown(state.farms[seat]), 1, "helper")
    return (plan_tasks(seat, *[choice] * card.helper.params["crops"], done=0),)


def roof_bonus(_: State, seat: Seat, card: Card, effect: RoofBought) -> tuple[Effect, ...]:
    """Pay VP when the owner buys a roof tile (Thatcher)."""
    return gain_at_once(seat, "vp", card.helper.params["vp"]) if effect.seat == seat else ()


def resource_value(farm: Farm, card: Card) -> int:
    """Return the total value of all resources on fields, in stores and in pens as payment for a roof tile (Joiner)."""
    values = card.helper.params
    on_fields = sum(values[field.crop] for field in farm.fields if field.full)
    return int(on_fields + sum(values[resource] * getattr(farm, resource) for resource in RESOURCES))


def payable_roofs(state: State, seat: Seat, card: Card, _: AnyTask) -> tuple[Action, ...]:
    """Return the tiles, not free ones, that silver and resources together can pay for (Joiner).

    Empty without a free roof space (LG-3.4.4).
    """
    farm, box = state.farms[seat], box_of(state)
    has_room = len(farm.roofs) < adjust(state, seat, Number.ROOF_SPACES, box.player_board.roof_spaces)
    purse = farm.silver + resource_value(farm, card)
    return tuple(
        BuyRoof(tile)
        for tile in state.roofs
        if has_room and 0 < adjust(state, seat, Number.ROOF_PRICE, box.roof_tiles[tile].cost) <= purse
    )


def can_pay_with_goods(state: State, seat: Seat, card: Card, task: AnyTask) -> bool:
    """Return whether the seat can pay for a tile partly with resources in its part of step I.4.

    It can buy only one tile there.
    """
    if not isinstance(task, RoofStep) or task.bought or not resource_value(state.farms[seat], card):
        return False
    return bool(payable_roofs(state, seat, card, task))


def pay_with_goods(state: State, seat: Seat, _: Card, __: HelperChoice, action: BuyRoof) -> tuple[Effect, ...]:
    """Start paying for a tile with resources (Joiner); they count as silver, and no change is given."""
    price = adjust(state, seat, Number.ROOF_PRICE, box_of(state).roof_tiles[action.tile].cost)
    return (plan_tasks(seat, RoofPayment(seat, action.tile, price), done=0),)


KINDS: Final[Mapping[str, Helper]] = {
    "income_good": Helper(income=income_good),
    "income_good_if_field": Helper(income=income_good),
    "card_store_good": Helper(income=store_good),
    "helper_field": Helper(),
    "growth_bonus": Helper(performs=use_gleaner, reacts={MomentReached: offer_gleaner}),
    "roof_first": Helper(),
    "roof_buy_bonus": Helper(reacts={RoofBought: roof_bonus}),
    "roof_pay_goods": Helper(
        offers=can_pay_with_goods, performs=start_choice, choices=payable_roofs, chosen=pay_with_goods
    ),
}
"""Helper kinds about farming.

The Grove Warden's field is among the farm's fields, and the Early Riser is part of the order of step I.4.
"""
