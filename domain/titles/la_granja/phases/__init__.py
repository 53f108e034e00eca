"""Dispatch of agenda tasks to the functions that list, perform and run them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from domain.kernel.chance import Chance
from domain.kernel.rules import Seat
from domain.titles.la_granja import agenda as a
from domain.titles.la_granja import helpers
from domain.titles.la_granja.actions import Action, Decline, FinalSale, UseHelper
from domain.titles.la_granja.effects import Effect, StepBegun, plan_tasks
from domain.titles.la_granja.phases import (
    any_time,
    deliveries,
    farm,
    gains,
    income,
    market,
    playing,
    revenue,
    roofs,
    siesta,
    solo,
    transport,
    upgrades,
)
from domain.titles.la_granja.scoring import final_sale
from domain.titles.la_granja.state import State

Legal = Callable[[State, Any], tuple[Action, ...]]
Perform = Callable[[State, Any, Any], tuple[Effect, ...]]


def pending_offers(state: State, seat: Seat) -> tuple[a.HelperOffer | a.HelperDue, ...]:
    """Return the consecutive offers and due helpers on top of the seat's tasks, next one first."""
    own = (task for task in reversed(state.agenda) if task.seat == seat)
    offers = list[a.HelperOffer | a.HelperDue]()
    for task in own:
        if not isinstance(task, a.HelperOffer | a.HelperDue):
            break
        offers.append(task)
    return tuple(offers)


def legal_offer(state: State, task: a.HelperOffer | a.HelperDue) -> tuple[Action, ...]:
    """Return the helpers to choose from (LG-10.7) and, if one of them is only offered, `Decline` (LG-10.5).

    Automatic helpers are included if their order can matter. Helpers without effect in this state are left out and may
    become useful after another one.
    """
    offers = [offer for offer in pending_offers(state, task.seat) if helpers.can_work(state, offer)]
    may_decline = any(isinstance(offer, a.HelperOffer) for offer in offers)
    return *((Decline(),) if may_decline else ()), *(UseHelper(offer.helper) for offer in offers)


def perform_offer(state: State, task: a.HelperOffer | a.HelperDue, action: Action) -> tuple[Effect, ...]:
    """Use the chosen helper and put the seat's other offers back on top, or end the current offer only."""
    seat = task.seat
    if not isinstance(action, UseHelper):
        return (plan_tasks(seat),)
    offers = pending_offers(state, seat)
    chosen = next(offer for offer in offers if offer.helper == action.card)
    others = (offer for offer in offers if offer is not chosen)
    used = helpers.apply_automatic(state, chosen) if isinstance(chosen, a.HelperDue) else None
    return (
        plan_tasks(seat, *others, done=len(offers)),
        *(helpers.use_helper(state, seat, action.card, chosen) if used is None else used),
    )


def legal_sale(_state: State, _task: a.SaleOwed) -> tuple[Action, ...]:
    """Return the single action of the final sale."""
    return (FinalSale(),)


def perform_sale(state: State, _task: a.SaleOwed, _action: FinalSale) -> tuple[Effect, ...]:
    """Sell everything and end the match; no player chooses here (LG-8.2)."""
    sales = tuple(effect for seat in state.order for effect in final_sale(state, seat))
    return (*sales, StepBegun(state.round, "over"))


DECISIONS: Final[Mapping[type, tuple[Legal, Perform]]] = {
    a.CardStep: (farm.legal_cards, farm.perform_cards),
    a.GrowthStep: (farm.legal_growth, farm.perform_growth),
    a.RoofStep: (farm.legal_roof, farm.perform_roof),
    a.DieChoice: (revenue.legal_die, revenue.perform_die),
    a.DieResolution: (revenue.legal_resolution, revenue.perform_resolution),
    a.DieWindow: (revenue.legal_window, revenue.close_window),
    a.DonkeyChoice: (transport.legal_donkey, transport.perform_donkey),
    a.DeliveryStep: (transport.legal_step, transport.perform_step),
    a.DeliveryPurchase: (transport.legal_purchase, transport.perform_purchase),
    a.BoughtDeliveries: (transport.legal_bought_delivery, transport.perform_bought_delivery),
    a.CardDiscard: (playing.legal_discard, playing.perform_discard),
    a.CardChoice: (playing.legal_card, playing.perform_card),
    a.ExtensionPayment: (playing.legal_payment, playing.perform_payment),
    a.Replacement: (playing.legal_replacement, playing.perform_replacement),
    a.GoodChoice: (gains.legal_good, gains.perform_good),
    a.UpgradeChoice: (upgrades.legal_choice, upgrades.perform_choice),
    a.DeliveryChoice: (deliveries.legal_choice, deliveries.perform_choice),
    a.StallChoice: (market.legal_stall, market.perform_stall),
    a.RoofChoice: (roofs.legal_turning, roofs.perform_turning),
    a.RoofPlacement: (roofs.legal_placement, roofs.perform_placement),
    a.DieShift: (roofs.legal_shift, roofs.perform_shift),
    a.SpaceReservation: (revenue.legal_reservation, revenue.perform_reservation),
    a.HelperOffer: (legal_offer, perform_offer),
    a.HelperDue: (legal_offer, perform_offer),
    a.HelperChoice: (helpers.legal_choice, helpers.perform_choice),
    a.RoofPayment: (roofs.legal_payment, roofs.perform_payment),
    a.CardKeeping: (playing.legal_keeping, playing.perform_keeping),
    a.MarkerShortage: (gains.legal_shortage, gains.perform_shortage),
    a.SaleOwed: (legal_sale, perform_sale),
}
"""Tasks that need an action of their seat: the functions that list and perform its actions."""

