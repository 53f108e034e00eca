"""Pieces of work done by several processes: one that dies costs the piece it had in hand and no other."""

import signal
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final, NamedTuple, TypeVar

from ops.console import WrongUsage

T = TypeVar("T")
R = TypeVar("R")

PROCESSES_MAX: Final = 64
SPAWNING: Final = get_context("spawn")
"""Each process loads what it needs once. Nothing is shared, so that whatever kills one leaves the others alone."""
LONG: Final = 10.0
"""Seconds a process that was told to end may take."""


class Died(NamedTuple):
    """A process ended over a piece of work; a negative status is the number of the signal that ended it."""

    status: int | None

    def __str__(self) -> str:
        if self.status is None or self.status >= 0:
            return f"its process ended with the status {self.status}"
        return f"its process was ended by {signal.Signals(-self.status).name}"


class Worker:
    """A process that does one piece of work at a time, and the one it has in hand."""

    def __init__(self, make: Callable[[], Callable[[T], R]]) -> None:
        self.line, far = SPAWNING.Pipe()
        self.place = -1
        self.process: BaseProcess = SPAWNING.Process(target=work, args=(far, make), daemon=True)
        self.process.start()
        far.close()

    def give(self, place: int, item: object) -> None:
        """The next piece of work; where the process has died already, its end is seen when it is asked."""
        self.place = place
        with suppress(OSError):
            self.line.send(item)

    def answer(self) -> Any:
        """What came of it, or `Died`."""
        try:
            return self.line.recv()
        except (EOFError, OSError):
            self.process.join(LONG)
            return Died(self.process.exitcode)

    def end(self) -> None:
        self.line.close()
        self.process.kill()
        self.process.join(LONG)


def work(line: Connection, make: Callable[[], Callable[[T], R]]) -> None:
    """The process: answers what it is asked until nobody asks any more."""
    with suppress(EOFError, OSError):
        does = make()
        while True:
            line.send(does(line.recv()))


def start(make: Callable[[], Callable[[T], R]], count: int) -> list[Worker]:
    """Processes that do not hear the keyboard: whoever breaks off ends the command, and that ends them."""
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return [Worker(make) for _ in range(count)]
    finally:
        signal.signal(signal.SIGINT, heard)


def in_processes(
    make: Callable[[], Callable[[T], R]], items: Sequence[T], count: int
) -> Generator[tuple[int, R | Died], None, None]:
    """What the work says of each item, in the order in which it is done; `make`, a function of a module or a part of
    one, makes the work in each process. An item over which a process died is not tried again."""
    waiting = iter(enumerate(items))
    workers = start(make, min(count, len(items)))
    try:
        for worker in workers:
            worker.give(*next(waiting))
        while workers:
            for line in wait([worker.line for worker in workers]):
                index, worker = next((at, each) for at, each in enumerate(workers) if each.line is line)
                answer = worker.answer()
                yield worker.place, answer
                following = next(waiting, None)
                if isinstance(answer, Died) or following is None:
                    worker.end()
                    workers[index : index + 1] = [] if following is None else start(make, 1)
                if following is not None:
                    workers[index].give(*following)
    finally:
        for worker in workers:
            worker.end()


def processes_asked(count: int) -> int:
    """`--jobs N`."""
    if not 1 <= count <= PROCESSES_MAX:
        raise WrongUsage(f"--jobs takes a number from 1 to {PROCESSES_MAX}, not {count}")
    return count
