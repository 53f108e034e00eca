"""Threads for the log and the read models: one writer, several readers and several for long computations.

The writer takes all queued commands, stores them in one transaction and answers each
(`domain/eventstore/group_commit.py`); a single command is its own transaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any, Concatenate, Final, ParamSpec, TypeVar
from uuid import UUID

from api.http.bells import Bells
from api.http.commits import Commits
from api.http.import_queue import ImportQueue
from api.http.outcomes import HAS_STORED
from api.http.threads import ContextThreads
from domain.eventstore.appends import APPENDS, Appends
from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch, Composed
from domain.eventstore.retry import CONFLICTS_MAX, LostRace, NoStore
from projections.platform.store import ReadStore

P = ParamSpec("P")
R = TypeVar("R")

Composition = Callable[[Batch], R]
"""What composes a transaction."""

READERS: Final = 4
EXAMINERS: Final = 2


class OneWriter:
    """What changes matches goes to one thread, one after the other; what reads runs beside it. The event loop never
    waits for the disk; on the threads, too, names are said in the caller's language."""

    def __init__(self, matches: Matches, reads: ReadStore, bells: Bells) -> None:
        self.matches = matches
        self.reads = reads
        self.bells: Final = bells
        self._writer = Commits(matches, bells.ring_noted)
        self.readers: Final = ContextThreads(READERS, "reader")
        self._examiners = ContextThreads(EXAMINERS, "examiner")
        self.meter: Final = self._writer.meter
        self.imports: Final = ImportQueue()

    def close(self) -> None:
        self._writer.close()
        self.readers.shutdown()
        self._examiners.shutdown()

    async def execute(self, command: Callable[Concatenate[Matches, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """A command on the writer's thread; those who wait for what it appends are woken. A command about one match
        takes its id first: what of it is not in memory is folded beside the writer."""
        lines = self.matches.lines
        about = args[0] if args and isinstance(args[0], UUID) else None
        if about is not None and not lines.knows(about):
            await asyncio.get_running_loop().run_in_executor(self.readers, lines.warm, about)
        with noting_appends():
            done: R = await self._writer.send(
                name_of(command), lambda matches: command(matches, *args, **kwargs), about
            )
        return done

    async def read_model(self, query: Callable[Concatenate[ReadStore, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """A question to the read models."""
        run = partial(query, self.reads, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self.readers, run)

    async def examine(self, work: Callable[Concatenate[Matches, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """What may take long, as the audit of a log does: on threads of its own, so that neither a command nor a reader
        ever waits for it. It changes nothing; the writer adds what it finds."""
        run = partial(work, self.matches, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._examiners, run)

    async def execute_beside(
        self, plan: Callable[Concatenate[Matches, P], Composition[R]], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """A command that takes some thought: composed beside the writer, who stores it if nothing came between; else
        it is composed again."""
        name = name_of(plan)

        def think(matches: Matches) -> Composed[R]:
            return matches.compose(plan(matches, *args, **kwargs), at=datetime.now(UTC))

        conflicts = 0
        while True:
            composed = await self.examine(think)
            try:
                with noting_appends():
                    done: R = await self._writer.send(name, lambda matches: matches.commit(composed))  # noqa: B023
                return done
            except LostRace:
                conflicts += 1
                assert conflicts < CONFLICTS_MAX, f"lost {CONFLICTS_MAX} races in a row"

    async def read_log(self, query: Callable[Concatenate[Matches, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """A question to the log, beside the writer; a question about one match takes its id first."""
        run = partial(query, self.matches, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self.readers, run)


@contextmanager
def noting_appends() -> Iterator[None]:
    """Set `HAS_STORED` if the command sent in the block appended anything, also if it was refused afterwards."""
    appends = Appends()
    token = APPENDS.set(appends)
    is_stored = True
    try:
        yield
    except (*NoStore, LostRace):
        is_stored = False
        raise
    finally:
        APPENDS.reset(token)
        if is_stored and appends.count:
            HAS_STORED.set(True)


def name_of(command: Callable[..., Any]) -> str:
    """What a command is called where the operator measures: the function, or the one that it was made in."""
    return f"{command.__module__}.{command.__qualname__.partition('.<locals>')[0]}"
