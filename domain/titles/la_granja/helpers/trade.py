"""Helpers about prices, selling, upgrading and exchanging."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.rules import Seat
from domain.titles.la_granja.actions import Action, PayGood, SellResource, TakeOption
from domain.titles.la_granja.agenda import AnyTask, GoodChoice, HelperChoice, HelperOffer, UpgradeChoice
from domain.titles.la_granja.cards import Card
from domain.titles.la_granja.effects import Effect, GoodPaid, ResourceSold, ResourceUpgraded, plan_tasks
from domain.titles.la_granja.helpers.kinds import Helper, gain, gain_at_once, offer_helper, start_choice
from domain.titles.la_granja.holdings import PLACE_OF, resources_in
from domain.titles.la_granja.state import COMMODITY, CROPS, UPGRADED, State


def can_upgrade(state: State, seat: Seat, card: Card, _: AnyTask) -> bool:
    """Return whether the farm has a resource of the card's kinds to upgrade."""
    kinds = card.helper.params["resources"]
    return any(resource in kinds for resource, _ in resources_in(state.farms[seat]))


def upgrade_for_free(_: State, seat: Seat, card: Card, __: AnyTask) -> tuple[Effect, ...]:
    """Upgrade free of charge and gain silver if the card grants it (Oil Presser, Farm Servant, Ham Curer)."""
    params = card.helper.params
    upgrades = UpgradeChoice(seat, params["count"], tuple(params["resources"]))
    silver = [gain(seat, "silver", params["silver_gain"])] if params["silver_gain"] else []
    return (plan_tasks(seat, upgrades, *silver, done=0),)


def offer_upgrade_bonus(_: State, seat: Seat, card: Card, effect: ResourceUpgraded) -> tuple[Effect, ...]:
    """Offer the Vintner when the owner upgrades a grape, with or without payment."""
    return (
        offer_helper(seat, card) if effect.seat == seat and effect.resource in card.helper.params["resources"] else ()
    )


def take_vp(_: State, seat: Seat, card: Card, __: HelperOffer) -> tuple[Effect, ...]:
    """Gain VP for the upgrade (Vintner)."""
    return gain_at_once(seat, "vp", card.helper.params["vp"])


def has_commodity(state: State, seat: Seat, _: Card, __: AnyTask) -> bool:
    """Return whether the farm has a trade commodity."""
    return state.farms[seat].trade_commodity > 0


def commodity_options(_: State, __: Seat, card: Card, ___: HelperChoice) -> tuple[Action, ...]:
    """Return the additional commodity options of the card."""
    return tuple(TakeOption(option) for option in card.helper.params["options"])


def spend_commodity(_: State, seat: Seat, __: Card, ___: HelperChoice, action: TakeOption) -> tuple[Effect, ...]:
    """Spend a trade commodity for one of each crop or for silver (Trader)."""
    payment = GoodPaid(seat, COMMODITY, 1, PLACE_OF[COMMODITY], "spent")
    kind, amount = action.option.split("_", 1)
    if kind == "silver":
        return payment, *gain_at_once(seat, "silver", int(amount))
    return payment, plan_tasks(seat, *(gain(seat, crop, 1) for crop in CROPS), done=0)


def payments(state: State, seat: Seat, card: Card, _: AnyTask) -> tuple[Action, ...]:
    """Return the possible payments: silver, or a crop from any place."""
    farm = state.farms[seat]
    actions = list[Action]()
    for option in card.helper.params["cost_options"]:
        kind, amount = option.split("_")
        if kind == "crop":
            actions += [PayGood(good, place) for good, place in resources_in(farm) if good in CROPS]
        elif getattr(farm, kind) >= int(amount):
            actions.append(PayGood(kind, PLACE_OF[kind]))
    return tuple(actions)


def can_pay(state: State, seat: Seat, card: Card, task: AnyTask) -> bool:
    """Return whether the seat has something to pay with."""
    return bool(payments(state, seat, card, task))


def pay_for_vp(_: State, seat: Seat, card: Card, __: HelperChoice, action: PayGood) -> tuple[Effect, ...]:
    """Pay a crop or silver for VP (Tenant)."""
    params = card.helper.params
    kind = "crop" if action.good in CROPS else action.good
    amounts = dict(option.split("_") for option in params["cost_options"])
    paid = GoodPaid(seat, action.good, int(amounts[kind]), action.place, "helper")
    return paid, *gain_at_once(seat, "vp", params["vp"])


