"""Reasons why nothing can be chosen at a part of the table, in a module for each kind of part."""

from collections.abc import Callable, Mapping
from typing import Final

from domain.kernel.refusals import Refusal
from domain.kernel.rules import Seat
from domain.titles.la_granja.agenda import AnyTask
from domain.titles.la_granja.decide import legal_actions
from domain.titles.la_granja.parts import EXTRA_DELIVERIES, GROWTH, PILE, part_of
from domain.titles.la_granja.refusals import cards, delivering, dice, general, goods, market, roofs
from domain.titles.la_granja.state import State
from domain.titles.la_granja.turns import task_of

Refuse = Callable[[State, AnyTask, str], Refusal | None]
"""Return the reason for a state, the seat's task and the rest of the part's name; None if there is no specific one."""

REFUSE: Final[Mapping[str, Refuse]] = {
    PILE: cards.pile,
    "hand": cards.hand,
    "laid": cards.laid_card,
    GROWTH: goods.growth,
    "store": goods.store,
    "field": goods.field,
    "helper_field": goods.field,
    "helper": goods.on_helper,
    "mark": goods.marker,
    "roof": roofs.roof,
    "die": dice.die,
    "space": dice.space,
    "option": dice.option,
    "donkey": dice.donkey,
    "building": delivering.building,
    "barrow": delivering.barrow,
    EXTRA_DELIVERIES: delivering.extra,
    "stall": market.stall,
}
"""Functions by the first word of a part's name (see `parts`)."""


def why_not(state: State, seat: Seat, part: str) -> Refusal | None:
    """Return the reason why the seat can choose nothing at a part of the drawn table; None if it can.

    The result only explains; legality is decided by `legal_actions`. The task's reason is the fallback.
    """
    task = task_of(state, seat)
    if task is None:
        return general.waiting_reason(state)
    if part in map(part_of, legal_actions(state, seat)):
        return None
    first, _, rest = part.partition("-")
    refuse = REFUSE.get(part) or REFUSE.get(first)
    return (refuse and refuse(state, task, rest)) or general.task_reason(state, task)
