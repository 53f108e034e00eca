"""Helpers about the market."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.rules import Seat
from domain.titles.la_granja.actions import Action, MoveStall, RemoveStall
from domain.titles.la_granja.adjustments import Number, adjust
from domain.titles.la_granja.agenda import AnyTask, HelperChoice, HelperOffer
from domain.titles.la_granja.cards import Card
from domain.titles.la_granja.effects import (
    Effect,
    GoodGained,
    StallMoved,
    StallRemoved,
    StallSettled,
    StepBegun,
    plan_tasks,
)
from domain.titles.la_granja.helpers.kinds import Helper, gain_at_once, offer_helper, start_choice
from domain.titles.la_granja.state import COMMODITY, NOBODY, State
from domain.titles.la_granja.tables import market_of_state


def pay_negotiator(_: State, seat: Seat, card: Card, effect: StallRemoved) -> tuple[Effect, ...]:
    """Pay VP when an opponent removes one of the owner's markers (Negotiator)."""
    return gain_at_once(seat, "vp", card.helper.params["vp"]) if _loses_marker(seat, effect) else ()


def _loses_marker(seat: Seat, effect: StallRemoved) -> bool:
    return effect.owner == seat != effect.seat


def offer_smuggler(state: State, seat: Seat, card: Card, effect: StallRemoved) -> tuple[Effect, ...]:
    """Offer the Smuggler at once, on the opponent's turn (LG-10.6), and only once per placement."""
    is_offered = any(isinstance(task, HelperOffer) and task.helper == card.number for task in state.agenda)
    return offer_helper(seat, card) if _loses_marker(seat, effect) and not is_offered else ()


def use_smuggler(_: State, seat: Seat, card: Card, __: HelperOffer) -> tuple[Effect, ...]:
    """Give a trade commodity for a marker that an opponent removed (Smuggler)."""
    return gain_at_once(seat, COMMODITY, card.helper.params["commodities"])


def pay_market_crier(_: State, seat: Seat, card: Card, effect: StallSettled) -> tuple[Effect, ...]:
    """Give the owner VP for a stall that removes enough markers, once per placement (Market Crier)."""
    params = card.helper.params
    return (
        gain_at_once(seat, "vp", params["vp"])
        if effect.seat == seat and effect.removed >= params["min_removed"]
        else ()
    )


def removable_rivals(state: State, seat: Seat, card: Card, task: HelperChoice | HelperOffer) -> tuple[Action, ...]:
    """Return the removal of each unprotected opponent's marker next to the stall on a space worth `difference` more."""
    market, stalls = market_of_state(state), state.stalls
    value = market.cells[task.number].value + card.helper.params["difference"]
    return tuple(
        RemoveStall(cell)
        for cell in market.neighbours[task.number]
        if market.cells[cell].value == value
        and stalls[cell] not in (seat, NOBODY)
        and (stalls[cell] < 0 or not adjust(state, stalls[cell], Number.MARKET_SAFETY, 0, value))
    )


def offer_rival_trader(state: State, seat: Seat, card: Card, effect: StallSettled) -> tuple[Effect, ...]:
    """Offer the Rival Trader if it can remove a marker, after the offers to the owners of removed markers (LG-10.6)."""
    offer = HelperOffer(seat, card.number, number=effect.cell, count=effect.removed)
    if effect.seat != seat or not removable_rivals(state, seat, card, offer):
        return ()
    return plan_tasks(seat, offer, done=0), *move_other_offers_up(state, seat)


def move_other_offers_up(state: State, seat: Seat) -> tuple[Effect, ...]:
    """Move the offers of other seats to the top of the agenda, so that they are answered first (LG-10.6)."""
    offers = [task for task in reversed(state.agenda) if isinstance(task, HelperOffer) and task.seat != seat]
    own = {task.seat: [other for other in offers if other.seat == task.seat] for task in offers}
    return tuple(plan_tasks(owner, *tasks, done=len(tasks)) for owner, tasks in own.items())


def remove_rival(state: State, seat: Seat, _: Card, task: HelperChoice, action: RemoveStall) -> tuple[Effect, ...]:
    """Remove an adjacent marker on a higher space for 1 VP (Rival Trader, LG-6.4.2).

    If the placement had removed no marker before, it has now, so `StallSettled` is repeated.
    """
    owner = state.stalls[action.cell]
    settlement = () if task.count else (StallSettled(seat, task.number, 1),)
    return StallRemoved(seat, action.cell, owner), GoodGained(seat, "vp", 1, "", "market"), *settlement


def stall_moves(state: State, seat: Seat, _: Card, __: AnyTask) -> tuple[Action, ...]:
    """Return every move of an own marker to an adjacent free open space."""
    market, stalls = market_of_state(state), state.stalls
    return tuple(
        MoveStall(cell, neighbour)
        for cell in market.open
        if stalls[cell] == seat
        for neighbour in market.neighbours[cell]
        if stalls[neighbour] == NOBODY
    )


def can_move_stall(state: State, seat: Seat, card: Card, task: AnyTask) -> bool:
    """Return whether an own marker can move to an adjacent space."""
    return bool(stall_moves(state, seat, card, task))


def move_stall(_: State, seat: Seat, __: Card, ___: HelperChoice, action: MoveStall) -> tuple[Effect, ...]:
    """Move a marker to an adjacent free space without removing others or taking VP (Peddler)."""
    return (StallMoved(seat, action.cell, action.to),)


def pay_market_warden(state: State, seat: Seat, card: Card, effect: StepBegun) -> tuple[Effect, ...]:
    """Give the owner VP in step IV.1 with enough markers on the market (Market Warden)."""
    params = card.helper.params
    is_earned = effect.step == "market_scoring" and state.stalls.count(seat) >= params["min_markers"]
    return gain_at_once(seat, "vp", params["vp"]) if is_earned else ()


KINDS: Final[Mapping[str, Helper]] = {
    "market_removed_vp": Helper(reacts={StallRemoved: pay_negotiator}),
    "market_removed_commodity": Helper(performs=use_smuggler, reacts={StallRemoved: offer_smuggler}),
    "market_removal_bonus": Helper(reacts={StallSettled: pay_market_crier}),
    "market_remove_higher": Helper(
        performs=start_choice, reacts={StallSettled: offer_rival_trader}, choices=removable_rivals, chosen=remove_rival
    ),
    "market_move": Helper(offers=can_move_stall, performs=start_choice, choices=stall_moves, chosen=move_stall),
    "market_scoring_bonus": Helper(reacts={StepBegun: pay_market_warden}),
}
