"""Gains of goods, one marker each, and the choice when no marker is left (LG-0.9)."""

from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.titles.la_granja.actions import Action, Decline, TakeBackMarker, TakeGood
from domain.titles.la_granja.agenda import AnyTask, Gain, GoodChoice, MarkerShortage
from domain.titles.la_granja.delivering import stored_goods
from domain.titles.la_granja.editions import edition_rules_of
from domain.titles.la_granja.effects import (
    Effect,
    GainGivenUp,
    GoodGained,
    MarkerTakenBack,
    PigUnhoused,
    StallPlaced,
    plan_tasks,
)
from domain.titles.la_granja.holdings import PLACE_OF, has_free_pen, pens, resources_in, selling_price
from domain.titles.la_granja.phases import market
from domain.titles.la_granja.state import COMMODITY, UPGRADED, State
from domain.titles.la_granja.tables import box_of, deck_of


def gain(seat: Seat, good: str, amount: int, cause: str) -> Gain:
    """Return the task that gains `amount` of a good at its usual place."""
    return Gain(seat, good, amount, PLACE_OF[good], cause)


def run_gain(state: State, task: Gain) -> tuple[Effect, ...]:
    """Gain as much as markers and pens allow; sell a pig without a free pen at once (LG-3.2.2, LG-4.5).

    Silver and VP need no marker. Without a marker the owner must choose one to take back, or decline. A stall also
    sweeps its neighbours.
    """
    seat, good, amount = task.seat, task.good, task.amount
    if task.place == "":
        return plan_tasks(seat), GoodGained(seat, good, amount, "", task.cause)
    if good == "pig" and not has_free_pen(state, seat):
        return _keep_rest(task, 1), PigUnhoused(seat, selling_price(state, seat, "pig"))
    markers = state.farms[seat].markers
    if markers == 0:
        return (plan_tasks(seat, MarkerShortage(seat, good, task.place), done=0),)
    if task.place == "market":
        return (plan_tasks(seat), StallPlaced(seat, task.number), *market.sweep(state, task))
    gained = min(amount, markers)
    if good == "pig":
        gained = min(gained, pens(state, seat) - state.farms[seat].pig)
    return _keep_rest(task, gained), GoodGained(seat, good, gained, task.place, task.cause, task.number)


def _keep_rest(task: Gain, gained: int) -> Effect:
    """Return the effect that keeps the rest of the gain on the agenda, or ends it."""
    if task.amount == gained:
        return plan_tasks(task.seat)
    return plan_tasks(task.seat, replace(task, amount=task.amount - gained))


def legal_shortage(state: State, task: MarkerShortage) -> tuple[Action, ...]:
    """Return `Decline` and each marker that can be taken back (LG-0.9, LG-12.2, LG-13.23)."""
    seat = task.seat
    farm, deck = state.farms[seat], deck_of(state)
    actions: list[Action] = [Decline()]
    actions += [TakeBackMarker(place, good) for good, place in resources_in(farm)]
    actions += [TakeBackMarker("helper", good) for good, _ in stored_goods(state, seat)]
    actions += [TakeBackMarker(PLACE_OF[good], good) for good in (*UPGRADED, COMMODITY) if getattr(farm, good)]
    for barrow in farm.barrows:
        goods = _filled_goods(deck[barrow.card].barrow.goods, barrow.filled)
        actions += [TakeBackMarker("barrow", good, barrow.card) for good in goods]
    for building in state.buildings:
        for row in building.rows:
            if row.seat == seat:
                goods = _filled_goods(box_of(state).buildings[building.number].row, row.filled)
                actions += [TakeBackMarker("row", good, building.number) for good in goods]
        if seat in building.marks and not edition_rules_of(state).keeps_marks:
            actions.append(TakeBackMarker("mark", number=building.number))
    actions += [TakeBackMarker("market", number=cell) for cell, owner in enumerate(state.stalls) if owner == seat]
    return tuple(actions)


def _filled_goods(symbols: tuple[str, ...], filled: tuple[bool, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(good for good, full in zip(symbols, filled, strict=True) if full))


def perform_shortage(state: State, task: MarkerShortage, action: Action) -> tuple[Effect, ...]:
    """Take back a marker, or give up one unit of the gain below; the gain then continues."""
    seat = task.seat
    if isinstance(action, TakeBackMarker):
        return plan_tasks(seat), _take_back(state, seat, action)
    pending = next(
        candidate for candidate in reversed(state.agenda) if candidate.seat == seat and isinstance(candidate, Gain)
    )
    remaining: tuple[AnyTask, ...] = (replace(pending, amount=pending.amount - 1),) if pending.amount > 1 else ()
    return plan_tasks(seat, *remaining, done=2), GainGivenUp(seat, task.good)


def _take_back(state: State, seat: Seat, action: TakeBackMarker) -> Effect:
    """Return the effect of taking back a marker; of a barrow or row the last filled symbol of that good."""
    symbol = 0
    if action.place == "barrow":
        (barrow,) = (barrow for barrow in state.farms[seat].barrows if barrow.card == action.number)
        symbol = _last_filled(deck_of(state)[action.number].barrow.goods, barrow.filled, action.good)
    elif action.place == "row":
        (row,) = (row for row in state.buildings[action.number - 1].rows if row.seat == seat)
        symbol = _last_filled(box_of(state).buildings[action.number].row, row.filled, action.good)
    return MarkerTakenBack(seat, action.place, action.good, action.number, symbol)


def _last_filled(symbols: tuple[str, ...], filled: tuple[bool, ...], good: str) -> int:
    return max(index for index, symbol in enumerate(symbols) if symbol == good and filled[index])


def legal_good(_: State, task: GoodChoice) -> tuple[Action, ...]:
    """Return an action for each good of the task."""
    return tuple(TakeGood(good) for good in task.goods)


def perform_good(_: State, task: GoodChoice, action: TakeGood) -> tuple[Effect, ...]:
    """Gain the good, on the task's field if it names one; if more are due, choose the next among the other goods."""
    good_gain = gain(task.seat, action.good, 1, task.cause)
    tasks: list[AnyTask] = [replace(good_gain, place="field", number=task.number) if task.number else good_gain]
    if task.count > 1:
        others = tuple(good for good in task.goods if good != action.good)
        tasks.append(GoodChoice(task.seat, others, task.count - 1, task.cause))
    return (plan_tasks(task.seat, *tasks),)
