"""Requests for cosignatures to witnesses (C2SP tlog-witness), with one thread per witness."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from contextvars import copy_context
from datetime import datetime
from http.client import HTTPException
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import structlog

from api.transparency.http_client import PersistentConnection
from api.transparency.store import Signed, TreeStore, WitnessState
from api.transparency.troubles import AHEAD, AWAY, CONTRADICTIONS, OTHER_HISTORY, REFUSES, Trouble
from api.transparency.witness_claims import Claim, judge_claim, state_of
from domain.matches.log.entries import microseconds
from domain.transparency.checkpoints import parse_size
from domain.transparency.errors import TransparencyFault
from domain.transparency.keys import is_signed
from domain.transparency.notes import Note, Signature, VerifierKey, parse_key, parse_signatures
from domain.transparency.witnesses import WitnessAddress
from domain.transparency.witnessing import AddCheckpoint

ANSWER_SECONDS_MAX: Final = 5.0
ANSWER_BYTES_MAX: Final = 100_000
SENTENCE_MAX: Final = 300
ADD: Final = "/add-checkpoint"
TRIES: Final = 2
"""Attempts per checkpoint. A witness with another tree size returns it, and gets a second request."""

log = structlog.get_logger("witnesses")


class NotCosigned(Exception):
    """The witness did not cosign; `trouble` is the kind of problem."""

    def __init__(self, trouble: Trouble, reason: str) -> None:
        super().__init__(reason[:SENTENCE_MAX])
        self.trouble: Final = trouble


class WitnessResponse(NamedTuple):
    """An HTTP response of a witness."""

    status: int
    body: str


class WitnessClient:
    """A client for one witness, over one persistent connection; not thread-safe."""

    def __init__(self, witness: WitnessAddress, store: TreeStore) -> None:
        self.key: Final[VerifierKey] = parse_key(witness.key)
        self._path: Final = urlsplit(witness.url).path.rstrip("/")
        self._connection: Final = PersistentConnection(witness.url, ANSWER_SECONDS_MAX)
        self._store = store

    def request_cosignature(self, signed: Signed) -> Signature:
        """Return the verified cosignature of a checkpoint, with a proof from the size that the witness has seen.

        Raise `NotCosigned`, with the kind of trouble, on failure or if the witness has seen another tree.
        """
        checkpoint, state = signed.checkpoint, self._store.witness(self.key.name)
        old_size, note = state.size, Note(signed.text, signed.signatures)
        for _ in range(TRIES):
            if old_size > checkpoint.size:
                raise NotCosigned(
                    OTHER_HISTORY, f"the witness has seen {old_size:,} leaves, but the tree has {checkpoint.size:,}"
                )
            proof = self._store.tiles.consistency(old_size, checkpoint.size)
            response = self._send(str(AddCheckpoint(old_size, tuple(proof), note)))
            if response.status == 200:
                return self._cosignature(signed.text, response.body)
            if response.status == 422:
                raise NotCosigned(OTHER_HISTORY, f"refused: {response.body}")
            if response.status != 409:
                break
            try:
                old_size = parse_size(response.body.rstrip("\n"))
            except TransparencyFault:
                break
        raise NotCosigned(REFUSES, f"responded with {response.status}: {response.body}")

    def request_checkpoint(self, origin: str) -> str | None:
        """Return the checkpoint that the witness shows of a log, or None if it has not seen the log.

        Raise `NotCosigned` if it does not respond, or otherwise than with a checkpoint.
        """
        response = self._send("", f"/{hashlib.sha256(origin.encode()).hexdigest()}/checkpoint")
        if response.status not in {200, 404}:
            raise NotCosigned(REFUSES, f"responded with {response.status} when asked for its checkpoint")
        return response.body if response.status == 200 else None

    def _cosignature(self, text: str, body: str) -> Signature:
        """Return the signature of the witness's key in a response; raise `NotCosigned` if there is none."""
        try:
            signatures = parse_signatures(body)
        except TransparencyFault as fault:
            raise NotCosigned(REFUSES, f"no signatures in the response: {fault}") from fault
        for signature in signatures:
            if is_signed(self.key, text, signature):
                return signature
        raise NotCosigned(REFUSES, "the signature in the response is not from its key")

    def _send(self, body: str, path: str = ADD) -> WitnessResponse:
        """Send a POST, or a GET without a body; raise `NotCosigned` if that fails.

        Every status counts as a response.
        """
        headers = {"Content-Type": "text/plain; charset=utf-8"} if body else {}
        method, full_path = "POST" if body else "GET", f"{self._path}{path}"
        try:
            response = self._connection.send(method, full_path, ANSWER_BYTES_MAX, body.encode() or None, headers)
        except (OSError, HTTPException) as fault:
            raise NotCosigned(AWAY, f"{type(fault).__name__}: {fault}") from fault
        return WitnessResponse(response.status, response.body.decode(errors="replace"))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def interrupt(self) -> None:
        """Abort a pending request; safe to call from another thread."""
        self._connection.interrupt()


