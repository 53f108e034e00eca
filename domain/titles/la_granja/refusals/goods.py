"""Reasons for goods of the seat's farm (LG-2, LG-3.3)."""

from domain.kernel.messages import Message
from domain.kernel.refusals import Refusal
from domain.titles.la_granja import agenda as t
from domain.titles.la_granja import words_terms as terms
from domain.titles.la_granja.agenda import AnyTask
from domain.titles.la_granja.phases.any_time import PURCHASES_MAX, buying_price
from domain.titles.la_granja.refusals.general import is_window
from domain.titles.la_granja.state import COMMODITY, RESOURCES, UPGRADED, State


def growth(_state: State, task: AnyTask, _name: str) -> Refusal | None:
    """Explain why fields cannot grow now (LG-3.3.1)."""
    if isinstance(task, t.GrowthStep):
        if task.grown:
            return Refusal("LG-3.3.1", Message("Your fields have already grown this round."))
        return Refusal("LG-3.3.1", Message("You have no empty fields."))
    return Refusal("LG-3.3.1", Message("Fields grow once per round, after income.")) if is_window(task) else None


def store(state: State, task: AnyTask, good: str) -> Refusal | None:
    """Explain why goods of a store, pen, purse or the commodity space cannot be used (LG-2.3 to LG-2.5, LG-0.3)."""
    if isinstance(task, t.UpgradeChoice) and good in RESOURCES:
        return Refusal("LG-2.6", Message("You have none of these to upgrade."))
    if not is_window(task):
        return None
    if good == COMMODITY:
        return Refusal("LG-2.3", Message("You have no trade commodities."))
    if good in UPGRADED:
        return Refusal(
            "LG-0.3", Message("Upgraded goods are delivered; they cannot be bought, and only a helper can sell them.")
        )
    return unaffordable_resource(state, task, good) if good in RESOURCES else None


def unaffordable_resource(state: State, task: AnyTask, resource: str) -> Refusal:
    """Explain why a resource cannot be bought (LG-2.4); the farm has none to sell."""
    assert isinstance(task, t.Window)
    if task.purchases >= PURCHASES_MAX:
        return Refusal("LG-2.4", Message("You cannot buy more than {count} times in a row.", {"count": PURCHASES_MAX}))
    args: terms.Args = {"price": buying_price(state, task.seat, resource)}
    return Refusal("LG-2.4", Message("You do not have enough silver to buy one; the price is {price}.", args))


def field(state: State, task: AnyTask, crop: str) -> Refusal | None:
    """Explain why a crop on a field cannot be used (LG-2.5, LG-2.7)."""
    if not is_window(task):
        return None
    if not any(each.full and each.crop == crop for each in state.farms[task.seat].fields):
        return Refusal("LG-2.7", Message("Nothing has grown there yet."))
    message = Message("Crops on fields cannot be sold, and you do not have enough silver to upgrade this one.")
    return Refusal("LG-2.5", message)


def on_helper(_state: State, task: AnyTask, _good: str) -> Refusal | None:
    """Explain that goods on a helper can only be delivered (LG-6.1.1)."""
    return Refusal("LG-6.1.1", Message("Goods on a helper can only be delivered.")) if is_window(task) else None


def marker(_state: State, _task: AnyTask, _name: str) -> Refusal | None:
    """Explain that a mark in a completed building is taken back only without other markers (LG-0.9)."""
    return Refusal("LG-0.9", Message("You can take back a marker only when you have none left."))
