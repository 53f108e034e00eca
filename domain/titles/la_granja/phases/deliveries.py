"""Deliveries to craft buildings and barrows, and their completion (LG-6)."""

from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.titles.la_granja.actions import Action, Decline, DeliverToBuilding
from domain.titles.la_granja.adjustments import Number, adjust, ready_helper
from domain.titles.la_granja.agenda import (
    AnyTask,
    Completion,
    DeliveryChoice,
    DeliveryStep,
    GoodChoice,
    SiestaReward,
    StallChoice,
)
from domain.titles.la_granja.delivering import Delivery, deliveries, deliveries_after_payment
from domain.titles.la_granja.effects import (
    BarrowCompleted,
    BuildingCompleted,
    BuildingOpened,
    CraftMarkerGained,
    Delivered,
    Effect,
    GoodGained,
    GoodPaid,
    HelperUsed,
    plan_tasks,
)
from domain.titles.la_granja.holdings import siesta_space
from domain.titles.la_granja.phases.gains import gain
from domain.titles.la_granja.state import COMMODITY, RESOURCES, Barrow, Building, State
from domain.titles.la_granja.tables import box_of, deck_of


def deliver(state: State, seat: Seat, action: Delivery, *after: AnyTask) -> tuple[Effect, ...]:
    """Deliver the good to the first free symbol that asks for it, check for completion, then continue with `after`.

    A substitution (`asked`) uses the Stand-in. The current task ends.
    """
    building, card = 0, 0
    if isinstance(action, DeliverToBuilding):
        building = action.building
        symbols: tuple[str, ...] = box_of(state).buildings[building].row
        begun_rows = [row.filled for row in state.buildings[building - 1].rows if row.seat == seat]
        filled = begun_rows[0] if begun_rows else (False,) * len(symbols)
    else:
        card = action.card
        symbols = deck_of(state)[card].barrow.goods
        (filled,) = (barrow.filled for barrow in state.farms[seat].barrows if barrow.card == card)
    symbol_good = action.asked or action.good
    symbol = next(index for index, good in enumerate(symbols) if good == symbol_good and not filled[index])
    stand_in = ready_helper(state, seat, "delivery_substitute") if action.asked else None
    helper_use = () if stand_in is None else (HelperUsed(seat, stand_in.number, stand_in.helper.once_per_round),)
    return (
        plan_tasks(seat, Completion(seat, building, card), *after),
        *helper_use,
        Delivered(seat, action.good, action.place, building, card, symbol, len(symbols)),
    )


def legal_choice(state: State, task: DeliveryChoice) -> tuple[Action, ...]:
    """Return all deliveries and `Decline`."""
    return (Decline(), *deliveries(state, task.seat))


def perform_choice(state: State, task: DeliveryChoice, action: Delivery | Decline) -> tuple[Effect, ...]:
    """Make the delivery or decline it."""
    if isinstance(action, Decline):
        return (plan_tasks(task.seat),)
    return deliver(state, task.seat, action)


def step_deliveries(state: State, task: DeliveryStep) -> tuple[Action, ...]:
    """Return the deliveries of a step, none if none is left; an extra one must be affordable (LG-5.4.1)."""
    if not task.left:
        return ()
    return extra_choices(state, task.seat, 1) if task.paid else deliveries(state, task.seat)


def extra_choices(state: State, seat: Seat, count: int) -> tuple[Delivery, ...]:
    """Return the deliveries possible after paying for `count` extra deliveries; empty if unaffordable."""
    return deliveries_after_payment(state, seat, count * extra_fee(state, seat))


def perform_step_delivery(state: State, task: DeliveryStep, action: Delivery) -> tuple[Effect, ...]:
    """Make one delivery of the step, an extra one for its fee; its rewards may pay for the next (LG-5.4.2)."""
    effects = deliver(state, task.seat, action, replace(task, left=task.left - 1))
    fee = extra_fee(state, task.seat) if task.paid else 0
    if not fee:
        return effects
    return (effects[0], GoodPaid(task.seat, "silver", fee, "", "extra_delivery"), *effects[1:])


def extra_fee(state: State, seat: Seat) -> int:
    """Return the silver price of an extra delivery, adjusted by helpers (LG-5.4.1)."""
    return adjust(state, seat, Number.EXTRA_DELIVERY_PRICE, box_of(state).player_board.extra_delivery_silver)


