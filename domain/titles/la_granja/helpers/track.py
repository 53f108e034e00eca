"""Helpers about the siesta track and the donkey tiles."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.titles.la_granja.actions import Action, RecoverDonkey
from domain.titles.la_granja.agenda import Advance, AnyTask, DonkeyChoice, HelperChoice, HelperOffer
from domain.titles.la_granja.cards import Card
from domain.titles.la_granja.effects import DonkeyRecovered, Effect, GoodPaid, MomentReached, StepBegun, plan_tasks
from domain.titles.la_granja.helpers.kinds import Helper, gain_at_once, offer_helper, start_choice
from domain.titles.la_granja.holdings import siesta_space
from domain.titles.la_granja.state import State
from domain.titles.la_granja.tables import box_of


def pay_innkeeper(state: State, seat: Seat, card: Card, effect: StepBegun) -> tuple[Effect, ...]:
    """Give the owner VP in step IV.2 if the siesta marker is far enough (Innkeeper)."""
    params = card.helper.params
    is_earned = effect.step == "siesta_scoring" and siesta_space(state, seat) >= params["min_position"]
    return gain_at_once(seat, "vp", params["vp"]) if is_earned else ()


def offer_herald(state: State, seat: Seat, card: Card, effect: MomentReached) -> tuple[Effect, ...]:
    """Offer the Herald before the owner's move of step III.2, if there is one (LG-13.31) and it can be longer.

    The owner must have the silver.
    """
    if (effect.seat, effect.moment) != (seat, "advancing") or not effect.number:
        return ()
    can_pay = state.farms[seat].silver >= card.helper.params["silver_cost"]
    has_room = siesta_space(state, seat) + effect.number < box_of(state).siesta.last
    return offer_helper(seat, card) if can_pay and has_room else ()


def use_herald(state: State, seat: Seat, card: Card, _: HelperOffer) -> tuple[Effect, ...]:
    """Pay silver to lengthen the pending move, so that the marker is placed only once (Herald)."""
    params = card.helper.params
    move = next(task for task in reversed(state.agenda) if task.seat == seat and isinstance(task, Advance))
    extended_move = replace(move, steps=move.steps + params["siesta_steps"])
    return plan_tasks(seat, extended_move), GoodPaid(seat, "silver", params["silver_cost"], "", "helper")


def recoverable_donkeys(state: State, seat: Seat, _: Card, __: HelperChoice) -> tuple[Action, ...]:
    """Return an action for each used donkey tile."""
    return tuple(RecoverDonkey(tile) for tile in sorted(state.farms[seat].donkeys_used))


def can_recover(state: State, seat: Seat, card: Card, task: AnyTask) -> bool:
    """Return whether the seat can pay to take back a tile in step III.1, before it has chosen."""
    farm = state.farms[seat]
    paid = farm.silver >= card.helper.params["silver_cost"]
    return isinstance(task, DonkeyChoice) and bool(farm.donkeys_used) and paid


def recover(_: State, seat: Seat, card: Card, __: HelperChoice, action: RecoverDonkey) -> tuple[Effect, ...]:
    """Pay silver to take back a used donkey tile; it can be chosen at once (Donkey Breeder)."""
    paid = GoodPaid(seat, "silver", card.helper.params["silver_cost"], "", "helper")
    return paid, DonkeyRecovered(seat, action.tile)


KINDS: Final[Mapping[str, Helper]] = {
    "siesta_scoring_bonus": Helper(reacts={StepBegun: pay_innkeeper}),
    "pay_siesta": Helper(performs=use_herald, reacts={MomentReached: offer_herald}),
    "donkey_recover": Helper(offers=can_recover, performs=start_choice, choices=recoverable_donkeys, chosen=recover),
}
