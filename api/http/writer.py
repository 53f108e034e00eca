"""Threads for the log and the read models: one writer, several readers, and several for long computations.

The writer stores queued commands in groups, one transaction each (`domain/eventstore/group_commit.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Concatenate, Final, ParamSpec, TypeVar
from uuid import UUID

from api.http.commit_queue import CommitQueue
from api.http.import_queue import ImportQueue
from api.http.notifier import Notifier
from api.http.stored_flag import HAS_STORED
from api.http.threads import ContextThreads
from domain.eventstore.appends import APPENDS, Appends
from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch, Composed
from domain.eventstore.retry import CONFLICTS_MAX, LostRace, StoreUnavailable
from projections.platform.clock import now
from projections.platform.store import ReadStore

P = ParamSpec("P")
R = TypeVar("R")

Composition = Callable[[Batch], R]
"""A function that composes a transaction."""

READER_THREADS: Final = 4
COMPUTATION_THREADS: Final = 2


class OneWriter:
    """One writer thread for changes and several for reads, so that the event loop never waits for the disk.

    The threads keep the caller's context, including the language.
    """

    def __init__(self, matches: Matches, reads: ReadStore, notifier: Notifier) -> None:
        self.matches = matches
        self.reads = reads
        self.notifier: Final = notifier
        self._writer = CommitQueue(matches, notifier.notify_queued)
        self.readers: Final = ContextThreads(READER_THREADS, "reader")
        self._examiners = ContextThreads(COMPUTATION_THREADS, "examiner")
        self.meter: Final = self._writer.meter
        self.imports: Final = ImportQueue()

    def close(self) -> None:
        """Finish queued work and stop all threads."""
        self._writer.close()
        self.readers.shutdown()
        self._examiners.shutdown()

    async def execute(self, command: Callable[Concatenate[Matches, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run a command on the writer thread and notify subscribers of its appends.

        A command about one match takes the id first; if the match is not in memory, a reader thread folds it first.
        """
        lines = self.matches.lines
        match_id = args[0] if args and isinstance(args[0], UUID) else None
        if match_id is not None and not lines.is_cached(match_id):
            await asyncio.get_running_loop().run_in_executor(self.readers, lines.warm, match_id)
        with recording_appends():
            result: R = await self._writer.send(
                name_of(command), lambda matches: command(matches, *args, **kwargs), match_id
            )
        return result

    async def read_model(self, query: Callable[Concatenate[ReadStore, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Query the read models on a reader thread."""
        run = partial(query, self.reads, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self.readers, run)

    async def compute(self, work: Callable[Concatenate[Matches, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run a long computation, such as an audit, on separate threads, so that it delays no commands or queries.

        It must not change anything; the writer stores its results.
        """
        run = partial(work, self.matches, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._examiners, run)

    async def execute_composed(
        self, plan: Callable[Concatenate[Matches, P], Composition[R]], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Run a slow command: compose it on another thread and store it, or compose again after a conflict.

        After `CONFLICTS_MAX` conflicts, an assertion fails.
        """
        name = name_of(plan)

        def compose(matches: Matches) -> Composed[R]:
            return matches.compose(plan(matches, *args, **kwargs), at=now())

        conflicts = 0
        while True:
            composed = await self.compute(compose)
            try:
                with recording_appends():
                    result: R = await self._writer.send(name, lambda matches: matches.commit(composed))  # noqa: B023
                return result
            except LostRace:
                conflicts += 1
                assert conflicts < CONFLICTS_MAX, f"lost {CONFLICTS_MAX} races in a row"

    async def read_log(self, query: Callable[Concatenate[Matches, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Query the log on a reader thread; a query about one match takes the id first."""
        run = partial(query, self.matches, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self.readers, run)


@contextmanager
def recording_appends() -> Iterator[None]:
    """Set `HAS_STORED` if the command in the block appended anything, even if it was rejected afterwards.

    Not if the store was unavailable or a conflict was lost.
    """
    appends = Appends()
    token = APPENDS.set(appends)
    is_stored = True
    try:
        yield
    except (*StoreUnavailable, LostRace):
        is_stored = False
        raise
    finally:
        APPENDS.reset(token)
        if is_stored and appends.count:
            HAS_STORED.set(True)


def name_of(command: Callable[..., Any]) -> str:
    """Return the name of a command for metrics: its function, or the function that encloses it."""
    return f"{command.__module__}.{command.__qualname__.partition('.<locals>')[0]}"
