"""Phase III: donkey tiles and deliveries (LG-5)."""

from domain.kernel.hidden import Hidden
from domain.kernel.values import replace
from domain.titles.la_granja.actions import Action, BuyDeliveries, ChooseDonkey, Pass
from domain.titles.la_granja.adjustments import Number, adjust
from domain.titles.la_granja.agenda import (
    BoughtDeliveries,
    DeliveryPurchase,
    DeliveryStep,
    DeliveryTurn,
    DonkeyChoice,
    DonkeyEnd,
)
from domain.titles.la_granja.delivering import Delivery, deliveries
from domain.titles.la_granja.editions import AT_ONCE
from domain.titles.la_granja.effects import DonkeyChosen, DonkeyUsed, Effect, GoodPaid, MomentReached, plan_tasks
from domain.titles.la_granja.holdings import extra_deliveries
from domain.titles.la_granja.phases.deliveries import (
    deliver,
    extra_choices,
    extra_fee,
    perform_step_delivery,
    step_deliveries,
)
from domain.titles.la_granja.phases.siesta import wainwright_bonus
from domain.titles.la_granja.state import State
from domain.titles.la_granja.tables import box_of


def legal_donkey(state: State, task: DonkeyChoice) -> tuple[Action, ...]:
    """Return the donkey tiles not yet used (LG-5.1.1, LG-5.1.2)."""
    used_tiles = state.farms[task.seat].donkeys_used
    return tuple(ChooseDonkey(tile) for tile in box_of(state).donkey_tiles if tile not in used_tiles)


def perform_donkey(_: State, task: DonkeyChoice, action: ChooseDonkey) -> tuple[Effect, ...]:
    """Choose the donkey tile; it is final, and hidden until all are revealed (LG-5.1.1)."""
    return plan_tasks(task.seat), DonkeyChosen(task.seat, Hidden(action.tile, (task.seat,)))


def run_turn(state: State, task: DeliveryTurn) -> tuple[Effect, ...]:
    """Begin a seat's deliveries and fix their number (LG-5.3.1, LG-5.4.3, LG-13.11).

    Extra ones are bought before the first if the option `extra_deliveries` is `at_once`.
    """
    seat = task.seat
    if task.paid and state.extra_deliveries == AT_ONCE:
        return (plan_tasks(seat, DeliveryPurchase(seat, limit=extra_deliveries(state, seat))),)
    if task.paid:
        delivery_count = extra_deliveries(state, seat)
    else:
        base = box_of(state).donkey_tiles[state.farms[seat].donkey].donkeys + wainwright_bonus(state, seat)[1]
        delivery_count = adjust(state, seat, Number.FREE_DELIVERIES, base)
    return (plan_tasks(seat, DeliveryStep(seat, left=delivery_count, paid=task.paid)),)


def legal_step(state: State, task: DeliveryStep) -> tuple[Action, ...]:
    """Return `Pass`, which gives up the remaining deliveries (LG-5.3.1), and the possible deliveries."""
    return (Pass(), *step_deliveries(state, task))


def perform_step(state: State, task: DeliveryStep, action: Pass | Delivery) -> tuple[Effect, ...]:
    """Make a delivery, or end the step and trigger helpers that reward unused free deliveries."""
    if isinstance(action, Pass):
        unused = () if task.paid else (MomentReached(task.seat, "delivered", task.left),)
        return plan_tasks(task.seat), *unused
    return perform_step_delivery(state, task, action)


def legal_purchase(state: State, task: DeliveryPurchase) -> tuple[Action, ...]:
    """Return `Pass` and each affordable number that leaves something to deliver (LG-12.4, LG-5.4.1)."""
    counts = range(1, task.limit + 1)
    return Pass(), *(BuyDeliveries(count) for count in counts if extra_choices(state, task.seat, count))


def perform_purchase(state: State, task: DeliveryPurchase, action: Pass | BuyDeliveries) -> tuple[Effect, ...]:
    """Pay for the extra deliveries before the first of them, so that their rewards cannot pay for more.

    `Pass` buys none.
    """
    seat = task.seat
    if isinstance(action, Pass):
        return (plan_tasks(seat),)
    price = action.count * extra_fee(state, seat)
    paid = (GoodPaid(seat, "silver", price, "", "extra_delivery"),) if price else ()
    return plan_tasks(seat, BoughtDeliveries(seat, purchases=task.purchases, left=action.count)), *paid


def legal_bought_delivery(state: State, task: BoughtDeliveries) -> tuple[Action, ...]:
    """Return `Pass`, which gives up the remaining deliveries, and the possible deliveries."""
    return Pass(), *(deliveries(state, task.seat) if task.left else ())


def perform_bought_delivery(state: State, task: BoughtDeliveries, action: Pass | Delivery) -> tuple[Effect, ...]:
    """Make one of the bought deliveries or end the step."""
    if isinstance(action, Pass):
        return (plan_tasks(task.seat),)
    return deliver(state, task.seat, action, replace(task, left=task.left - 1))


def run_donkey_end(state: State, task: DonkeyEnd) -> tuple[Effect, ...]:
    """Put the donkey tile aside as used (LG-5.3.2)."""
    return plan_tasks(task.seat), DonkeyUsed(task.seat, state.farms[task.seat].donkey)
