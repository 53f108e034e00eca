"""Reasons for craft buildings and market barrows (LG-5.3, LG-5.4, LG-6)."""

from domain.kernel.messages import Message
from domain.kernel.refusals import Refusal
from domain.titles.la_granja import agenda as t
from domain.titles.la_granja import words_terms as terms
from domain.titles.la_granja.agenda import AnyTask
from domain.titles.la_granja.phases.deliveries import extra_fee
from domain.titles.la_granja.refusals.general import is_window
from domain.titles.la_granja.state import Building, State
from domain.titles.la_granja.tables import box_of, deck_of

DELIVERING: tuple[type, ...] = (t.DeliveryStep, t.BoughtDeliveries, t.DeliveryChoice)


def building(state: State, task: AnyTask, name: str) -> Refusal | None:
    """Explain why nothing can be delivered to a symbol of a craft building (LG-6.2.1, LG-6.2.4).

    `name` is `NUMBER-GOOD`.
    """
    number, _, good = name.partition("-")
    if (refusal := out_of_turn(task)) is not None or not isinstance(task, DELIVERING):
        return refusal
    craft_building = next((each for each in state.buildings if str(each.number) == number), None)
    if craft_building is None:
        return None
    if craft_building.order_tile:
        return Refusal("LG-6.2.1", Message("This building is blocked. It opens when other buildings are completed."))
    if task.seat in craft_building.completed:
        return Refusal("LG-6.2.4", Message("You have already completed this building."))
    return missing_for_delivery(state, task, good, free_in(state, craft_building, task))


def free_in(state: State, craft_building: Building, task: AnyTask) -> tuple[str, ...]:
    """Return the free symbols of the seat's row, or of a whole row if it has none."""
    row = box_of(state).buildings[craft_building.number].row
    filled = next((each.filled for each in craft_building.rows if each.seat == task.seat), (False,) * len(row))
    return tuple(good for good, is_full in zip(row, filled, strict=True) if not is_full)


def barrow(state: State, task: AnyTask, name: str) -> Refusal | None:
    """Explain why nothing can be delivered to a symbol of the seat's barrow (LG-6.1.1).

    `name` is `CARD-GOOD`.
    """
    card, _, good = name.partition("-")
    if (refusal := out_of_turn(task)) is not None or not isinstance(task, DELIVERING):
        return refusal
    laid_barrow = next((each for each in state.farms[task.seat].barrows if str(each.card) == card), None)
    if laid_barrow is None:
        return None
    symbols = deck_of(state)[laid_barrow.card].barrow.goods
    free = tuple(symbol for symbol, is_full in zip(symbols, laid_barrow.filled, strict=True) if not is_full)
    return missing_for_delivery(state, task, good, free)


def out_of_turn(task: AnyTask) -> Refusal | None:
    """Explain that goods are delivered in phase III, if the task is a window of another step (LG-5.3), else None."""
    if isinstance(task, DELIVERING) or not is_window(task):
        return None
    return Refusal("LG-5.3.1", Message("Goods are delivered in phase III."))


def missing_for_delivery(state: State, task: AnyTask, good: str, free: tuple[str, ...]) -> Refusal:
    """Explain the first missing one of symbol, delivery, silver and good (LG-5.3.1, LG-5.4.1, LG-6.1.1)."""
    if good not in free:
        return Refusal("LG-6.1.1", Message("No free symbol asks for this good."))
    if isinstance(task, t.DeliveryStep | t.BoughtDeliveries) and not task.left:
        is_extra = isinstance(task, t.BoughtDeliveries) or task.paid
        return Refusal("LG-5.4.1" if is_extra else "LG-5.3.1", Message("You have no deliveries left."))
    if isinstance(task, t.DeliveryStep) and task.paid and state.farms[task.seat].silver < extra_fee(state, task.seat):
        args: terms.Args = {"price": extra_fee(state, task.seat)}
        return Refusal(
            "LG-5.4.1", Message("You do not have enough silver for an extra delivery; the price is {price}.", args)
        )
    return Refusal("LG-6.1.1", Message("You do not have this good."))


def extra(_state: State, task: AnyTask, _name: str) -> Refusal | None:
    """Explain that extra deliveries are unaffordable or follow the free ones (LG-5.4.1)."""
    if isinstance(task, t.DeliveryPurchase):
        return Refusal("LG-5.4.1", Message("You cannot pay for an extra delivery."))
    return Refusal("LG-5.4.1", Message("Extra deliveries come after the free ones.")) if is_window(task) else None
