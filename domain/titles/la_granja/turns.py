"""Active tasks and the seats that must act."""

from domain.kernel.rules import Seat
from domain.titles.la_granja.agenda import AnyTask
from domain.titles.la_granja.state import State


def active(state: State) -> tuple[AnyTask, ...]:
    """Return the last task or, while donkey tiles are chosen, the last task of each seat (LG-0.12)."""
    agenda = state.agenda
    if state.step != "donkeys" or not agenda:
        return agenda[-1:]
    return tuple({task.seat: task for task in agenda}.values())


def task_of(state: State, seat: Seat) -> AnyTask | None:
    """Return the seat's active task, or None."""
    for task in active(state):
        if task.seat == seat:
            return task
    return None


def seats_to_act(state: State) -> tuple[Seat, ...]:
    """Return the seats of the active tasks, sorted; empty after the end."""
    tasks = active(state)
    return (tasks[0].seat,) if len(tasks) == 1 else tuple(sorted(task.seat for task in tasks))


def is_alone(state: State) -> bool:
    """Return whether no other seat acts at the same time; False only in step III.1.

    Deliveries, stalls and drawn cards would otherwise depend on who acts first (LG-2.1.1).
    """
    return state.step != "donkeys"