def run_completion(state: State, task: Completion) -> tuple[Effect, ...]:
    """Complete the row or barrow of the last delivery if it is full (LG-6.2.3, LG-6.3.1)."""
    seat = task.seat
    if task.building:
        building = state.buildings[task.building - 1]
        if all(next(row.filled for row in building.rows if row.seat == seat)):
            return _complete_building(state, seat, building)
    else:
        (barrow,) = (barrow for barrow in state.farms[seat].barrows if barrow.card == task.card)
        if all(barrow.filled):
            return _complete_barrow(state, seat, barrow)
    return (plan_tasks(seat),)


def _complete_building(state: State, seat: Seat, building: Building) -> tuple[Effect, ...]:
    """Return mark, first-completion rewards, VP of the round and craft marker, in the order of LG-6.2.3.

    The marker's instant effect comes last.
    """
    tasks, instant_effects = _instant_bonus(state, seat, building.number)
    effects: list[Effect] = [plan_tasks(seat, *tasks), BuildingCompleted(seat, building.number)]
    if not building.completed:
        effects.append(GoodGained(seat, "vp", box_of(state).first_completion_vp, "", "first"))
        blocked = [other for other in state.buildings if other.order_tile]
        if blocked:
            lowest = min(blocked, key=lambda other: other.order_tile)
            effects.append(BuildingOpened(seat, lowest.number, lowest.order_tile))
            effects.append(GoodGained(seat, "vp", box_of(state).unlock_vp, "", "order_tile"))
    effects.append(GoodGained(seat, "vp", state.round, "", "building"))
    effects.append(CraftMarkerGained(seat, building.number))
    return (*effects, *instant_effects)


def _instant_bonus(state: State, seat: Seat, building: int) -> tuple[tuple[AnyTask, ...], tuple[Effect, ...]]:
    """Return the (tasks, immediate effects) of a craft marker's instant side (table under LG-6.2.6)."""
    bonus = box_of(state).buildings[building].instant
    match bonus.kind:
        case "silver" | "vp":
            return (), (GoodGained(seat, bonus.kind, bonus.amount, "", "craft"),)
        case "delivery_and_siesta_vp":
            return (*(DeliveryChoice(seat) for _ in range(bonus.deliveries)), SiestaReward(seat)), ()
        case "trade_commodity":
            return (gain(seat, COMMODITY, bonus.amount, "craft"),), ()
        case "any_resource":
            return tuple(GoodChoice(seat, RESOURCES, 1, "craft") for _ in range(bonus.amount)), ()
        case "vp_per_own_barrow":
            paid = min(bonus.maximum, bonus.amount * len(state.farms[seat].barrows))
            return (), ((GoodGained(seat, "vp", paid, "", "craft"),) if paid else ())
        case _:
            raise AssertionError(f"craft marker of building {building} has no instant effect {bonus.kind}")


def run_siesta_reward(state: State, task: SiestaReward) -> tuple[Effect, ...]:
    """Gain the VP of the seat's siesta space (Wainwright)."""
    vp = box_of(state).siesta.vp[siesta_space(state, task.seat)]
    return (plan_tasks(task.seat), GoodGained(task.seat, "vp", vp, "", "siesta")) if vp else (plan_tasks(task.seat),)


def _complete_barrow(state: State, seat: Seat, barrow: Barrow) -> tuple[Effect, ...]:
    """Gain the VP, discard the barrow, gain a commodity and a stall (LG-6.3.1), then the Butcher's VP (LG-6.3.2)."""
    vp = deck_of(state)[barrow.card].barrow.vp
    tasks: list[AnyTask] = [gain(seat, COMMODITY, 1, "barrow"), StallChoice(seat, vp)]
    paid = lasting_amount(state, seat, "vp_per_completed_barrow")
    if paid:
        tasks.append(gain(seat, "vp", paid, "butcher"))
    return plan_tasks(seat, *tasks), GoodGained(seat, "vp", vp, "", "barrow"), BarrowCompleted(seat, barrow.card)


def lasting_amount(state: State, seat: Seat, kind: str) -> int:
    """Return the total amount of a lasting effect over the seat's flipped craft markers (LG-6.2.5)."""
    return sum(
        box_of(state).buildings[craft.building].permanent.amount
        for craft in state.farms[seat].crafts
        if craft.flipped and box_of(state).buildings[craft.building].permanent.kind == kind
    )


def react_to_marker(state: State, effect: CraftMarkerGained) -> tuple[Effect, ...]:
    """Pay the Village Store's VP when its owner gains another craft marker in a later round (LG-6.2.7, LG-13.27)."""
    paid = lasting_amount(state, effect.seat, "vp_per_craft_marker")
    return (GoodGained(effect.seat, "vp", paid, "", "village_store"),) if paid else ()