def has_silver(state: State, seat: Seat, card: Card, _: AnyTask) -> bool:
    """Return whether the seat has the silver of the card's price."""
    return bool(state.farms[seat].silver >= card.helper.params["silver_cost"])


def silver_for_vp(_: State, seat: Seat, card: Card, __: AnyTask) -> tuple[Effect, ...]:
    """Pay silver for VP (Almoner)."""
    params = card.helper.params
    return GoodPaid(seat, "silver", params["silver_cost"], "", "helper"), *gain_at_once(seat, "vp", params["vp"])


def has_vp(state: State, seat: Seat, card: Card, _: AnyTask) -> bool:
    """Return whether the seat has the VP of the card's price; VP must have been taken before (LG-10.9)."""
    return bool(state.farms[seat].vp >= card.helper.params["vp_cost"])


def vp_for_silver(_: State, seat: Seat, card: Card, __: AnyTask) -> tuple[Effect, ...]:
    """Pay VP for silver (Moneylender)."""
    params = card.helper.params
    return GoodPaid(seat, "vp", params["vp_cost"], "", "helper"), *gain_at_once(seat, "silver", params["silver"])


def crops_to_swap(state: State, seat: Seat, _: Card, __: AnyTask) -> tuple[Action, ...]:
    """Return the crops in stores; crops on fields cannot be swapped."""
    return tuple(PayGood(crop, "store") for crop in CROPS if getattr(state.farms[seat], crop))


def can_swap(state: State, seat: Seat, card: Card, task: AnyTask) -> bool:
    """Return whether a store has a crop."""
    return bool(crops_to_swap(state, seat, card, task))


def swap(_: State, seat: Seat, card: Card, __: HelperChoice, action: PayGood) -> tuple[Effect, ...]:
    """Swap a crop in a store for one of another kind, and gain silver (Grocer's Boy)."""
    others = tuple(crop for crop in CROPS if crop != action.good)
    return (
        GoodPaid(seat, action.good, 1, "store", "helper"),
        plan_tasks(seat, GoodChoice(seat, others, 1, "helper"), done=0),
        *gain_at_once(seat, "silver", card.helper.params["silver_gain"]),
    )


def has_special(state: State, seat: Seat, card: Card, _: AnyTask) -> bool:
    """Return whether the farm has the card's resource in a store or pen."""
    return bool(getattr(state.farms[seat], card.helper.params["resource"]))


def sell_special(_: State, seat: Seat, card: Card, __: AnyTask) -> tuple[Effect, ...]:
    """Sell a pig at the card's price, without the bonus of other helpers (Pig Dealer)."""
    resource = card.helper.params["resource"]
    return (ResourceSold(seat, resource, PLACE_OF[resource], 1, card.helper.params["silver"]),)


def upgraded_goods(state: State, seat: Seat, _: Card, __: AnyTask) -> tuple[Action, ...]:
    """Return the upgraded goods of the farm."""
    return tuple(SellResource(good, "store") for good in UPGRADED if getattr(state.farms[seat], good))


def has_upgraded(state: State, seat: Seat, card: Card, task: AnyTask) -> bool:
    """Return whether the farm has an upgraded good."""
    return bool(upgraded_goods(state, seat, card, task))


def sell_upgraded(_: State, seat: Seat, card: Card, __: HelperChoice, action: SellResource) -> tuple[Effect, ...]:
    """Sell an upgraded good at the card's price (Exporter)."""
    return (ResourceSold(seat, action.resource, "store", 1, card.helper.params[action.resource]),)


KINDS: Final[Mapping[str, Helper]] = {
    "free_upgrade": Helper(offers=can_upgrade, performs=upgrade_for_free),
    "upgrade_bonus": Helper(performs=take_vp, reacts={ResourceUpgraded: offer_upgrade_bonus}),
    "commodity_extra_options": Helper(
        offers=has_commodity, performs=start_choice, choices=commodity_options, chosen=spend_commodity
    ),
    "pay_for_vp": Helper(offers=can_pay, performs=start_choice, choices=payments, chosen=pay_for_vp),
    "silver_for_vp": Helper(offers=has_silver, performs=silver_for_vp),
    "vp_for_silver": Helper(offers=has_vp, performs=vp_for_silver),
    "swap_crop": Helper(offers=can_swap, performs=start_choice, choices=crops_to_swap, chosen=swap),
    "sell_special": Helper(offers=has_special, performs=sell_special),
    "sell_upgraded": Helper(offers=has_upgraded, performs=start_choice, choices=upgraded_goods, chosen=sell_upgraded),
}
