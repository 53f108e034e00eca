"""A background thread that audits the whole store against the tree once a day, with pauses."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextvars import copy_context
from datetime import timedelta
from typing import Final

import structlog

from api.transparency.audit import Auditor, Difference, audit_root, tree_start
from api.transparency.audit_progress import AuditFile, AuditProgress
from api.transparency.errors import TreeDiffers
from api.transparency.store import TreeStore
from domain.eventstore.application import Matches
from domain.eventstore.stored_log import StoredLog
from domain.kernel.values import replace
from domain.transparency.errors import TransparencyFault
from domain.transparency.keys import Signer
from domain.transparency.tiles import WIDTH
from domain.transparency.vrf import VrfKey
from projections.platform.backoff import Backoff, Failures
from projections.platform.clock import now
from projections.platform.settings import Settings

FILE: Final = "examined.json"
AUDIT_INTERVAL: Final = timedelta(days=1)
LOOK_SECONDS: Final = 60.0
"""Seconds between checks whether an audit is due."""
REST_SECONDS: Final = 0.02
"""Pause after each batch of leaves, ten times as long as the batch. A million leaves take a quarter of an hour."""
TILES_PER_SAVE: Final = 40
"""Maximum number of tiles that are repeated after a kill."""
DIFFERENCES_LOGGED_MAX: Final = 20
RETRIES: Final = Backoff(1.0, 600.0)

log = structlog.get_logger("transparency")


class AuditThread:
    """The audit thread; it works in the process that leads the tree (`is_leader`). Other processes read the result."""

    def __init__(
        self,
        matches: Matches,
        settings: Settings,
        signer: Signer,
        is_leader: Callable[[], bool],
        vrf: VrfKey | None = None,
        others: Callable[[], Iterator[Difference | None]] = lambda: iter(()),
    ) -> None:
        """Start the thread; `others` yields differences outside the log at the end of each audit."""
        self._rows = StoredLog(matches)
        self._others = others
        self._tree_place = settings.tree_place
        self._signer = signer
        self._vrf = vrf
        self._is_leader = is_leader
        self._file = AuditFile(settings.data / FILE)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=copy_context().run, args=(self._run,), name="examining", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the thread; its progress is saved."""
        self._stopping.set()
        self._thread.join()

    @property
    def last(self) -> AuditProgress | None:
        """The latest audit, possibly still running."""
        return self._file.load()

    def _run(self) -> None:
        """Audit whenever it is due and this process leads, until stopped; failures are logged and retried."""
        failures = Failures(RETRIES)
        while not self._stopping.is_set():
            seconds = LOOK_SECONDS
            try:
                if self._is_leader() and self._is_due():
                    self._audit()
            except (TreeDiffers, TransparencyFault) as error:
                log.error("cannot verify the tree", reason=str(error))
            except Exception:
                log.exception("cannot verify the store")
                seconds = failures.fail()
            self._stopping.wait(seconds)

    def _is_due(self) -> bool:
        last = self.last
        return last is None or last.finished is None or now() - last.begun >= AUDIT_INTERVAL

    def _audit(self) -> None:
        """Audit the tree, save the result, and log the first `DIFFERENCES_LOGGED_MAX` differences."""
        tree = TreeStore(self._tree_place, writable=False)
        try:
            found = self._audit_all(tree)
        finally:
            tree.close()
        if found is None:
            return
        self._file.save(found)
        for difference in found.differences[:DIFFERENCES_LOGGED_MAX]:
            log.error("differs from the signed tree", what=str(difference))
        if found.count:
            log.error("the store differs from the signed tree", differences=found.count)

    def _audit_all(self, tree: TreeStore) -> AuditProgress | None:
        """Audit to the end, from where an interrupted audit stopped, saving now and then; None if the service stops."""
        auditor, progress = Auditor(self._rows, tree, self._vrf), self._file.load_unfinished(tree)
        if progress is None:
            size, root = tree_start(tree)
            progress = AuditProgress(begun=now(), size=size, root=root)
        state, number = progress, progress.tiles
        while number * WIDTH < tree.size:
            found = self._collect(auditor.tile(number))
            if found is None:
                self._file.save(state)
                return None
            number += 1
            state = replace(state.with_found(found), tiles=min(number, tree.size // WIDTH))
            if number % TILES_PER_SAVE == 0:
                self._file.save(state)
        position = tree.position
        last_parts = (auditor.upper_tiles(), auditor.tail(position), self._others())
        last_differences = [self._collect(part) for part in last_parts]
        if None in last_differences:
            self._file.save(state)
            return None
        state = state.with_found(
            [*audit_root(tree, self._signer), *(each for part in last_differences for each in part or ())]
        )
        waiting_count = sum(1 for _ in auditor.waiting(position))
        return replace(state, size=tree.size, finished=now(), waiting=waiting_count)

    def _collect(self, findings: Iterator[Difference | None]) -> list[Difference] | None:
        """Return the differences, pausing at every None; None if the service stops."""
        found = list[Difference]()
        for each in findings:
            if each is not None:
                found.append(each)
            elif self._stopping.wait(REST_SECONDS):
                return None
        return found
