"""The load during faults, on a separate thread."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from ops.dev.faulting.machine import NotAllowed, NotRecovered, wait_until
from ops.dev.load.client import NoResponse
from ops.dev.load.journal import Journal
from ops.dev.load.running import LoadRun, Plan
from ops.dev.load.tables import LoadEnded

PATIENCE_SECONDS: Final = 180.0
"""Longer than any outage."""
SET_UP_SECONDS: Final = 120.0
STOP_SECONDS: Final = 30.0


class BackgroundLoad:
    """People, bots, spectators and organisers who retry until a request succeeds."""

    def __init__(self, urls: Sequence[str], plan: Plan, journal: Journal) -> None:
        self.house = LoadRun(urls, plan, journal, PATIENCE_SECONDS)
        self._sits, self._is_over = threading.Event(), threading.Event()
        self._fault: BaseException | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        """Run the load on this thread; store an exception for `require`."""

        async def run() -> None:
            self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
            await self.house.set_up()
            self._sits.set()
            await self.house.run(self._is_over.is_set)

        try:
            asyncio.run(run())
        except asyncio.CancelledError:
            self._fault = NotRecovered("the load generator was still waiting for responses")
        except BaseException as fault:  # Raised again by `require` on the thread that waits.
            self._fault = fault
            self._sits.set()

    def start(self) -> None:
        """Start the load and return when all players are seated; raise `NotRecovered` if that takes too long."""
        self._thread.start()
        if not self._sits.wait(SET_UP_SECONDS):
            raise NotRecovered("cannot set up the load")
        self.require()

    def require(self) -> None:
        """Raise `NotRecovered` if the load has ended, or re-raise its unexpected exception."""
        if isinstance(self._fault, NoResponse | LoadEnded):
            raise NotRecovered(f"the load generator stopped: {self._fault}")
        if self._fault is not None:
            raise self._fault

    @property
    def acknowledged_count(self) -> int:
        """Return the number of actions accepted so far."""
        return len(self.house.load.latencies) - self.house.load.refused

    def wait_until(self, description: str, condition: Callable[[], bool], seconds: float) -> float:
        """Wait until a condition holds under load; return the seconds, or raise `NotRecovered` if it does not."""

        def check() -> bool:
            self.require()
            return condition()

        return wait_until(description, check, seconds)

    def wait_for_progress(self, seconds: float) -> list[str]:
        """Wait for an action at every table of people; return the matches without one after `seconds`."""
        old_versions = [(table.match_id, table.version) for table in self.house.tables]

        def still() -> list[str]:
            now = [(table.match_id, table.version) for table in self.house.tables]
            return [
                match_id
                for old, (match_id, version) in zip(old_versions, now, strict=True)
                if old == (match_id, version)
            ]

        try:
            self.wait_until("all matches continue", lambda: not still(), seconds)
        except NotRecovered:
            return still()
        return []

    def finish(self, seconds: float) -> list[str]:
        """Play everything to its end; return descriptions of anything unfinished after `seconds`."""
        self.house.finish()
        try:
            self.wait_until("all matches and events end", lambda: not self.house.describe_unfinished(), seconds)
        except NotRecovered:
            return self.house.describe_unfinished()
        return []

    @contextmanager
    def stop_afterwards(self, violations: list[str]) -> Iterator[None]:
        """Stop the load after the block.

        Add `NotRecovered` and `NotAllowed` of the block and of stopping to `violations`.
        """
        try:
            yield
        except (NotRecovered, NotAllowed) as fault:
            violations.append(str(fault))
        finally:
            try:
                self.stop()
            except NotRecovered as fault:
                violations.append(str(fault))

    def stop(self) -> None:
        """Stop the load; pending requests are cancelled after `STOP_SECONDS`.

        Raises `NotRecovered` if it was faulty.
        """
        self._is_over.set()
        self._thread.join(STOP_SECONDS)
        if self._thread.is_alive() and self._loop is not None and self._task is not None:
            self._loop.call_soon_threadsafe(self._task.cancel)
            self._thread.join()
        self.require()
