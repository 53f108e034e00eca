"""Folding ranges of the log in several processes, each with its own connection."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

from ops.console import Finding
from ops.players import FindPlayers
from ops.processes import WorkerDied, in_processes
from ops.stores import open_matches, settings_for
from projections.range_folding import FoldedRange, Task, fold_range
from projections.ranges import WholeLog
from projections.rebuild import FoldAll

ATTEMPTS_MAX: Final = 3
"""Attempts per range before its failure is final."""
ENTRIES_ALONE: Final = 20_000
"""Entries that are folded before other processes have started."""

Fold = Callable[[Task], FoldedRange]


class Folding:
    """A log that is open while a process folds it."""

    def __init__(self, log: WholeLog, resources: ExitStack) -> None:
        self._log = log
        self._resources = resources

    def __call__(self, task: Task) -> FoldedRange:
        """Fold a range."""
        return fold_range(task, self._log)


def folding(data: Path | None, find_players: FindPlayers) -> Fold:
    """Return the function that a process runs on ranges; it opens the log for reading once and never closes it."""
    resources, titles = ExitStack(), find_players().titles
    return Folding(resources.enter_context(open_matches(settings_for(data, titles), titles, to_write=False)), resources)


def in_several(make_fold: Callable[[], Fold], jobs: int, tasks: Sequence[Task]) -> Iterable[FoldedRange]:
    """Fold ranges in several processes and yield them in any order; a range whose process died is folded again.

    Raises `Finding` if ranges are left after `ATTEMPTS_MAX` attempts.
    """
    remaining, last = list(tasks), WorkerDied(None)
    for _ in range(ATTEMPTS_MAX):
        failed = list[Task]()
        for index, result in in_processes(make_fold, remaining, jobs):
            if isinstance(result, WorkerDied):
                failed.append(remaining[index])
                last = result
            else:
                yield result
        remaining = failed
        if not remaining:
            return
    raise Finding(f"cannot replay {len(remaining)} of {len(tasks)} ranges of the log: {last}")


def fold_with(data: Path | None, find_players: FindPlayers, jobs: int, entries: int) -> FoldAll | None:
    """Return the function that folds a log in `jobs` processes.

    None for one job or fewer than `ENTRIES_ALONE` entries.
    """
    if jobs == 1 or entries < ENTRIES_ALONE:
        return None
    return partial(in_several, partial(folding, data, find_players), jobs)
