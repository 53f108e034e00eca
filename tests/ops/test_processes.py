"""Work in several processes: in any order, each piece once, and a process that dies costs no other piece."""

import multiprocessing
import os
import signal
from collections.abc import Callable
from functools import partial

import pytest

from ops.console import WrongUsage
from ops.processes import PROCESSES_MAX, Died, in_processes, processes_asked


def squares(deadly: frozenset[int]) -> Callable[[int], tuple[int, int]]:
    """Work that kills its process over some numbers."""

    def square(number: int) -> tuple[int, int]:
        if number in deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        return number * number, os.getpid()

    return square


def leaving() -> Callable[[int], int]:
    """Work that ends its process in an orderly way, without an answer."""
    return os._exit


@pytest.mark.parametrize("count", [1, 2, 5])
def test_every_piece_is_done_once(count: int) -> None:
    found = dict(in_processes(partial(squares, frozenset()), range(10, 20), count))

    done = {place: answer for place, answer in found.items() if not isinstance(answer, Died)}
    assert {place: square for place, (square, _) in done.items()} == {n: (n + 10) ** 2 for n in range(10)}
    processes = {process for _, process in done.values()}
    assert len(processes) <= count
    assert os.getpid() not in processes
    assert multiprocessing.active_children() == []


def test_nothing_to_do_takes_no_process() -> None:
    assert list(in_processes(partial(squares, frozenset()), [], 3)) == []


def test_a_process_that_is_killed_costs_its_own_piece_alone() -> None:
    deadly = frozenset({0, 3, 9})

    found = dict(in_processes(partial(squares, deadly), range(10), 2))

    assert {place for place, answer in found.items() if answer == Died(-signal.SIGKILL)} == deadly
    squared = {answer[0] for answer in found.values() if not isinstance(answer, Died)}
    assert squared == {1, 4, 16, 25, 36, 49, 64}
    assert str(found[3]) == "its process was ended by SIGKILL"
    assert multiprocessing.active_children() == []


def test_a_process_that_leaves_is_said_to_have_left() -> None:
    assert [str(answer) for _, answer in in_processes(leaving, [7], 1)] == ["its process ended with the status 7"]


def test_whoever_breaks_off_leaves_no_process_behind() -> None:
    heard, answers = signal.getsignal(signal.SIGINT), in_processes(partial(squares, frozenset()), range(100), 2)
    next(answers)
    assert len(multiprocessing.active_children()) == 2

    with pytest.raises(KeyboardInterrupt):
        answers.throw(KeyboardInterrupt())

    assert multiprocessing.active_children() == []
    assert signal.getsignal(signal.SIGINT) is heard


@pytest.mark.parametrize("count", [0, -1, PROCESSES_MAX + 1])
def test_a_number_of_processes_that_cannot_be_is_named(count: int) -> None:
    with pytest.raises(WrongUsage, match=f"--jobs takes a number from 1 to {PROCESSES_MAX}, not {count}"):
        processes_asked(count)
