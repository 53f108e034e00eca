"""A flag that signals set to stop a process."""

from __future__ import annotations

import queue
import signal
from contextlib import suppress
from types import FrameType


class StopFlag:
    """A flag that a signal handler may set while the interrupted thread waits for it.

    `threading.Event` does not allow that: its lock is not reentrant, so a signal that arrives while the main thread
    holds it blocks the process forever. `queue.SimpleQueue.put` is reentrant (documentation of the module `queue`).
    """

    def __init__(self) -> None:
        self._is_set = False
        self._wakes: queue.SimpleQueue[None] = queue.SimpleQueue()

    def is_set(self) -> bool:
        """Return whether the process is to stop."""
        return self._is_set

    def set(self) -> None:
        """Set the flag and wake one waiting thread."""
        self._is_set = True
        self._wakes.put(None)

    def wait(self, seconds: float) -> bool:
        """Wait until the flag is set or this time has passed; return whether it is set."""
        if not self._is_set:
            with suppress(queue.Empty):
                self._wakes.get(timeout=seconds)
        return self._is_set


def stop_on_signals(stopping: StopFlag) -> None:
    """Set the flag on SIGTERM and SIGINT."""

    def stop(_: int, __: FrameType | None) -> None:
        stopping.set()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
