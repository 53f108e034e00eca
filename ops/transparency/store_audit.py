"""`esporles audit store`: verification of the whole store against the transparency tree, parallel and resumable."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from time import monotonic, sleep
from typing import Final, NamedTuple

import msgspec

from api.transparency.audit import Auditor, Difference, TreeStart, audit_root, is_continuation, tree_start
from api.transparency.audit_progress import AuditFile, AuditProgress
from api.transparency.errors import TreeDiffers
from api.transparency.service import signer_of
from api.transparency.store import TreeStore
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.eventstore.stored_log import StoredLog
from domain.kernel.values import replace
from domain.transparency.errors import TransparencyFault
from domain.transparency.keys import Signer
from domain.transparency.tiles import WIDTH
from ops.accounts import has_people, open_people, require_tree
from ops.console import Finding
from ops.progress import Steps
from projections.platform.settings import Settings

FILE: Final = "audit.json"
"""The file in the data folder with the progress of an interrupted verification."""
TILES: Final = 8
"""Tiles per piece of work."""
PENDING_MAX: Final = 4
SAVED_SECONDS: Final = 0.5
COVERED_SECONDS: Final = 5.0
"""Longer than the two seconds after which a running service adds new entries to the tree."""
LOOK_SECONDS: Final = 0.2


class Sources(NamedTuple):
    """The locations of log and tree."""

    log: str
    tree: Path | str


class ExaminationStart(msgspec.Struct, frozen=True):
    """The identity of a verification: its start and the tree at that time."""

    at: datetime
    size: int
    root: str


ExamineRemotely = Callable[[AuditProgress], Iterator[tuple[int, list[Difference]]]]
"""Verifies all tiles; yields the differences in order, each with the tile reached."""


class Outcome(NamedTuple):
    """A finished verification and the tile from which it resumed."""

    examination: AuditProgress
    resumed_at: int


@contextmanager
def examiner_of(sources: Sources) -> Iterator[tuple[Auditor, TreeStore]]:
    """Open an examiner of log and tree, and the tree, to read; close both after the context."""
    matches = open_store(store_env(sources.log), titles={})
    with closing(matches), closing(TreeStore(sources.tree, writable=False)) as tree:
        yield Auditor(StoredLog(matches), tree), tree


@cache
def own_examiner(sources: Sources) -> Auditor:
    """Return the examiner of a pool process, which lives as long as the process."""
    matches = open_store(store_env(sources.log), titles={})
    return Auditor(StoredLog(matches), TreeStore(sources.tree, writable=False))


def examine_tiles(sources: Sources, first: int, end: int) -> list[Difference]:
    """Return the differences in these tiles."""
    return find_differences(own_examiner(sources), first, end)


def find_differences(examiner: Auditor, first: int, end: int) -> list[Difference]:
    """Return the differences in these tiles, found by an examiner."""
    return [each for number in range(first, end) for each in examiner.tile(number) if each is not None]


def spans_of(tiles: range) -> list[tuple[int, int]]:
    """Divide tiles into pieces: the first tile of each, and the tile after its last."""
    return [(at, min(tiles.stop, at + TILES)) for at in range(tiles.start, tiles.stop, TILES)]


def tiles_of(state: AuditProgress) -> range:
    """Return the tiles of leaves of the tree at the start of the verification."""
    return range(-(-state.size // WIDTH))


def examiner_under(settings: Settings, begun: ExaminationStart) -> Callable[[int, int], list[Difference]]:
    """Return a function that verifies a range of tiles with the log and tree of this host's settings.

    Raises `Finding` if there is no tree, or it is not the one being verified.
    """
    require_tree(settings)
    sources = Sources(str(settings.log_place), settings.tree_place)
    with closing(TreeStore(sources.tree, writable=False)) as tree:
        if not is_continuation(tree, TreeStart(begun.size, begun.root)):
            raise Finding("the tree changed during the examination")
    return partial(examine_tiles, sources)


def load_service_signer(settings: Settings) -> Signer | None:
    """Return the service's signer, or None if there are no accounts, where its key is stored.

    Raises `Finding` or `WrongUsage` as `open_people`.
    """
    if not has_people(settings):
        return None
    with open_people(settings) as people:
        return signer_of(people, settings.log_origin)


def examine_store(
    settings: Settings, processes: int, step: Steps, *, is_running: bool, elsewhere: ExamineRemotely | None = None
) -> Outcome:
    """Verify the whole store, on this machine or `elsewhere`; resume an interrupted verification of the same tree.

    With `is_running` it also waits for the service to take up new entries. The progress is saved in the data folder
    until the end. Differences are returned; raises `Finding` without a readable tree.
    """
    require_tree(settings)
    sources, place = Sources(str(settings.log_place), settings.tree_place), AuditFile(settings.data / FILE)
    try:
        with examiner_of(sources) as (examiner, tree):
            known = place.load_unfinished(tree)
            if known is None:
                size, root = tree_start(tree)
            state = known or AuditProgress(begun=datetime.now(UTC), size=size, root=root)
            resumed_at = state.tiles
            if elsewhere is None:
                work = results(sources, examiner, tiles_of(state)[resumed_at:], processes)
            else:
                # Saved at once: other workers find finished pieces by the start time.
                place.save(state)
                work = (each for each in elsewhere(state) if each[0] > resumed_at)
            state = examine_leaves(work, state, place, step)
            state = state.with_found(audit_root(tree, load_service_signer(settings)))
            state = finish_examination(examiner, tree, state, is_running=is_running)
    except (TreeDiffers, TransparencyFault) as fault:
        raise Finding(f"cannot examine the tree: {fault}") from fault
    place.clear()
    return Outcome(state, resumed_at)


def examine_leaves(
    work: Iterator[tuple[int, list[Difference]]], state: AuditProgress, place: AuditFile, step: Steps
) -> AuditProgress:
    """Verify the remaining tiles; save the progress every `SAVED_SECONDS` and on interruption."""
    saved_at, whole = monotonic(), state.size // WIDTH
    try:
        for end, found in work:
            state = replace(state.with_found(found), tiles=min(end, whole))
            step(min(end * WIDTH, state.size), state.size)
            if monotonic() - saved_at > SAVED_SECONDS:
                place.save(state)
                saved_at = monotonic()
    except BaseException:
        place.save(state)
        raise
    return state


def results(
    sources: Sources, examiner: Auditor, tiles: range, processes: int
) -> Iterator[tuple[int, list[Difference]]]:
    """Yield (tile reached, differences) in order of the tiles, computed in several processes.

    One process, or a single piece of work, is computed in this process.
    """
    pieces = spans_of(tiles)
    if processes == 1 or len(pieces) <= 1:
        yield from ((end, find_differences(examiner, at, end)) for at, end in pieces)
        return
    in_progress = deque[tuple[int, Future[list[Difference]]]]()
    with ProcessPoolExecutor(processes, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        try:
            for at, end in pieces:
                in_progress.append((end, pool.submit(examine_tiles, sources, at, end)))
                if len(in_progress) >= PENDING_MAX * processes:
                    done, future = in_progress.popleft()
                    yield done, future.result()
            for done, future in in_progress:
                yield done, future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def finish_examination(examiner: Auditor, tree: TreeStore, state: AuditProgress, *, is_running: bool) -> AuditProgress:
    """Verify the tiles and entries added since the start, and the upper tiles; count what waits for the tree.

    A running service that takes up nothing for `COVERED_SECONDS` is a difference.
    """
    position = tree.position
    grown = (each for number in range(state.size // WIDTH, -(-tree.size // WIDTH)) for each in examiner.tile(number))
    parts = (grown, examiner.upper_tiles(), examiner.tail(position))
    state = state.with_found(each for part in parts for each in part if each is not None)
    given_up = monotonic() + COVERED_SECONDS
    while is_running and tree.position == position and any(True for _ in examiner.waiting(position)):
        if monotonic() > given_up:
            why = "the service is running but adds no waiting entries to the tree"
            state = state.with_found([Difference(why)])
            break
        sleep(LOOK_SECONDS)
    waiting = sum(1 for _ in examiner.waiting(tree.position))
    return replace(state, size=tree.size, finished=datetime.now(UTC), waiting=waiting)


def cores() -> int:
    """Return the number of available CPU cores."""
    return len(os.sched_getaffinity(0))


class AuditOutput(msgspec.Struct, frozen=True, rename="camel"):
    """The result as JSON."""

    good: bool
    leaves: int
    waiting: int
    differences: tuple[Difference, ...]
    count: int
    resumed_at: int
