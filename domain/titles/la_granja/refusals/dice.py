"""Reasons for revenue dice, revenue spaces and donkey tiles (LG-4, LG-5.1)."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.messages import Message
from domain.kernel.refusals import Refusal
from domain.titles.la_granja import agenda as t
from domain.titles.la_granja.agenda import AnyTask
from domain.titles.la_granja.helpers.revenue import die_reserved_against
from domain.titles.la_granja.refusals.general import is_window
from domain.titles.la_granja.state import PHASE_OF, State
from domain.titles.la_granja.tables import box_of

NOTHING_TO_UPGRADE: Final = Refusal("LG-4.9", Message("You have nothing to upgrade."))
OPTION_REASONS: Final[Mapping[str, Refusal]] = {
    "play_card": Refusal("LG-4.6", Message("You have no cards to play.")),
    "draw_card": Refusal("LG-0.10", Message("There are no cards left to draw.")),
    "upgrade_2": NOTHING_TO_UPGRADE,
    "upgrade_1_siesta_1": NOTHING_TO_UPGRADE,
    "siesta_2": Refusal("LG-5.2.2", Message("Your siesta marker is on the last space.")),
    "delivery_1": Refusal("LG-4.10", Message("You have nothing that can be delivered.")),
}
"""Reasons why an option would have no effect."""


def die(state: State, task: AnyTask, pips: str) -> Refusal | None:
    """Explain why a die cannot be taken: absent, or reserved by another player's helper (LG-4.2, LG-10.5)."""
    if isinstance(task, t.DieChoice):
        if pips == str(die_reserved_against(state, task.seat)):
            return Refusal("LG-10.5", Message("Another player's helper has reserved the last die of this space."))
        return Refusal("LG-4.2", Message("There is no die with this number left."))
    return out_of_turn(state, task)


def space(state: State, task: AnyTask, _name: str) -> Refusal | None:
    """Explain why a space cannot be chosen: dice are taken, not spaces (LG-4.2), or a shift is too large (LG-9.5)."""
    if isinstance(task, t.DieShift):
        return Refusal("LG-9.5", Message("The die cannot be changed to this number."))
    if isinstance(task, t.DieChoice):
        return Refusal("LG-4.2", Message("Take one of the dice next to the revenue spaces."))
    return out_of_turn(state, task)


def option(state: State, task: AnyTask, name: str) -> Refusal | None:
    """Explain why an option cannot be taken: no die, another space's option, or already taken (LG-4.2, LG-4.4)."""
    if isinstance(task, t.DieChoice):
        return Refusal("LG-4.2", Message("First take a die; you get what its space gives."))
    if not isinstance(task, t.DieResolution):
        return out_of_turn(state, task)
    if name not in box_of(state).revenue_spaces[task.pips].options:
        return Refusal(
            "LG-4.2", Message("Your die shows {pips}: you take what space {pips} gives.", {"pips": task.pips})
        )
    if name in task.taken:
        return Refusal("LG-4.4", Message("You have already taken this."))
    return OPTION_REASONS[name]


def out_of_turn(state: State, task: AnyTask) -> Refusal | None:
    """Explain that dice are taken in phase II, if the task is a window of another phase (LG-4.2); otherwise None."""
    if not is_window(task) or PHASE_OF[state.step] == "II":
        return None
    return Refusal("LG-4.2", Message("Dice are taken in phase II."))


def donkeys_return(state: State) -> bool:
    """Return whether used donkey tiles will come back, at the start of phase III of round 4 (LG-5.1.2)."""
    reset = box_of(state).donkey_reset_round
    return state.round < reset or (state.round == reset and PHASE_OF[state.step] in {"I", "II"})


def donkey(state: State, task: AnyTask, tile: str) -> Refusal | None:
    """Explain why a donkey tile cannot be chosen: used (LG-5.1.2), or before phase III (LG-5.1.1)."""
    if tile in map(str, state.farms[task.seat].donkeys_used):
        message = Message("You have already used this donkey tile.")
        if donkeys_return(state):
            message = Message("You have already used this donkey tile; all four come back only in round 4.")
        return Refusal("LG-5.1.2", message)
    return (
        Refusal("LG-5.1.1", Message("Donkey tiles are chosen at the beginning of phase III."))
        if is_window(task)
        else None
    )
