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

    def __init__(self, factory: Callable[[], Callable[[T], R]]) -> None:
        self.line, worker_end = SPAWNING.Pipe()
        self.place = -1
        self.process: BaseProcess = SPAWNING.Process(target=work, args=(worker_end, factory), daemon=True)
        self.process.start()
        worker_end.close()

    def send(self, index: int, item: object) -> None:
        """Send an item; a dead process is detected when its result is received."""
        self.place = index
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


def work(connection: Connection, factory: Callable[[], Callable[[T], R]]) -> None:
    """Run in the process: apply the function that `factory` returns to items until the connection closes."""
    with suppress(EOFError, OSError):
        function = factory()
        while True:
            connection.send(function(connection.recv()))


def start(factory: Callable[[], Callable[[T], R]], count: int) -> list[Worker]:
    """Start processes that ignore SIGINT; the command handles it and stops them."""
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return [Worker(factory) for _ in range(count)]
    finally:
        signal.signal(signal.SIGINT, handler)


def in_processes(
    factory: Callable[[], Callable[[T], R]], items: Sequence[T], count: int
) -> Generator[tuple[int, R | WorkerDied], None, None]:
    """Yield (index, result) of each item in order of completion, from at most `count` processes.

    `factory` creates the function in each process and must be importable. An item whose process died yields
    `WorkerDied` and is not retried; another process takes the next item.
    """
    pending = iter(enumerate(items))
    workers = start(factory, min(count, len(items)))
    try:
        for worker in workers:
            worker.send(*next(pending))
        while workers:
            for connection in wait([worker.line for worker in workers]):
                index, worker = next(
                    (position, each) for position, each in enumerate(workers) if each.line is connection
                )
                result = worker.receive()
                yield worker.place, result
                following = next(pending, None)
                if isinstance(result, WorkerDied) or following is None:
                    worker.end()
                    workers[index : index + 1] = [] if following is None else start(factory, 1)
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
