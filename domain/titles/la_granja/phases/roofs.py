"""Roof tiles: purchase and use (LG-3.4, LG-9)."""

from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.titles.la_granja.actions import Action, BuyRoof, ChangeDie, Decline, Pass, PayGood, TurnRoof, UseRoof
from domain.titles.la_granja.adjustments import Number, adjust, ready_helper
from domain.titles.la_granja.agenda import (
    Advance,
    AnyTask,
    CardChoice,
    DeliveryChoice,
    DieResolution,
    DieShift,
    GoodChoice,
    Income,
    RoofChoice,
    RoofPayment,
    RoofPlacement,
    RoofStep,
    StallChoice,
    UpgradeChoice,
)
from domain.titles.la_granja.delivering import deliveries, deliveries_after_payment
from domain.titles.la_granja.effects import (
    DieChanged,
    Effect,
    GoodGained,
    GoodPaid,
    RoofBought,
    RoofTurned,
    RoofUsed,
    plan_tasks,
)
from domain.titles.la_granja.holdings import can_advance, can_draw, has_upgradeable, resources_in
from domain.titles.la_granja.phases.gains import gain
from domain.titles.la_granja.phases.income import income
from domain.titles.la_granja.phases.market import has_free_cell
from domain.titles.la_granja.state import CROPS, PHASE_OF, State
from domain.titles.la_granja.tables import box_of
from domain.titles.la_granja.turns import is_alone


def affordable_roofs(state: State, seat: Seat) -> tuple[Action, ...]:
    """Return the affordable open tiles; empty without a free roof space (LG-3.4.2, LG-3.4.4)."""
    farm = state.farms[seat]
    if len(farm.roofs) >= adjust(state, seat, Number.ROOF_SPACES, box_of(state).player_board.roof_spaces):
        return ()
    return tuple(BuyRoof(tile) for tile in state.roofs if price_of(state, seat, tile) <= farm.silver)


def price_of(state: State, seat: Seat, tile: str) -> int:
    """Return the price of a tile: the number of the round less the discounts of helpers (LG-3.4.2)."""
    return adjust(state, seat, Number.ROOF_PRICE, box_of(state).roof_tiles[tile].cost)


def buy_roof(state: State, seat: Seat, action: BuyRoof, *after: AnyTask) -> tuple[Effect, ...]:
    """Buy the tile for the leftmost free roof space and take the VP of the space (LG-3.4.3)."""
    purchase = RoofBought(seat, action.tile, price_of(state, seat, action.tile))
    return plan_tasks(seat, *_placement_tasks(state, seat), *after), purchase


def _placement_tasks(state: State, seat: Seat) -> tuple[AnyTask, ...]:
    """Return the task that takes the VP of the next roof space, none for 0 VP.

    A helper's space follows the printed ones.
    """
    printed, roof_count = box_of(state).player_board.roof_vp, len(state.farms[seat].roofs)
    vp = printed[roof_count] if roof_count < len(printed) else adjust(state, seat, Number.LAST_ROOF_VP, 0)
    return (RoofPlacement(seat, vp),) if vp else ()


def legal_payment(state: State, task: RoofPayment) -> tuple[Action, ...]:
    """Return the resources to pay with and, if silver suffices for the rest, `Pass` (Joiner)."""
    farm = state.farms[task.seat]
    goods = tuple(PayGood(resource, place) for resource, place in resources_in(farm))
    return (Pass(), *goods) if farm.silver >= task.owed else goods


def perform_payment(state: State, task: RoofPayment, action: Pass | PayGood) -> tuple[Effect, ...]:
    """Pay with a resource at the Joiner's rate, or the rest in silver; no change is given.

    Once nothing is owed the tile is bought and placed.
    """
    seat = task.seat
    paid = list[Effect]()
    owed = task.owed
    if isinstance(action, PayGood):
        joiner = ready_helper(state, seat, "roof_pay_goods")
        assert joiner is not None, "the Joiner lies there while it is being used"
        owed = max(0, owed - joiner.helper.params[action.good])
        paid.append(GoodPaid(seat, action.good, 1, action.place, "roof"))
        if owed:
            return plan_tasks(seat, replace(task, owed=owed)), *paid
    step = next(
        candidate for candidate in reversed(state.agenda) if candidate.seat == seat and isinstance(candidate, RoofStep)
    )
    tasks = (*_placement_tasks(state, seat), replace(step, bought=True))
    return plan_tasks(seat, *tasks, done=2), *paid, RoofBought(seat, task.tile, owed)


def legal_placement(state: State, task: RoofPlacement) -> tuple[Action, ...]:
    """Return `Decline` and each unused doubling tile; a helper's space cannot be doubled (LG-9.8, LG-13.32)."""
    roofs, printed = state.farms[task.seat].roofs, box_of(state).player_board.roof_vp
    doubling = (
        UseRoof(roof.tile)
        for roof in roofs
        if not roof.used and len(roofs) <= len(printed) and box_of(state).effect_of(roof.tile).kind == "double_roof_vp"
    )
    return (Decline(), *doubling)


def perform_placement(state: State, task: RoofPlacement, action: Decline | UseRoof) -> tuple[Effect, ...]:
    """Take the VP of the roof space, doubled if a doubling tile is used."""
    seat, vp = task.seat, task.vp
    if isinstance(action, Decline):
        return plan_tasks(seat), GoodGained(seat, "vp", vp, "", "roof_space")
    vp *= box_of(state).effect_of(action.tile).params.factor
    return plan_tasks(seat), RoofUsed(seat, action.tile), GoodGained(seat, "vp", vp, "", "roof_space")


