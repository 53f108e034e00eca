"""Whose turn it is: the tasks of the agenda that count now."""

from domain.kernel.rules import Seat
from domain.titles.la_granja.agenda import AnyTask
from domain.titles.la_granja.state import State


def active(state: State) -> tuple[AnyTask, ...]:
    """The last task, or while donkeys are chosen the last one of each seat (LG-0.12)."""
    agenda = state.agenda
    if state.step != "donkeys" or not agenda:
        return agenda[-1:]
    return tuple({task.seat: task for task in agenda}.values())


def task_of(state: State, seat: Seat) -> AnyTask | None:
    """What the seat must decide now, if anything."""
    for task in active(state):
        if task.seat == seat:
            return task
    return None


def seats_to_act(state: State) -> tuple[Seat, ...]:
    """The seats of the active tasks, sorted; none when the match is over."""
    tasks = active(state)
    return (tasks[0].seat,) if len(tasks) == 1 else tuple(sorted(task.seat for task in tasks))


def is_alone(state: State) -> bool:
    """Whether the player to act is alone at turn: not in step III.1, where everybody chooses at the same time.

    What makes or brings a delivery, a stall or a drawn card would go there to whoever comes first (LG-2.1.1).
    """
    return state.step != "donkeys"
