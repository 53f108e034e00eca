"""How a match of La Granja is played on in thought, to the end of the round.

The seat that is thinking sells and buys nothing on the way, and does the rest of what can be done at any time only
while it delivers. To the end of one round no more happens of the others than what takes something from the seat: they
take the dice that are liked most, and buy roof tiles; over more rounds they do what the seat does. All that is far from
good play and near enough to tell the choices of the seat apart.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Final

from domain.kernel.rules import Seat
from domain.titles.la_granja import agenda as t
from domain.titles.la_granja.actions import (
    Action,
    BreedPig,
    BuyResource,
    DeliverToBarrow,
    DeliverToBuilding,
    GrowCrops,
    SellResource,
    TakeDie,
    UpgradeResource,
)
from domain.titles.la_granja.phases import anything_else, asked_by
from domain.titles.la_granja.state import State
from domain.titles.la_granja.turns import task_of
from workers.bots.evaluation import Outline
from workers.bots.titles.la_granja import follow

OVER: Final = 1_000
DELIVERING: Final = (t.DeliveryStep, t.DeliveryPurchase, t.BoughtDeliveries)
CONTESTED: Final = (t.RoofStep, t.GrowthStep)
LIKED_DICE: Final = (4, 5, 3, 6, 2, 1)
"""How often the greedy bot takes a die that lies there: a four in 46 of 100 cases, a one in 16."""


def stage(state: State) -> int:
    """The round; what comes after the last is beyond all rounds."""
    return OVER if state.step == "over" else state.round


def own(state: State, seat: Seat) -> Sequence[Action]:
    task, asked = _task_and_asked(state, seat)
    if isinstance(task, t.GrowthStep):
        return _growth(asked)
    return _deliveries((*asked, *anything_else(state, task))) if isinstance(task, DELIVERING) else asked


def rival(state: State, seat: Seat) -> Sequence[Action]:
    task, asked = _task_and_asked(state, seat)
    if isinstance(task, t.DieChoice):
        return (min((action for action in asked if isinstance(action, TakeDie)), key=_liking, default=asked[0]),)
    return own(state, seat) if isinstance(task, CONTESTED) else asked[:1]


def _task_and_asked(state: State, seat: Seat) -> tuple[t.AnyTask, tuple[Action, ...]]:
    """What the seat must decide, and what that asks for; if nothing, the first of what can be done at any time."""
    task = task_of(state, seat)
    assert task is not None, f"nothing is asked of seat {seat}"
    return task, asked_by(state, task) or tuple(islice(anything_else(state, task), 1))


def _liking(action: TakeDie) -> int:
    return LIKED_DICE.index(action.pips)


def _growth(legal: tuple[Action, ...]) -> Sequence[Action]:
    """What grows or is born, one after the other; afterwards the window is closed."""
    return next(((action,) for action in legal if isinstance(action, GrowCrops | BreedPig)), legal[:1])


def _deliveries(legal: tuple[Action, ...]) -> Sequence[Action]:
    """No trade; and of goods that differ only in where they lie the first."""
    found: dict[object, Action] = {}
    for action in legal:
        match action:
            case SellResource() | BuyResource():
                pass
            case DeliverToBuilding():
                found.setdefault((action.good, action.building), action)
            case DeliverToBarrow():
                found.setdefault((action.good, -action.card), action)
            case UpgradeResource():
                found.setdefault(action.resource, action)
            case _:
                found[action] = action
    return list(found.values())


OUTLINE: Final = Outline(stage, own, rival, follow)
