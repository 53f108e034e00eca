"""Helpers about the revenue dice."""

from collections.abc import Mapping
from itertools import chain
from typing import Final

from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.titles.la_granja.adjustments import owners_of
from domain.titles.la_granja.agenda import (
    Advance,
    AnyTask,
    DieResolution,
    DieShift,
    GoodChoice,
    HelperOffer,
    SpaceReservation,
)
from domain.titles.la_granja.cards import Card
from domain.titles.la_granja.effects import DieResolved, Effect, GoodPaid, StepBegun, plan_tasks
from domain.titles.la_granja.helpers.kinds import Helper, gain_at_once, offer_helper
from domain.titles.la_granja.spaces import open_options
from domain.titles.la_granja.state import CROPS, State


def is_chosen_die(task: AnyTask) -> bool:
    """Return whether the task resolves a die taken as first or second, before any option is taken."""
    return isinstance(task, DieResolution) and task.source == "chosen" and not task.porter


def can_take_two_options(_: State, __: Seat, card: Card, task: AnyTask) -> bool:
    """Return whether the task resolves a chosen die (LG-13.19) on one of the card's spaces."""
    return isinstance(task, DieResolution) and is_chosen_die(task) and task.pips in card.helper.params["spaces"]


def take_two_options(_: State, seat: Seat, card: Card, task: DieResolution) -> tuple[Effect, ...]:
    """Take several different options of the die's space instead of one (Porter)."""
    return (plan_tasks(seat, replace(task, picks=card.helper.params["options"], porter=True)),)


def offer_a_reservation(_: State, seat: Seat, card: Card, effect: StepBegun) -> tuple[Effect, ...]:
    """Offer the Village Elder before the dice are rolled."""
    return offer_helper(seat, card) if effect.step == "roll" else ()


def reserve(_: State, seat: Seat, __: Card, ___: object) -> tuple[Effect, ...]:
    """Reserve a revenue space; other seats cannot take its last die as first or second die (Village Elder)."""
    return (plan_tasks(seat, SpaceReservation(seat), done=0),)


def die_reserved_against(state: State, seat: Seat) -> int:
    """Return the space whose last die is reserved against the seat, or 0; the card must be at a farm (LG-10.8)."""
    space, owner = state.reserved, state.reserver
    if not space or owner == seat or state.dice.count(space) != 1:
        return 0
    return space if owner in owners_of(state, "reserve_last_die") else 0


def offer_the_space_of_the_round(_: State, seat: Seat, card: Card, effect: DieResolved) -> tuple[Effect, ...]:
    """Offer the Merchant after a chosen die, but not after the last die shared by all (LG-13.19)."""
    return offer_helper(seat, card) if effect.seat == seat and effect.source == "chosen" else ()


def can_use_the_space_of_the_round(state: State, seat: Seat, card: Card, _: HelperOffer) -> bool:
    """Return whether the seat can pay the Merchant and the space of the round has an option."""
    can_pay = state.farms[seat].vp >= card.helper.params["vp_cost"]
    return can_pay and bool(open_options(state, seat, state.round))


def resolve_the_space_of_the_round(state: State, seat: Seat, card: Card, _: object) -> tuple[Effect, ...]:
    """Pay VP to the supply to resolve the revenue space whose number is the round (Merchant, LG-10.8.1)."""
    return (
        plan_tasks(seat, DieResolution(seat, pips=state.round, source="merchant"), done=0),
        GoodPaid(seat, "vp", card.helper.params["vp_cost"], "", "helper"),
    )


def can_shift(_: State, __: Seat, ___: Card, task: AnyTask) -> bool:
    """Return whether the task resolves a die just taken as first or second (LG-10.8.1)."""
    return is_chosen_die(task)


def shift(_: State, seat: Seat, card: Card, __: DieResolution) -> tuple[Effect, ...]:
    """Change the die just taken, then advance on the siesta track (Migrant Labor)."""
    params = card.helper.params
    return (plan_tasks(seat, DieShift(seat, params["steps"], params["siesta_steps"]), done=0),)


def pay_space_bonus(state: State, seat: Seat, card: Card, effect: DieResolved) -> tuple[Effect, ...]:
    """Pay the bonus when the owner resolves the card's revenue space (Tax Collector, Drover, Dreamer)."""
    is_own_space = effect.seat == seat and effect.pips == card.helper.params["space"]
    return take_bonus(state, seat, card, effect) if is_own_space else ()


def take_bonus(_: State, seat: Seat, card: Card, __: object) -> tuple[Effect, ...]:
    """Gain the silver, VP, crops of choice and siesta steps that the card lists."""
    params = card.helper.params
    tasks: list[AnyTask] = [GoodChoice(seat, tuple(params.get("crop_choice", CROPS)), 1, "helper")]
    tasks *= params.get("crops", 0)
    if "siesta_steps" in params:
        tasks.append(Advance(seat, params["siesta_steps"]))
    gains = [gain_at_once(seat, good, params[good]) for good in ("silver", "vp") if params.get(good)]
    planned = (plan_tasks(seat, *tasks, done=0),) if tasks else ()
    return *chain.from_iterable(gains), *planned


def offer_again(_: State, seat: Seat, card: Card, effect: DieResolved) -> tuple[Effect, ...]:
    """Offer the Night Owl after the owner has resolved the last die, which all share."""
    if effect.seat != seat or effect.source != "last":
        return ()
    return offer_helper(seat, card, number=effect.pips)


def can_resolve_again(state: State, seat: Seat, _: Card, offer: HelperOffer) -> bool:
    """Return whether the space of the last die has an option left."""
    return bool(open_options(state, seat, offer.number))


def resolve_again(_: State, seat: Seat, card: Card, offer: HelperOffer) -> tuple[Effect, ...]:
    """Resolve the space of the last die again (Night Owl)."""
    resolution = DieResolution(seat, pips=offer.number, source="again")
    return (plan_tasks(seat, *[resolution] * (card.helper.params["times"] - 1), done=0),)


KINDS: Final[Mapping[str, Helper]] = {
    "revenue_two_options": Helper(offers=can_take_two_options, performs=take_two_options),
    "reserve_last_die": Helper(performs=reserve, reacts={StepBegun: offer_a_reservation}),
    "pay_vp_round_revenue": Helper(
        performs=resolve_the_space_of_the_round,
        reacts={DieResolved: offer_the_space_of_the_round},
        useful=can_use_the_space_of_the_round,
    ),
    "die_shift": Helper(offers=can_shift, performs=shift),
    "revenue_bonus": Helper(performs=take_bonus, reacts={DieResolved: pay_space_bonus}),
    "shared_die_twice": Helper(performs=resolve_again, reacts={DieResolved: offer_again}, useful=can_resolve_again),
}
