"""Helpers about the revenue dice."""

from typing import Any, Final

from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.la_granja.agenda import AnyTask, DieResolution, HelperOffer, SpaceReservation
from domain.la_granja.effects import DieResolved, Effect, GoodPaid, StepBegun, planned
from domain.la_granja.helpers.kinds import Helper, exhausts, holds, is_ready, owner_of
from domain.la_granja.state import State

PORTER_CARD: Final = 3
VILLAGE_ELDER_CARD: Final = 5
MERCHANT_CARD: Final = 6


def can_take_two_options(_state: State, _seat: Seat, task: AnyTask) -> bool:
    """Chosen dice on space 2 or 6 only (LG-13.19), before one of the options is taken."""
    return isinstance(task, DieResolution) and task.source == "chosen" and task.pips in (2, 6) and not task.porter


def take_two_options(_state: State, seat: Seat, task: DieResolution) -> tuple[Effect, ...]:
    """Porter: take two different options of a chosen die's space 2 or 6 instead of one."""
    return planned(seat, replace(task, picks=2, porter=True)), exhausts(seat, PORTER_CARD)


def offer_a_reservation(state: State, effect: StepBegun) -> tuple[Effect, ...]:
    """The Village Elder is asked before the dice are rolled."""
    owner = owner_of(state, VILLAGE_ELDER_CARD) if effect.step == "roll" else None
    if owner is None or not is_ready(state, owner, VILLAGE_ELDER_CARD):
        return ()
    return (planned(owner, HelperOffer(owner, VILLAGE_ELDER_CARD), done=0),)


def reserve(_state: State, seat: Seat, _: Any) -> tuple[Effect, ...]:
    """Village Elder: mark one revenue space; nobody else may take the last die of it as a first or second die."""
    return planned(seat, SpaceReservation(seat)), exhausts(seat, VILLAGE_ELDER_CARD)


def die_kept_from(state: State, seat: Seat) -> int:
    """Village Elder: the last die of the marked space, while the card lies there (LG-10.8); 0 for none."""
    space, owner = state.reserved, state.reserver
    if not space or owner == seat or state.dice.count(space) != 1 or not holds(state, owner, VILLAGE_ELDER_CARD):
        return 0
    return space


def offer_the_space_of_the_round(state: State, effect: DieResolved) -> tuple[Effect, ...]:
    """The Merchant is asked right after a chosen die, not after the one left for everybody (LG-13.19)."""
    seat = effect.seat
    if effect.source != "chosen" or state.farms[seat].vp < 1 or not is_ready(state, seat, MERCHANT_CARD):
        return ()
    return (planned(seat, HelperOffer(seat, MERCHANT_CARD), done=0),)


def resolve_the_space_of_the_round(state: State, seat: Seat, _: Any) -> tuple[Effect, ...]:
    """Merchant: pay 1 VP to resolve the revenue space whose number equals the round as well (LG-10.8.1: no die)."""
    return (
        planned(seat, DieResolution(seat, pips=state.round, source="merchant")),
        exhausts(seat, MERCHANT_CARD),
        GoodPaid(seat, "vp", 1, "", "helper"),
    )


PORTER: Final = Helper(offers=can_take_two_options, performs=take_two_options)
VILLAGE_ELDER: Final = Helper(performs=reserve, reacts={StepBegun: offer_a_reservation})
MERCHANT: Final = Helper(performs=resolve_the_space_of_the_round, reacts={DieResolved: offer_the_space_of_the_round})
