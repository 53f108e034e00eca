"""Rollouts of La Granja, to the end of the round.

The bot's seat neither sells nor buys, and takes other any-time actions only while it delivers. Within one round the
rivals do only what affects the seat: they take popular dice and buy roof tiles. Over more rounds they act like the
seat. This is far from good play, but enough to compare the seat's choices.
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
from domain.titles.la_granja.phases import any_time_actions, task_actions
from domain.titles.la_granja.state import State
from domain.titles.la_granja.turns import task_of
from workers.bots.evaluation import Outline
from workers.bots.titles.la_granja import follow

OVER: Final = 1_000
DELIVERING: Final = (t.DeliveryStep, t.DeliveryPurchase, t.BoughtDeliveries)
CONTESTED: Final = (t.RoofStep, t.GrowthStep)
LIKED_DICE: Final = (4, 5, 3, 6, 2, 1)
"""Dice in order of popularity with the greedy bot: it takes a four in 46 of 100 cases, a one in 16."""


def stage(state: State) -> int:
    """Return the round, or `OVER` after the last."""
    return OVER if state.step == "over" else state.round


def own(state: State, seat: Seat) -> Sequence[Action]:
    """Return the actions to try for the bot's seat; no trade among deliveries."""
    task, actions = _task_and_actions(state, seat)
    if isinstance(task, t.GrowthStep):
        return _growth(actions)
    return _deliveries((*actions, *any_time_actions(state, task))) if isinstance(task, DELIVERING) else actions


def rival(state: State, seat: Seat) -> Sequence[Action]:
    """Return the actions to try for other seats in rollouts of one round: one, except for contested tasks.

    Of dice the preferred one, of other tasks the first.
    """
    task, actions = _task_and_actions(state, seat)
    if isinstance(task, t.DieChoice):
        return (min((action for action in actions if isinstance(action, TakeDie)), key=_liking, default=actions[0]),)
    return own(state, seat) if isinstance(task, CONTESTED) else actions[:1]


def _task_and_actions(state: State, seat: Seat) -> tuple[t.AnyTask, tuple[Action, ...]]:
    """Return the seat's task and its answers, or the first any-time action if it has no answer."""
    task = task_of(state, seat)
    assert task is not None, f"nothing is asked of seat {seat}"
    return task, task_actions(state, task) or tuple(islice(any_time_actions(state, task), 1))


def _liking(action: TakeDie) -> int:
    return LIKED_DICE.index(action.pips)


def _growth(legal: tuple[Action, ...]) -> Sequence[Action]:
    """Return the first growth or birth, or the action that closes the window."""
    return next(((action,) for action in legal if isinstance(action, GrowCrops | BreedPig)), legal[:1])


def _deliveries(legal: tuple[Action, ...]) -> Sequence[Action]:
    """Return the actions without trade; of goods that differ only in their location, the first."""
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
