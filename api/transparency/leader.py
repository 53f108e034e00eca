"""The thread that appends the log to the transparency tree and publishes checkpoints.

A tree has one keeper. Of several processes, possibly on several hosts, the first takes the lock, and another succeeds
it when it ends or loses its connection.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context
from datetime import timedelta
from time import monotonic
from typing import Final

import structlog

from api.transparency.errors import TreeContinued, TreeDiffers
from api.transparency.latest_checkpoint import LatestCheckpoint
from api.transparency.sequencer import Log, Sequencer, check_tree
from api.transparency.store import PUBLISHED, SIGNED, Signed, TreeStore
from api.transparency.witness_client import WitnessThread
from domain.matches.entropy import Entropy
from domain.matches.log.entries import microseconds
from domain.transparency.errors import TransparencyFault
from domain.transparency.keys import FormerKey, Signer
from domain.transparency.vrf import VrfKey
from projections.platform.backoff import Backoff, Failures
from projections.platform.clock import now
from projections.platform.settings import Settings

INTERVAL_SECONDS: Final = 1.0
"""Minimum seconds between checkpoints; an append is covered after at most two seconds."""
WITNESS_WAIT_SECONDS: Final = 0.5
"""Seconds a new checkpoint waits for its witnesses before publication; later cosignatures are added."""
ASK_SECONDS: Final = 2.0
"""Seconds a new leader waits for the checkpoints that witnesses show, before it signs; later responses count, too."""
RENEWAL: Final = timedelta(hours=1)
"""Age at which the cosignature of an unchanged checkpoint is renewed."""
POLL_SECONDS: Final = 1.0
"""Polling interval for appends by other processes, and for the lock."""
IDLE_SECONDS: Final = 30.0
"""Polling interval where notifications are reliable, and retry interval for unavailable witnesses."""
DIFFERS: Final = (TreeDiffers, TransparencyFault)
"""Stored data contradicts the signed checkpoint: nothing is used until an operator has investigated."""
RETRIES: Final = Backoff(0.25, 5.0)

log = structlog.get_logger("transparency")


class TreeLeader:
    """The only writer of the tree; `fault` is why the tree is neither continued nor served."""

    def __init__(
        self,
        matches: Log,
        store: TreeStore,
        signer: Signer,
        settings: Settings,
        entropy: Entropy,
        wake: threading.Event,
        *,
        others_append: bool,
        vrf: VrfKey | None = None,
        former: FormerKey | None = None,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        """Start the thread; if the settings leave the tree to other processes, it only verifies it periodically."""
        self._latest = LatestCheckpoint(settings.data)
        self._check: Callable[[], None] = lambda: check_tree(store, signer.key)
        self._make: Callable[[], Sequencer] = lambda: Sequencer(matches, store, signer, entropy, vrf, former)
        self.store, self._key = store, signer.key
        self._witnesses, self._may_lead = settings.witnesses, settings.keeps_tree
        self._poll_seconds, self._waiting_seconds = poll_seconds if others_append else IDLE_SECONDS, poll_seconds
        self._wake, self._stopping = wake, threading.Event()
        self._sequencer: Sequencer | None = None
        self._witness_threads = tuple[WitnessThread, ...]()
        self._next_at = self._ask_again_at = self._asked_until = 0.0
        self.fault: str | None = None
        self.is_well = True
        """Whether log and tree responded at the last attempt."""
        # Verify the tree against the last signature before anything is served.
        self._try_to_lead()
        self._thread = threading.Thread(target=copy_context().run, args=(self._run,), name="transparency", daemon=True)
        self._thread.start()

    @property
    def is_leader(self) -> bool:
        """Whether this process appends to the tree."""
        return self._sequencer is not None and self.store.is_leader and self.fault is None

    def close(self) -> None:
        """Stop the thread after its current step, and release the lead."""
        self._stopping.set()
        self._wake.set()
        self._thread.join()
        self._give_up()

    def _try_to_lead(self) -> None:
        """Verify the tree, and become the keeper if the lock is free; stop for good if the tree differs."""
        try:
            self._check()
            self._latest.follow(self.store)
            if not self._may_lead or not self.store.try_to_lead():
                return
            self._sequencer = self._make()
        except DIFFERS as error:
            self._stop_for(error)
            return
        self._asked_until = monotonic() + ASK_SECONDS
        self._witness_threads = tuple(WitnessThread(witness, self.store, self._key, now) for witness in self._witnesses)

    def _give_up(self) -> None:
        """Release the lock; this process may take it again after verifying the tree."""
        witnesses, self._witness_threads, self._sequencer = self._witness_threads, (), None
        for witness in witnesses:
            witness.close()
        self.store.stop_leading()

    def _stop_for(self, error: Exception) -> None:
        self._give_up()
        self.fault = str(error)
        log.error("the tree is not served", reason=self.fault)

    def _run(self) -> None:
        """Lead or try to lead until closed: extend the tree when entries arrive, at most once per `INTERVAL_SECONDS`.

        Give up the lead if another process continued the tree or an error occurs; do nothing after a difference.
        """
        failures = Failures(RETRIES)
        self._wake.set()
        while not self._stopping.is_set():
            self._wait()
            self._wake.clear()
            if self._stopping.wait(max(0.0, self._next_at - monotonic())) or self.fault is not None:
                continue
            try:
                if self._sequencer is None:
                    self._try_to_lead()
                self._advance()
            except DIFFERS as error:
                self._stop_for(error)
            except TreeContinued as error:
                log.warning("another process maintains the tree", reason=str(error))
                self._give_up()
            except Exception:
                # The log or the tree is unavailable: nothing changes.
                log.exception("cannot continue the tree")
                self.is_well = False
                self._give_up()
                self._stopping.wait(failures.fail())
                self._wake.set()
            else:
                self.is_well = True
                failures.succeed()

    def _wait(self) -> None:
        """Wait for new entries; processes that do not keep the tree only poll for the lock."""
        if self._sequencer is None:
            self._stopping.wait(self._waiting_seconds)
        else:
            self._wake.wait(self._poll_seconds)

    def _advance(self) -> None:
        """As the keeper, append new entries, sign, collect cosignatures and publish; do nothing otherwise.

        A large backlog is signed in steps. An already published checkpoint only requests missing cosignatures, at
        intervals.
        """
        if self._sequencer is None:
            return
        self.store.send_heartbeat()
        started = monotonic()
        self._next_at = started + INTERVAL_SECONDS
        if self._is_contradicted():
            return
        while self._sequencer.append_batch() and not self._stopping.is_set():
            if monotonic() - started > INTERVAL_SECONDS:
                # A large backlog, as with an existing log and a new tree, is signed in steps.
                self._wake.set()
                break
        self._latest.check(self.store)
        if signed_now := self._sequencer.sign(now()):
            self._latest.store(signed_now)
        signed, published = self.store.checkpoint(SIGNED), self.store.checkpoint(PUBLISHED)
        if signed is None or (signed == published and monotonic() < self._ask_again_at):
            return
        self._ask_again_at = monotonic() + IDLE_SECONDS
        self._request_cosignatures(signed)
        if signed != published:
            self.store.publish(signed)

    def _is_contradicted(self) -> bool:
        """Return whether a witness shows a checkpoint that this server has signed and its tree does not contain.

        Until it no longer does, nothing is appended or signed, and the witness is queried again at intervals. A new
        leader waits for the first responses, until `ASK_SECONDS` after it began.
        """
        for witness in self._witness_threads:
            witness.wait_until_asked(max(0.0, self._asked_until - monotonic()))
        ahead = [witness for witness in self._witness_threads if witness.is_ahead]
        if ahead and monotonic() >= self._ask_again_at:
            self._ask_again_at = monotonic() + IDLE_SECONDS
            for witness in ahead:
                witness.ask()
        return bool(ahead)

    def _request_cosignatures(self, signed: Signed) -> None:
        """Request missing and old cosignatures from all witnesses concurrently.

        Wait for at most `WITNESS_WAIT_SECONDS`.
        """
        oldest = microseconds(now() - RENEWAL)
        cosigned = {
            each.name
            for each in self.store.witnesses()
            if each.text == signed.text and not each.trouble and each.at >= oldest
        }
        requested = [witness for witness in self._witness_threads if witness.name not in cosigned]
        for witness in requested:
            witness.request(signed)
        deadline = monotonic() + WITNESS_WAIT_SECONDS
        for witness in requested:
            witness.wait(max(0.0, deadline - monotonic()))
