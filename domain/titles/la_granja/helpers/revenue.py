"""Helpers about the revenue dice."""

from collections.abc import Mapping
from itertools import chain
from typing import Any, Final

from domain.kernel.rules import Seat
from domain.kernel.values import replace
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
from domain.titles.la_granja.helpers.kinds import Helper, gain_at_once, offering
from domain.titles.la_granja.reckoning import owners_of
from domain.titles.la_granja.spaces import open_options
from domain.titles.la_granja.state import CROPS, State


def is_chosen_die(task: AnyTask) -> bool:
    """A die taken as first or second, before one of its options is taken."""
    return isinstance(task, DieResolution) and task.source == "chosen" and not task.porter


def can_take_two_options(_: State, __: Seat, card: Card, task: AnyTask) -> bool:
    """Chosen dice only (LG-13.19), on the spaces of the card."""
    return isinstance(task, DieResolution) and is_chosen_die(task) and task.pips in card.helper.params["spaces"]


def take_two_options(_: State, seat: Seat, card: Card, task: DieResolution) -> tuple[Effect, ...]:
    """Porter: take different options of a chosen die's space instead of one."""
    return (plan_tasks(seat, replace(task, picks=card.helper.params["options"], porter=True)),)


def offer_a_reservation(_: State, seat: Seat, card: Card, effect: StepBegun) -> tuple[Effect, ...]:
    """The Village Elder is asked before the dice are rolled."""
    return offering(seat, card) if effect.step == "roll" else ()


def reserve(_: State, seat: Seat, __: Card, ___: Any) -> tuple[Effect, ...]:
    """Village Elder: mark one revenue space; nobody else may take the last die of it as a first or second die."""
    return (plan_tasks(seat, SpaceReservation(seat), done=0),)


def die_kept_from(state: State, seat: Seat) -> int:
    """Village Elder: the last die of the marked space, while the card lies there (LG-10.8); 0 for none."""
    space, owner = state.reserved, state.reserver
    if not space or owner == seat or state.dice.count(space) != 1:
        return 0
    return space if owner in owners_of(state, "reserve_last_die") else 0


def offer_the_space_of_the_round(_: State, seat: Seat, card: Card, effect: DieResolved) -> tuple[Effect, ...]:
    """The Merchant is asked right after a chosen die, not after the one left for everybody (LG-13.19)."""
    return offering(seat, card) if effect.seat == seat and effect.source == "chosen" else ()


def can_use_the_space_of_the_round(state: State, seat: Seat, card: Card, _: HelperOffer) -> bool:
    """The Merchant's price is there, and the space gives something."""
    pays = state.farms[seat].vp >= card.helper.params["vp_cost"]
    return pays and bool(open_options(state, seat, state.round))


def resolve_the_space_of_the_round(state: State, seat: Seat, card: Card, _: Any) -> tuple[Effect, ...]:
    """Merchant: pay VP to resolve the revenue space whose number equals the round as well (LG-10.8.1: no die)."""
    return (
        plan_tasks(seat, DieResolution(seat, pips=state.round, source="merchant"), done=0),
        GoodPaid(seat, "vp", card.helper.params["vp_cost"], "", "helper"),
    )


def can_shift(_: State, __: Seat, ___: Card, task: AnyTask) -> bool:
    """A die just taken as first or second die (LG-10.8.1)."""
    return is_chosen_die(task)


def shift(_: State, seat: Seat, card: Card, __: DieResolution) -> tuple[Effect, ...]:
    """Migrant Labor: the die just taken is changed, then the siesta marker moves."""
    params = card.helper.params
    return (plan_tasks(seat, DieShift(seat, params["steps"], params["siesta_steps"]), done=0),)


def bonus(state: State, seat: Seat, card: Card, effect: DieResolved) -> tuple[Effect, ...]:
    """Tax Collector, Drover, Dreamer: more for the seat that resolves a revenue space, however it came to that."""
    is_its_space = effect.seat == seat and effect.pips == card.helper.params["space"]
    return take_bonus(state, seat, card, effect) if is_its_space else ()


def take_bonus(_: State, seat: Seat, card: Card, __: Any) -> tuple[Effect, ...]:
    """Tax Collector, Drover, Dreamer: silver, a crop of choice, siesta steps; VP too in a deck that says so."""
    params = card.helper.params
    tasks: list[AnyTask] = [GoodChoice(seat, tuple(params.get("crop_choice", CROPS)), 1, "helper")]
    tasks *= params.get("crops", 0)
    if "siesta_steps" in params:
        tasks.append(Advance(seat, params["siesta_steps"]))
    gained = [gain_at_once(seat, good, params[good]) for good in ("silver", "vp") if params.get(good)]
    planned = (plan_tasks(seat, *tasks, done=0),) if tasks else ()
    return *chain.from_iterable(gained), *planned


def offer_again(_: State, seat: Seat, card: Card, effect: DieResolved) -> tuple[Effect, ...]:
    """The Night Owl is asked after the die left for everybody."""
    if effect.seat != seat or effect.source != "last":
        return ()
    return offering(seat, card, number=effect.pips)


def can_resolve_again(state: State, seat: Seat, _: Card, offer: HelperOffer) -> bool:
    """The space of the last die still gives something."""
    return bool(open_options(state, seat, offer.number))


def resolve_again(_: State, seat: Seat, card: Card, offer: HelperOffer) -> tuple[Effect, ...]:
    """Night Owl: the space of the last die is resolved a second time."""
    again = DieResolution(seat, pips=offer.number, source="again")
    return (plan_tasks(seat, *[again] * (card.helper.params["times"] - 1), done=0),)


KINDS: Final[Mapping[str, Helper]] = {
    "revenue_two_options": Helper(offers=can_take_two_options, performs=take_two_options),
    "reserve_last_die": Helper(performs=reserve, reacts={StepBegun: offer_a_reservation}),
    "pay_vp_round_revenue": Helper(
        performs=resolve_the_space_of_the_round,
        reacts={DieResolved: offer_the_space_of_the_round},
        useful=can_use_the_space_of_the_round,
    ),
    "die_shift": Helper(offers=can_shift, performs=shift),
    "revenue_bonus": Helper(performs=take_bonus, reacts={DieResolved: bonus}),
    "shared_die_twice": Helper(performs=resolve_again, reacts={DieResolved: offer_again}, useful=can_resolve_again),
}