RUNNERS: Final[Mapping[type, Callable[[State, Any], tuple[Effect, ...]]]] = {
    a.Gain: gains.run_gain,
    a.Income: income.run_income,
    a.HandCheck: playing.run_hand_check,
    a.Layout: playing.run_layout,
    a.Growth: farm.run_growth,
    a.GrowthEnd: farm.run_growth_end,
    a.Birth: farm.run_birth,
    a.DieEnd: revenue.run_end,
    a.Advance: siesta.run_advance,
    a.DonkeyAdvance: siesta.run_donkey_advance,
    a.DeliveryTurn: transport.run_turn,
    a.DonkeyEnd: transport.run_donkey_end,
    a.Completion: deliveries.run_completion,
    a.SiestaReward: deliveries.run_siesta_reward,
    a.DieDiscard: solo.run_discard,
}
"""Tasks that run without an action."""

CHANCE_RUNNERS: Final[Mapping[type, Callable[[State, Any, Chance], tuple[Effect, ...]]]] = {
    a.CardDraw: playing.run_draw,
    a.DiceRoll: revenue.run_roll,
    a.NeutralPlacement: solo.run_placement,
}
"""Tasks that run without an action and need chance."""

NEVER_FORCED: Final = frozenset((a.DieChoice, a.DonkeyChoice, a.SaleOwed))
"""Tasks that wait even with a single legal action, because players expect to see these steps."""


def any_time_actions(state: State, task: a.AnyTask) -> Iterator[Action]:
    """Yield the any-time actions if the task is an open window (LG-2.1.1), otherwise nothing."""
    if isinstance(task, a.Window) and not (isinstance(task, a.DieResolution) and not revenue.has_window(task)):
        return any_time.actions(state, task)
    return iter(())


def task_actions(state: State, task: a.AnyTask) -> tuple[Action, ...]:
    """Return the actions of the task without any-time actions."""
    return DECISIONS[type(task)][0](state, task)


def legal(state: State, task: a.AnyTask) -> tuple[Action, ...]:
    """Return the actions of the task, followed by any-time actions."""
    return (*task_actions(state, task), *any_time_actions(state, task))


def perform(state: State, task: a.AnyTask, action: Action) -> tuple[Effect, ...]:
    """Return the effects of a legal action of the task's seat."""
    if isinstance(task, a.Window) and type(action) in any_time.ANY_TIME:
        return any_time.perform(state, task, action)
    return DECISIONS[type(task)][1](state, task, action)


def advance(state: State, task: a.AnyTask, chance: Chance) -> tuple[Effect, ...]:
    """Return the effects of a task that needs no decision; empty if the seat must choose.

    A task runs automatically, or it is skipped or forced when it has no or one action and no any-time action
    (LG-2.1.1).
    """
    kind = type(task)
    if kind in RUNNERS:
        return RUNNERS[kind](state, task)
    if kind in CHANCE_RUNNERS:
        return CHANCE_RUNNERS[kind](state, task, chance)
    if kind in NEVER_FORCED:
        return ()
    if next(any_time_actions(state, task), None) is not None:
        return ()
    actions = task_actions(state, task)
    if len(actions) > 1:
        return ()
    return perform(state, task, actions[0]) if actions else (plan_tasks(task.seat),)


assert {*DECISIONS, *RUNNERS, *CHANCE_RUNNERS} == set(a.AnyTask.__args__), "every task is asked or runs"
assert {*RUNNERS, *CHANCE_RUNNERS} == a.AUTOMATIC
