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
from typing import Final, NamedTuple, TypeVar

import msgspec

from api.accounts.people import People
from api.transparency.audit import Auditor, Difference, TreeStart, audit_root, is_continuation, tree_start
from api.transparency.audit_progress import AuditFile, AuditProgress
from api.transparency.errors import TreeDiffers
from api.transparency.labels import vrf_key_of
from api.transparency.log_keys import secrets_of, signer_of
from api.transparency.names import audit_names
from api.transparency.store import TreeStore
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.eventstore.stored_log import StoredLog
from domain.kernel.values import replace
from domain.transparency.errors import TransparencyFault
from domain.transparency.keys import Signer
from domain.transparency.tiles import WIDTH
from domain.transparency.vrf import VrfKey
from ops.accounts import has_people, open_people, require_tree
from ops.console import Finding
from ops.progress import Steps
from projections.platform.settings import Settings

T = TypeVar("T")

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
    """The locations of log and tree, and the key of labels, if it is known."""

    log: str
    tree: Path | str
    vrf: VrfKey | None = None


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
        yield Auditor(StoredLog(matches), tree, sources.vrf), tree


@cache
def own_examiner(sources: Sources) -> Auditor:
    """Return the examiner of a pool process, which lives as long as the process."""
    matches = open_store(store_env(sources.log), titles={})
    return Auditor(StoredLog(matches), TreeStore(sources.tree, writable=False), sources.vrf)


def examine_tiles(sources: Sources, first: int, end: int) -> list[Difference]:
    """Return the differences in these tiles."""
    return find_differences(own_examiner(sources), first, end)


def find_differences(examiner: Auditor, first: int, end: int) -> list[Difference]:
    """Return the differences in these tiles, found by an examiner."""
    return [each for number in range(first, end) for each in examiner.tile(number) if each is not None]


def spans_of(tiles: range) -> list[tuple[int, int]]:
    """Divide tiles into pieces: the first tile of each, and the tile after its last."""
    return [(start, min(tiles.stop, start + TILES)) for start in range(tiles.start, tiles.stop, TILES)]