class WitnessThread:
    """A witness with its thread, which first asks for the checkpoint that the witness shows.

    Later it requests a cosignature of the latest checkpoint only.
    """

    def __init__(
        self, witness: WitnessAddress, store: TreeStore, key: VerifierKey, now: Callable[[], datetime]
    ) -> None:
        """Start the thread; `key` is the key of the log."""
        self.name: Final = parse_key(witness.key).name
        self._key, self._is_asked = key, threading.Event()
        self.is_ahead = store.witness(self.name).trouble == AHEAD
        """Whether the witness shows a checkpoint that this server has signed, and that its tree does not contain."""
        self._must_ask = True
        self._client, self._store, self._now = WitnessClient(witness, store), store, now
        self._requested: Signed | None = None
        self._is_answered = threading.Event()
        self._is_answered.set()
        self._has_work, self._lock, self._is_closing = threading.Event(), threading.Lock(), False
        self._thread = threading.Thread(
            target=copy_context().run, args=(self._run,), name=f"witness-{self.name}", daemon=True
        )
        self._thread.start()

    def request(self, signed: Signed) -> None:
        """Request a cosignature of this checkpoint next, without waiting; an earlier waiting request is replaced."""
        with self._lock:
            self._requested = signed
            self._is_answered.clear()
        self._has_work.set()

    def ask(self) -> None:
        """Ask the witness again for its checkpoint, without waiting."""
        self._must_ask = True
        self._has_work.set()

    def wait_until_asked(self, seconds: float) -> bool:
        """Wait for the first response about its checkpoint for at most `seconds`; return whether there is one."""
        return self._is_asked.wait(seconds)

    def wait(self, seconds: float) -> bool:
        """Wait for the result of the last offer for at most `seconds`; return whether there is one."""
        return self._is_answered.wait(seconds)

    def close(self) -> None:
        """Stop the thread, interrupting a pending request; later responses are discarded."""
        self._is_closing = True
        self._has_work.set()
        self._client.interrupt()
        self._thread.join(ANSWER_SECONDS_MAX)

    def _run(self) -> None:
        """Ask for the checkpoint if due, and request the cosignature wanted last; failures are logged."""
        self._has_work.set()
        while True:
            self._has_work.wait()
            self._has_work.clear()
            if self._is_closing:
                self._client.close()
                return
            if self._must_ask:
                self._ask()
            with self._lock:
                checkpoint = self._requested
            if checkpoint is not None and not self.is_ahead and not self._is_closing:
                try:
                    self._request(checkpoint)
                except Exception:
                    # The tree's database is unavailable: the response is lost, and the request is repeated later.
                    log.exception("cannot store a cosignature", witness=self.name)
            with self._lock:
                if self._requested is checkpoint:
                    self._is_answered.set()

    def _ask(self) -> None:
        """Compare the checkpoint that the witness shows with the tree, and store a contradiction or its end.

        A witness that is silent, or shows nothing readable, changes nothing but its own problem. A refusal for another
        history stays until the next request for a cosignature.
        """
        self._must_ask = False
        try:
            state = self._store.witness(self.name)
            try:
                claim = self._request_claim()
            except NotCosigned as refusal:
                if state.trouble not in CONTRADICTIONS:
                    self._store_trouble(state, refusal.trouble, str(refusal))
                return
            self.is_ahead = claim is not None and claim.trouble == AHEAD
            if claim is None or claim.trouble is None:
                if state.trouble == AHEAD:
                    self._store.store_witness(state._replace(trouble="", reason="", since=0))
            elif not self.is_ahead and state.trouble == OTHER_HISTORY:
                return
            elif (state.trouble, state.reason) != (claim.trouble, claim.reason) and not self._is_closing:
                log.error("witness shows another tree", witness=self.name, reason=claim.reason)
                at = microseconds(self._now())
                self._store.store_witness(state_of(claim, state, self._client.key, at))
        except Exception:
            # The tree's database is unavailable, or its announcements are false: the leader reports it.
            log.exception("cannot compare the checkpoint of a witness", witness=self.name)
        finally:
            self._is_asked.set()

    def _request_claim(self) -> Claim | None:
        """Return the checkpoint that the witness shows, or None if it has not seen the log.

        Raise `NotCosigned` if it does not respond, or shows nothing readable.
        """
        body = self._client.request_checkpoint(self._key.name)
        try:
            return None if body is None else judge_claim(body, self._store, self._key)
        except TransparencyFault as fault:
            raise NotCosigned(REFUSES, f"shows no readable checkpoint: {fault}") from fault

    def _request(self, signed: Signed) -> None:
        """Request a cosignature, and store it or the problem; nothing is stored while closing."""
        state = self._store.witness(self.name)
        try:
            signature = self._client.request_cosignature(signed)
        except NotCosigned as refusal:
            if refusal.trouble == OTHER_HISTORY:
                self._ask()
            if not self.is_ahead:
                self._store_trouble(state, refusal.trouble, str(refusal))
        except Exception as fault:
            log.exception("cannot request a cosignature", witness=self.name)
            self._store_trouble(state, REFUSES, type(fault).__name__)
        else:
            if not self._is_closing:
                at, size = microseconds(self._now()), signed.checkpoint.size
                self._store.store_witness(WitnessState(self.name, size, signed.text, signature, at))

    def _store_trouble(self, state: WitnessState, trouble: Trouble, reason: str) -> None:
        """Store and log a problem; keep the last cosignature and the time when the problem began.

        An unchanged problem is not stored again.
        """
        since = state.since if state.trouble == trouble else microseconds(self._now())
        if self._is_closing or (state.trouble, state.reason) == (trouble, reason):
            return
        log_event = log.error if trouble == OTHER_HISTORY else log.warning
        log_event("witness did not cosign", witness=self.name, trouble=trouble, reason=reason)
        self._store.store_witness(state._replace(trouble=trouble, reason=reason, since=since))
