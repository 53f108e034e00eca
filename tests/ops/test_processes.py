"""The process pool: every item once in any order, and a crash loses only its item."""

import multiprocessing
import os
import signal
from collections.abc import Callable
from functools import partial

import pytest

from ops.console import WrongUsage
from ops.processes import PROCESSES_MAX, WorkerDied, in_processes, processes_asked


def squares(deadly_numbers: frozenset[int]) -> Callable[[int], tuple[int, int]]:
    """Work that kills its process at some numbers."""

    def square(number: int) -> tuple[int, int]:
        if number in deadly_numbers:
            os.kill(os.getpid(), signal.SIGKILL)
        return number * number, os.getpid()

    return square


def leaving() -> Callable[[int], int]:
    """Work that exits its process without a result."""
    return os._exit


@pytest.mark.parametrize("count", [1, 2, 5])
def test_every_item_is_done_once(count: int) -> None:
    results = dict(in_processes(partial(squares, frozenset()), range(10, 20), count))

    successful = {index: result for index, result in results.items() if not isinstance(result, WorkerDied)}
    assert {index: square for index, (square, _) in successful.items()} == {n: (n + 10) ** 2 for n in range(10)}
    processes = {process for _, process in successful.values()}
    assert len(processes) <= count
    assert os.getpid() not in processes
    assert multiprocessing.active_children() == []


def test_no_items_start_no_process() -> None:
    assert list(in_processes(partial(squares, frozenset()), [], 3)) == []


def test_a_killed_process_loses_only_its_item() -> None:
    deadly_numbers = frozenset({0, 3, 9})

    results = dict(in_processes(partial(squares, deadly_numbers), range(10), 2))

    assert {index for index, result in results.items() if result == WorkerDied(-signal.SIGKILL)} == deadly_numbers
    squares_found = {result[0] for result in results.values() if not isinstance(result, WorkerDied)}
    assert squares_found == {1, 4, 16, 25, 36, 49, 64}
    assert str(results[3]) == "process killed by SIGKILL"
    assert multiprocessing.active_children() == []


def test_the_exit_status_of_a_process_is_reported() -> None:
    assert [str(result) for _, result in in_processes(leaving, [7], 1)] == ["process exited with status 7"]


def test_an_interruption_leaves_no_processes() -> None:
    handler, running_results = (
        signal.getsignal(signal.SIGINT),
        in_processes(partial(squares, frozenset()), range(100), 2),
    )
    next(running_results)
    assert len(multiprocessing.active_children()) == 2

    with pytest.raises(KeyboardInterrupt):
        running_results.throw(KeyboardInterrupt())

    assert multiprocessing.active_children() == []
    assert signal.getsignal(signal.SIGINT) is handler


@pytest.mark.parametrize("count", [0, -1, PROCESSES_MAX + 1])
def test_an_invalid_number_of_processes_is_named(count: int) -> None:
    with pytest.raises(WrongUsage, match=f"invalid --jobs {count}: expected a number from 1 to {PROCESSES_MAX}"):
        processes_asked(count)
