"""The income of step I.2 and of the income roof tile (LG-3.2)."""

from domain.kernel.rules import Seat
from domain.titles.la_granja.adjustments import Number, adjust
from domain.titles.la_granja.agenda import AnyTask, GoodChoice, Income
from domain.titles.la_granja.effects import Effect, plan_tasks
from domain.titles.la_granja.helpers import income_of
from domain.titles.la_granja.holdings import extensions_of
from domain.titles.la_granja.phases.deliveries import lasting_amount
from domain.titles.la_granja.phases.gains import gain
from domain.titles.la_granja.state import COMMODITY, RESOURCES, State


def income(state: State, seat: Seat) -> tuple[AnyTask, ...]:
    """Return the income tasks: extensions, Merchant House, Delicatessen, helpers, Greengrocer (LG-3.2.1, LG-13.2)."""
    tasks = list[AnyTask]()
    silver = adjust(state, seat, Number.INCOME_SILVER, extensions_of(state, seat).income_silver)
    if silver:
        tasks.append(gain(seat, "silver", silver, "income"))
    for kind, good in (("income_silver", "silver"), ("income_trade_commodity", COMMODITY)):
        amount = lasting_amount(state, seat, kind)
        if amount:
            tasks.append(gain(seat, good, amount, "income"))
    choices = lasting_amount(state, seat, "income_any_resource")
    return (*tasks, *income_of(state, seat), *(GoodChoice(seat, RESOURCES, 1, "income") for _ in range(choices)))


def run_income(state: State, task: Income) -> tuple[Effect, ...]:
    """Replace the task by the seat's income tasks."""
    return (plan_tasks(task.seat, *income(state, task.seat)),)