def usable_roofs(state: State, task: AnyTask) -> tuple[Action, ...]:
    """Return the seat's unused tiles that would have an effect in this window (LG-9.1, LG-9.2, LG-2.1.1)."""
    farm = state.farms[task.seat]
    if not farm.roofs:
        return ()
    return tuple(UseRoof(roof.tile) for roof in farm.roofs if not roof.used and _can_use(state, task, roof.tile))


def _can_use(state: State, task: AnyTask, tile: str) -> bool:
    """Return whether an unused tile may be used in this phase and would have an effect in this window."""
    effect, seat = box_of(state).effect_of(tile), task.seat
    if "any" not in effect.phases and PHASE_OF[state.step] not in effect.phases:
        return False
    farm = state.farms[seat]
    match effect.kind:
        case "free_upgrade":
            return has_upgradeable(farm)
        case "delivery":
            return is_alone(state) and bool(deliveries(state, seat))
        case "paid_delivery":
            return is_alone(state) and bool(deliveries_after_payment(state, seat, effect.params.silver_cost))
        case "play_or_draw_card":
            return bool(farm.hand) or (is_alone(state) and can_draw(state))
        case "flip_roof":
            return any(roof.used and roof.tile != tile for roof in farm.roofs)
        case "siesta":
            return can_advance(state, seat)
        case "die_shift":
            return isinstance(task, DieResolution) and task.source == "chosen"
        case "take_income":
            return bool(income(state, seat))
        case "place_market_marker":
            return is_alone(state) and has_free_cell(state)
        case "double_roof_vp":
            # Used only when a roof tile is placed, see `legal_placement`.
            return False
        case _:
            return True


def use_roof(state: State, seat: Seat, tile: str) -> tuple[Effect, ...]:
    """Turn the tile face down, pay its cost if any, and plan its effect (LG-9.1)."""
    params = box_of(state).effect_of(tile).params
    effects: list[Effect] = [plan_tasks(seat, *_effect_tasks(state, seat, tile), done=0), RoofUsed(seat, tile)]
    if params.silver_cost:
        effects.append(GoodPaid(seat, "silver", params.silver_cost, "", "roof"))
    return tuple(effects)


def _effect_tasks(state: State, seat: Seat, tile: str) -> tuple[AnyTask, ...]:
    """Return the tasks of a tile's effect; doubling tiles have none here."""
    effect = box_of(state).effect_of(tile)
    params = effect.params
    match effect.kind:
        case "silver" | "vp" | "pig":
            return (gain(seat, effect.kind, params.amount, "roof"),)
        case "crop" | "upgraded_good":
            if len(params.choice) == 1:
                return (gain(seat, params.choice[0], params.amount, "roof"),)
            return (GoodChoice(seat, params.choice, params.amount, "roof"),)
        case "two_different_crops":
            return (GoodChoice(seat, CROPS, params.amount, "roof"),)
        case "free_upgrade":
            return (UpgradeChoice(seat, params.count),)
        case "delivery" | "paid_delivery":
            return tuple(DeliveryChoice(seat) for _ in range(params.count))
        case "play_or_draw_card":
            return tuple(CardChoice(seat, may_draw=is_alone(state)) for _ in range(params.count))
        case "flip_roof":
            return (RoofChoice(seat, tile),)
        case "siesta":
            return (Advance(seat, params.steps),)
        case "die_shift":
            return (DieShift(seat, params.steps),)
        case "take_income":
            return (Income(seat),)
        case "place_market_marker":
            return (StallChoice(seat, 0),)
        case _:
            raise AssertionError(f"roof tile {tile} of kind {effect.kind} is not used in a window")


def legal_turning(state: State, task: RoofChoice) -> tuple[Action, ...]:
    """Return the seat's other used tiles; the flip tile cannot turn itself (LG-9.4)."""
    return tuple(TurnRoof(roof.tile) for roof in state.farms[task.seat].roofs if roof.used and roof.tile != task.tile)


def perform_turning(_: State, task: RoofChoice, action: TurnRoof) -> tuple[Effect, ...]:
    """Turn the tile face up."""
    return plan_tasks(task.seat), RoofTurned(task.seat, action.tile)


def legal_shift(state: State, task: DieShift) -> tuple[Action, ...]:
    """Return the other numbers from 1 to 6 within `steps` of the die (LG-9.5, LG-13.15)."""
    pips = _resolution(state, task.seat).pips
    return tuple(ChangeDie(to) for to in range(max(1, pips - task.steps), min(6, pips + task.steps) + 1) if to != pips)


def perform_shift(state: State, task: DieShift, action: ChangeDie) -> tuple[Effect, ...]:
    """Change the pending die, then advance the siesta steps of the task before it is resolved."""
    resolution = _resolution(state, task.seat)
    changed = replace(resolution, pips=action.pips)
    steps = (Advance(task.seat, task.siesta_steps),) if task.siesta_steps else ()
    return plan_tasks(task.seat, *steps, changed, done=2), DieChanged(task.seat, resolution.pips, action.pips)


def _resolution(state: State, seat: Seat) -> DieResolution:
    return next(task for task in reversed(state.agenda) if task.seat == seat and isinstance(task, DieResolution))
