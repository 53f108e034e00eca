"""The siesta track (LG-5.2, LG-4.11)."""

from domain.kernel.rules import Seat
from domain.titles.la_granja.agenda import Advance, DonkeyAdvance
from domain.titles.la_granja.effects import Effect, MomentReached, SiestaAdvanced, plan_tasks
from domain.titles.la_granja.holdings import siesta_space
from domain.titles.la_granja.state import State
from domain.titles.la_granja.tables import box_of


def run_advance(state: State, task: Advance) -> tuple[Effect, ...]:
    """Advance the marker, at most to the last space, and put it on top of the stack there.

    A marker that does not move keeps its place (LG-13.7, LG-13.8).
    """
    space = siesta_space(state, task.seat)
    arrival = min(box_of(state).siesta.last, space + task.steps)
    if arrival == space:
        return (plan_tasks(task.seat),)
    return plan_tasks(task.seat), SiestaAdvanced(task.seat, arrival)


def run_donkey_advance(state: State, task: DonkeyAdvance) -> tuple[Effect, ...]:
    """Advance by the hats of the donkey tile plus the steps of a flipped Wainwright (LG-5.2.1)."""
    steps = box_of(state).donkey_tiles[state.farms[task.seat].donkey].hats + wainwright_bonus(state, task.seat)[0]
    return plan_tasks(task.seat, Advance(task.seat, steps)), MomentReached(task.seat, "advancing", steps)


def wainwright_bonus(state: State, seat: Seat) -> tuple[int, int]:
    """Return the siesta steps and free deliveries that flipped Wainwright markers add (LG-5.2.1, LG-5.3.1)."""
    bonuses = [box_of(state).buildings[craft.building].permanent for craft in state.farms[seat].crafts if craft.flipped]
    return sum(bonus.siesta_steps for bonus in bonuses), sum(bonus.deliveries for bonus in bonuses)


def order_by_siesta(state: State) -> tuple[Seat, ...]:
    """Return the seats from the highest space down, within a stack from top to bottom (LG-5.2.3)."""
    return tuple(seat for stack in reversed(state.siesta) for seat in stack)