def tiles_of(state: AuditProgress) -> range:
    """Return the tiles of leaves of the tree at the start of the verification."""
    return range(-(-state.size // WIDTH))


def examiner_under(settings: Settings, start: ExaminationStart) -> Callable[[int, int], list[Difference]]:
    """Return a function that verifies a range of tiles with the log and tree of this host's settings.

    Raises `Finding` if there is no tree, or it is not the one being verified.
    """
    require_tree(settings)
    sources = sources_of(settings)
    with closing(TreeStore(sources.tree, writable=False)) as tree:
        if not is_continuation(tree, TreeStart(start.size, start.root)):
            raise Finding("the tree changed during the examination")
    return partial(examine_tiles, sources)


def sources_of(settings: Settings) -> Sources:
    """Return the locations, and the key of labels, which is among the secrets of the accounts.

    Raises `Finding` or `WrongUsage` as `open_people`.
    """
    return Sources(str(settings.log_place), settings.tree_place, with_people(settings, vrf_key_of))


def load_service_signer(settings: Settings) -> Signer | None:
    """Return the service's signer, or None if there are no accounts, where its key is stored.

    Raises `Finding` or `WrongUsage` as `open_people`.
    """
    return with_people(settings, lambda people: signer_of(secrets_of(people, settings), settings.log_origin))


def with_people(settings: Settings, read: Callable[[People], T]) -> T | None:
    """Return what `read` finds in the accounts, or None if there are none."""
    if not has_people(settings):
        return None
    with open_people(settings) as people:
        return read(people)


def examine_store(
    settings: Settings,
    processes: int,
    step: Steps,
    *,
    is_running: bool,
    examine_remotely: ExamineRemotely | None = None,
) -> Outcome:
    """Verify the whole store, on this machine or with `examine_remotely`; resume an interrupted verification.

    With `is_running` it also waits for the service to take up new entries. The progress is saved in the data folder
    until the end. Differences are returned; raises `Finding` without a readable tree.
    """
    require_tree(settings)
    sources, audit_file = sources_of(settings), AuditFile(settings.data / FILE)
    try:
        with examiner_of(sources) as (examiner, tree):
            unfinished = audit_file.load_unfinished(tree)
            if unfinished is None:
                size, root = tree_start(tree)
            state = unfinished or AuditProgress(begun=datetime.now(UTC), size=size, root=root)
            resumed_at = state.tiles
            if examine_remotely is None:
                results_in_order = results(sources, examiner, tiles_of(state)[resumed_at:], processes)
            else:
                # Saved at once: other workers find finished pieces by the start time.
                audit_file.save(state)
                results_in_order = (each for each in examine_remotely(state) if each[0] > resumed_at)
            state = examine_leaves(results_in_order, state, audit_file, step)
            state = state.with_found(audit_root(tree, load_service_signer(settings)))
            state = state.with_found(examine_names(settings, sources))
            state = finish_examination(examiner, tree, state, is_running=is_running)
    except (TreeDiffers, TransparencyFault) as fault:
        raise Finding(f"cannot examine the tree: {fault}") from fault
    audit_file.clear()
    return Outcome(state, resumed_at)


def examine_names(settings: Settings, sources: Sources) -> list[Difference]:
    """Return the accounts whose names differ from the commitments in the log; none without accounts."""
    with closing(open_store(store_env(sources.log), titles={})) as matches:
        return with_people(settings, lambda people: list(filter(None, audit_names(people, matches)))) or []


def examine_leaves(
    results_in_order: Iterator[tuple[int, list[Difference]]], state: AuditProgress, audit_file: AuditFile, step: Steps
) -> AuditProgress:
    """Verify the remaining tiles; save the progress every `SAVED_SECONDS` and on interruption."""
    saved_at, tile_count = monotonic(), state.size // WIDTH
    try:
        for end, differences in results_in_order:
            state = replace(state.with_found(differences), tiles=min(end, tile_count))
            step(min(end * WIDTH, state.size), state.size)
            if monotonic() - saved_at > SAVED_SECONDS:
                audit_file.save(state)
                saved_at = monotonic()
    except BaseException:
        audit_file.save(state)
        raise
    return state


def results(
    sources: Sources, examiner: Auditor, tiles: range, processes: int
) -> Iterator[tuple[int, list[Difference]]]:
    """Yield (tile reached, differences) in order of the tiles, computed in several processes.

    One process, or a single piece of work, is computed in this process.
    """
    spans = spans_of(tiles)
    if processes == 1 or len(spans) <= 1:
        yield from ((end, find_differences(examiner, start, end)) for start, end in spans)
        return
    in_progress = deque[tuple[int, Future[list[Difference]]]]()
    with ProcessPoolExecutor(processes, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        try:
            for start, end in spans:
                in_progress.append((end, pool.submit(examine_tiles, sources, start, end)))
                if len(in_progress) >= PENDING_MAX * processes:
                    completed, future = in_progress.popleft()
                    yield completed, future.result()
            for completed, future in in_progress:
                yield completed, future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def finish_examination(examiner: Auditor, tree: TreeStore, state: AuditProgress, *, is_running: bool) -> AuditProgress:
    """Verify the tiles and entries added since the start, and the upper tiles; count what waits for the tree.

    A running service that takes up nothing for `COVERED_SECONDS` is a difference.
    """
    position = tree.position
    new_tiles = (
        each for number in range(state.size // WIDTH, -(-tree.size // WIDTH)) for each in examiner.tile(number)
    )
    parts = (new_tiles, examiner.upper_tiles(), examiner.tail(position))
    state = state.with_found(each for part in parts for each in part if each is not None)
    deadline = monotonic() + COVERED_SECONDS
    while is_running and tree.position == position and any(True for _ in examiner.waiting(position)):
        if monotonic() > deadline:
            why = "the service is running but adds no waiting entries to the tree"
            state = state.with_found([Difference(why)])
            break
        sleep(LOOK_SECONDS)
    waiting_count = sum(1 for _ in examiner.waiting(tree.position))
    return replace(state, size=tree.size, finished=datetime.now(UTC), waiting=waiting_count)


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
