"""A process pool in which a crash loses only the current item."""

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
"""Spawned processes share nothing, so that a crash cannot affect others."""
EXIT_SECONDS: Final = 10.0
"""Seconds to wait for a process to exit."""


class WorkerDied(NamedTuple):
    """The result of an item whose process died; a negative status is a signal number."""

    status: int | None

    def __str__(self) -> str:
        if self.status is None or self.status >= 0:
            return f"process exited with status {self.status}"
        return f"process killed by {signal.Signals(-self.status).name}"


class Worker:
    """A process that works on one item at a time, with the index of that item."""

    def __init__(self, make: Callable[[], Callable[[T], R]]) -> None:
        self.line, far = SPAWNING.Pipe()
        self.place = -1
        self.process: BaseProcess = SPAWNING.Process(target=work, args=(far, make), daemon=True)
        self.process.start()
        far.close()

    def send(self, place: int, item: object) -> None:
        """Send an item; a dead process is detected when its result is received."""
        self.place = place
        with suppress(OSError):
            self.line.send(item)

    def receive(self) -> Any:
        """Return the next result; `WorkerDied` with the exit status if the process died."""
        try:
            return self.line.recv()
        except (EOFError, OSError):
            self.process.join(EXIT_SECONDS)
            return WorkerDied(self.process.exitcode)

    def end(self) -> None:
        """Kill the process and wait for its exit, `EXIT_SECONDS` at most."""
        self.line.close()
        self.process.kill()
        self.process.join(EXIT_SECONDS)


def work(line: Connection, make: Callable[[], Callable[[T], R]]) -> None:
    """Run in the process: apply the function that `make` returns to items until the connection closes."""
    with suppress(EOFError, OSError):
        does = make()
        while True:
            line.send(does(line.recv()))


def start(make: Callable[[], Callable[[T], R]], count: int) -> list[Worker]:
    """Start processes that ignore SIGINT; the command handles it and stops them."""
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return [Worker(make) for _ in range(count)]
    finally:
        signal.signal(signal.SIGINT, heard)


def in_processes(
    make: Callable[[], Callable[[T], R]], items: Sequence[T], count: int
) -> Generator[tuple[int, R | WorkerDied], None, None]:
    """Yield (index, result) of each item in order of completion, from at most `count` processes.

    `make` creates the function in each process and must be importable. An item whose process died yields `WorkerDied`
    and is not retried; another process takes the next item.
    """
    waiting = iter(enumerate(items))
    workers = start(make, min(count, len(items)))
    try:
        for worker in workers:
            worker.send(*next(waiting))
        while workers:
            for line in wait([worker.line for worker in workers]):
                index, worker = next((at, each) for at, each in enumerate(workers) if each.line is line)
                answer = worker.receive()
                yield worker.place, answer
                following = next(waiting, None)
                if isinstance(answer, WorkerDied) or following is None:
                    worker.end()
                    workers[index : index + 1] = [] if following is None else start(make, 1)
                if following is not None:
                    workers[index].send(*following)
    finally:
        for worker in workers:
            worker.end()


def processes_asked(count: int) -> int:
    """Return the number of `--jobs`; raise `WrongUsage` unless it is from 1 to `PROCESSES_MAX`."""
    if not 1 <= count <= PROCESSES_MAX:
        raise WrongUsage(f"invalid --jobs {count}: expected a number from 1 to {PROCESSES_MAX}")
    return count
