"""Read models rebuilt by several processes have the same rows, even if processes are killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from ops.console import Finding
from ops.rebuilding import Fold, fold_with, in_several
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.platform.database import Row
from projections.platform.store import ReadStore
from projections.range_folding import FoldedRange, Task, fold_range
from projections.rebuild import SCRATCH, rebuild
from tests.domain.eventstore.postgres import fresh_database, postgres_server
from tests.projections.tables import TITLES, matches_in, open_started_match, play_match

NAMES = sorted(PROJECTIONS)
MATCHES = 3
"""More than there are processes; each match is a range."""


def folding(log_place: str) -> Fold:
    return partial(fold_range, log=open_store(store_env(log_place), titles=TITLES))


def fatal_once(log_place: str, marker_folder: Path) -> Fold:
    """Work that kills its process at every second range the first time."""
    fold = folding(log_place)

    def fold_or_die(task: Task) -> FoldedRange:
        marker = marker_folder / str(task.number)
        if task.number % 2 and not marker.exists():
            marker.touch()
            task.file.write_bytes(b"half of it")
            os.kill(os.getpid(), signal.SIGKILL)
        return fold(task)

    return fold_or_die


def fatal(_log_place: str) -> Fold:
    def die(_: Task) -> FoldedRange:
        os._exit(3)

    return die


def several_matches(log_place: str) -> None:
    with matches_in(log_place) as matches:
        for number in range(1, MATCHES + 1):
            play_match(matches, open_started_match(matches, number, ("anna", "bela")), 10 * number)


def rows(store: ReadStore) -> dict[str, list[Row]]:
    tables = [table for projection in PROJECTIONS.values() for table in projection.TABLES]
    return {table: sorted(store.rows(f"SELECT * FROM {table}"), key=repr) for table in tables}


def project_log(log_place: str, reads: str) -> dict[str, list[Row]]:
    with matches_in(log_place) as matches:
        store = ReadStore(reads)
        FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()
        projected = rows(store)
        store.close()
    return projected


def rebuilt(log_place: str, reads: str, make: Callable[[], Fold]) -> dict[str, list[Row]]:
    with matches_in(log_place) as matches:
        store = ReadStore(reads)
        rebuild(NAMES, matches, store, fold_all=partial(in_several, make, 2), entries=1)
        rebuilt_rows = rows(store)
        store.close()
    return rebuilt_rows


@pytest.mark.walk
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_several_processes_give_the_rows_of_following_despite_a_kill(tmp_path: Path, kind: str) -> None:
    if kind == "sqlite":
        stores = [str(tmp_path / name) for name in ("log.db", "a.db", "b.db", "c.db")]
        hold(tmp_path, stores)
        return
    with postgres_server() as server:
        hold(tmp_path, [fresh_database(server, name) for name in ("log", "a", "b", "c")])


def hold(tmp_path: Path, stores: list[str]) -> None:
    log, *reads = stores
    several_matches(log)
    expected = project_log(log, reads[0])

    assert rebuilt(log, reads[1], partial(folding, log)) == expected
    (tmp_path / "marks").mkdir()
    assert rebuilt(log, reads[2], partial(fatal_once, log, tmp_path / "marks")) == expected
    assert list((tmp_path / "marks").iterdir())


@pytest.mark.walk
def test_a_range_that_kills_every_process_is_reported(tmp_path: Path) -> None:
    log = str(tmp_path / "log.db")
    several_matches(log)

    with pytest.raises(Finding, match=f"cannot replay {MATCHES} of {MATCHES} ranges of the log: process "):
        rebuilt(log, str(tmp_path / "reads.db"), partial(fatal, log))


def dying_rebuild(folder: Path) -> None:
    """Run a rebuild that is killed after two ranges."""

    def die(range_count: int) -> None:
        finished.append(range_count)
        if len(finished) == 2:
            os.kill(os.getpid(), signal.SIGKILL)

    finished = list[int]()
    with matches_in(folder / "log.db") as matches:
        rebuild(NAMES, matches, ReadStore(folder / "reads.db"), die, entries=1, folder=folder)


def test_a_killed_rebuild_keeps_the_old_rows_and_the_next_one_cleans_up(tmp_path: Path) -> None:
    several_matches(str(tmp_path / "log.db"))
    expected = project_log(str(tmp_path / "log.db"), str(tmp_path / "reads.db"))
    dying: Any = multiprocessing.get_context("spawn").Process(target=dying_rebuild, args=(tmp_path,))
    dying.start()
    dying.join()
    assert dying.exitcode == -signal.SIGKILL
    store = ReadStore(tmp_path / "reads.db")
    assert rows(store) == expected
    assert list(tmp_path.glob(f"{SCRATCH}*"))

    with matches_in(tmp_path / "log.db") as matches:
        rebuild(NAMES, matches, store, entries=1, folder=tmp_path)

    assert rows(store) == expected
    assert store.least_offsets().keys() == set(NAMES)
    assert not list(tmp_path.glob(f"{SCRATCH}*"))
    store.close()


def test_a_short_log_starts_no_other_process() -> None:
    assert fold_with(None, lambda: pytest.fail("nobody is asked"), 2, 100) is None
    assert fold_with(None, lambda: pytest.fail("nobody is asked"), 1, 1_000_000) is None
    assert fold_with(None, lambda: pytest.fail("nobody is asked"), 2, 1_000_000) is not None
