"""Phase II: the revenue dice (LG-4)."""

from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.titles.la_granja.actions import Action, Decline, Pass, ReserveSpace, TakeDie, TakeOption
from domain.titles.la_granja.adjustments import Number, adjust
from domain.titles.la_granja.agenda import (
    Advance,
    AnyTask,
    CardChoice,
    DeliveryChoice,
    DiceRoll,
    DieChoice,
    DieEnd,
    DieResolution,
    DieWindow,
    GoodChoice,
    SpaceReservation,
    UpgradeChoice,
)
from domain.titles.la_granja.effects import DiceRolled, DieResolved, DieTaken, Effect, SpaceReserved, plan_tasks
from domain.titles.la_granja.helpers.revenue import die_reserved_against
from domain.titles.la_granja.phases.gains import gain
from domain.titles.la_granja.phases.playing import draw_tasks
from domain.titles.la_granja.spaces import SPACES, open_options
from domain.titles.la_granja.state import CROPS, State
from domain.titles.la_granja.tables import box_of

HELPER_SOURCES: Final = frozenset(("merchant", "again"))
"""Sources of a `DieResolution` that belong to a helper's effect."""


def run_roll(state: State, task: DiceRoll, chance: Chance) -> tuple[Effect, ...]:
    """Roll all revenue dice (LG-4.1)."""
    pips = chance.roll(f"revenue/{state.round}", box_of(state).setup.dice[len(state.farms)], len(SPACES))
    return plan_tasks(task.seat), DiceRolled(tuple(sorted(pips)))


def legal_reservation(_state: State, _task: SpaceReservation) -> tuple[Action, ...]:
    """Return an action for each revenue space."""
    return tuple(ReserveSpace(space) for space in SPACES)


def perform_reservation(_: State, task: SpaceReservation, action: ReserveSpace) -> tuple[Effect, ...]:
    """Reserve the space for the seat."""
    return plan_tasks(task.seat), SpaceReserved(task.seat, action.space)


def legal_die(state: State, task: DieChoice) -> tuple[Action, ...]:
    """Return the dice that can be taken (LG-4.2); a die reserved by another player's helper cannot."""
    reserved = die_reserved_against(state, task.seat)
    return tuple(TakeDie(pips) for pips in SPACES if pips in state.dice and pips != reserved)


def perform_die(_: State, task: DieChoice, action: TakeDie) -> tuple[Effect, ...]:
    """Take the die and start resolving its space."""
    return plan_tasks(task.seat, *resolution_tasks(task.seat, action.pips, "chosen")), DieTaken(task.seat, action.pips)


def resolution_tasks(seat: Seat, pips: int, source: str) -> tuple[AnyTask, ...]:
    """Return the tasks that resolve a die, followed by a window (LG-2.1.1)."""
    return DieResolution(seat, pips=pips, source=source), DieWindow(seat)


def has_window(task: DieResolution) -> bool:
    """Return whether any-time actions are open; not during a helper's effect (LG-10.4)."""
    return task.source not in HELPER_SOURCES and not task.porter


def legal_resolution(state: State, task: DieResolution) -> tuple[Action, ...]:
    """Return `Decline` (LG-4.4, LG-13.18) and the remaining options that would have an effect."""
    options = open_options(state, task.seat, task.pips)
    return Decline(), *(TakeOption(option) for option in options if option not in task.taken)


def perform_resolution(state: State, task: DieResolution, action: Decline | TakeOption) -> tuple[Effect, ...]:
    """Take an option, then the Porter's further options, then end the die; or decline the rest.

    If nothing was taken the space counts as not resolved, so that no helper reacts (LG-13.33).
    """
    seat, end = task.seat, DieEnd(task.seat, task.pips, task.source)
    if isinstance(action, Decline):
        return (plan_tasks(seat, *((end,) if task.taken else ())),)
    gains = _option_tasks(state, task, action.option)
    if task.picks > 1:
        next_pick = replace(task, picks=task.picks - 1, taken=(*task.taken, action.option))
        return (plan_tasks(seat, *gains, next_pick),)
    return (plan_tasks(seat, *gains, end),)


def _option_tasks(state: State, task: DieResolution, option: str) -> tuple[AnyTask, ...]:
    """Return the tasks of an option of a revenue space (LG-4.5 to LG-4.10)."""
    seat = task.seat
    match option:
        case "pig_1":
            return (gain(seat, "pig", 1, "die"),)
        case "play_card":
            return (CardChoice(seat, may_draw=False),)
        case "draw_card":
            return draw_tasks(state, seat)
        case "crop_any":
            return (GoodChoice(seat, CROPS, 1, "die"),)
        case "two_different_crops":
            return (GoodChoice(seat, CROPS, adjust(state, seat, Number.SPACE_CROPS, 2, task.pips), "die"),)
        case "silver_4":
            return (gain(seat, "silver", 4, "die"),)
        case "silver_2":
            return (gain(seat, "silver", 2, "die"),)
        case "upgrade_2":
            return (UpgradeChoice(seat, 2),)
        case "upgrade_1_siesta_1":
            return UpgradeChoice(seat, 1), Advance(seat, 1)
        case "siesta_2":
            return (Advance(seat, 2),)
        case "delivery_1":
            return (DeliveryChoice(seat),)
        case _:
            raise AssertionError(f"no revenue space has an option {option}")


def run_end(_: State, task: DieEnd) -> tuple[Effect, ...]:
    """Report the space as resolved."""
    return plan_tasks(task.seat), DieResolved(task.seat, task.pips, task.source)


def legal_window(_state: State, _task: DieWindow) -> tuple[Action, ...]:
    """Return `Pass`, which closes the window."""
    return (Pass(),)


def close_window(_: State, task: DieWindow, _action: Pass) -> tuple[Effect, ...]:
    """Close the window."""
    return (plan_tasks(task.seat),)
