"""Reasons for spaces of the market (LG-6.4)."""

from domain.kernel.messages import Message
from domain.kernel.refusals import Refusal
from domain.titles.la_granja import agenda as t
from domain.titles.la_granja.agenda import AnyTask
from domain.titles.la_granja.refusals.general import is_window
from domain.titles.la_granja.state import NOBODY, State
from domain.titles.la_granja.tables import market_of_state


def stall(state: State, task: AnyTask, name: str) -> Refusal | None:
    """Explain why no stall can be placed on a space (LG-6.4.1, LG-6.4.3, LG-6.4.4, LG-9.7)."""
    if not isinstance(task, t.StallChoice):
        return (
            Refusal("LG-6.4.1", Message("You place a stall when you complete a market barrow."))
            if is_window(task)
            else None
        )
    market = market_of_state(state)
    cell = next((each for each in market.open if str(each) == name), None)
    if cell is None:
        return Refusal("LG-1.1", Message("This market space is closed."))
    if not task.value:
        return Refusal("LG-9.7", Message("This tile needs a free market space."))
    if market.cells[cell].value != task.value:
        return Refusal(
            "LG-6.4.1", Message("Your stall must go on a market space of value {value}.", {"value": task.value})
        )
    if any(state.stalls[each] == NOBODY for each in market.by_value[task.value]):
        return Refusal("LG-6.4.3", Message("A space of this value is still free: choose that one."))
    return Refusal("LG-6.4.4", Message("Your own stall is already there."))
