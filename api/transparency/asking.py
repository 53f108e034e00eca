"""Asking a witness for its cosignature (C2SP tlog-witness): a thread for each, nobody waits for who is away."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final, Literal, NamedTuple
from urllib.parse import urlsplit

import structlog

from api.transparency.store import Signed, Standing, TreeStore
from domain.matches.log.entries import microseconds
from domain.transparency.checkpoints import parse_size
from domain.transparency.errors import TransparencyFault
from domain.transparency.keys import is_signed
from domain.transparency.notes import Note, Signature, VerifierKey, parse_key, parse_signatures
from domain.transparency.witnesses import WitnessAt
from domain.transparency.witnessing import AddCheckpoint

ANSWER_SECONDS_MAX: Final = 5.0
ANSWER_BYTES_MAX: Final = 100_000
SENTENCE_MAX: Final = 300
TRIES: Final = 2
"""A witness that knows another size than we thought says which, and is asked once more."""

AWAY: Final = "away"
REFUSES: Final = "refuses"
OTHER_HISTORY: Final = "other_history"
Trouble = Literal["away", "refuses", "other_history"]
"""What can be the matter with a witness. The last is the one to be alarmed by: what it has seen of this house is not
the beginning of the tree it is shown."""

log = structlog.get_logger("witnesses")


class NotCosigned(Exception):
    """The witness did not cosign; `trouble` says of which kind it is."""

    def __init__(self, trouble: Trouble, reason: str) -> None:
        super().__init__(reason[:SENTENCE_MAX])
        self.trouble: Final = trouble


class Answer(NamedTuple):
    status: int
    body: str


class Asker:
    """Asks one witness, over one connection as long as that lasts. Not for several threads."""

    def __init__(self, witness: WitnessAt, store: TreeStore) -> None:
        self.key: Final[VerifierKey] = parse_key(witness.key)
        self._address = urlsplit(witness.url)
        self._store = store
        self._connection: HTTPConnection | None = None

    def ask(self, signed: Signed) -> Signature:
        """The cosignature of a checkpoint; `NotCosigned` otherwise."""
        checkpoint, known = signed.checkpoint, self._store.witness(self.key.name)
        old_size, note = known.size, Note(signed.text, (signed.signature,))
        for _ in range(TRIES):
            if old_size > checkpoint.size:
                raise NotCosigned(OTHER_HISTORY, f"it has seen {old_size:,} leaves, this house has {checkpoint.size:,}")
            proof = self._store.tiles.consistency(old_size, checkpoint.size)
            answer = self._send(str(AddCheckpoint(old_size, tuple(proof), note)))
            if answer.status == 200:
                return self._cosignature(signed.text, answer.body)
            if answer.status == 422:
                raise NotCosigned(OTHER_HISTORY, f"it refused: {answer.body}")
            if answer.status != 409:
                break
            try:
                old_size = parse_size(answer.body.rstrip("\n"))
            except TransparencyFault:
                break
        raise NotCosigned(REFUSES, f"it answered {answer.status}: {answer.body}")

    def _cosignature(self, text: str, body: str) -> Signature:
        try:
            signatures = parse_signatures(body)
        except TransparencyFault as fault:
            raise NotCosigned(REFUSES, f"its answer has no signatures: {fault}") from fault
        for signature in signatures:
            if is_signed(self.key, text, signature):
                return signature
        raise NotCosigned(REFUSES, "it answered with a signature that is not of its key")

    def _send(self, body: str) -> Answer:
        """Asks again over a new connection when the old one turns out to have been closed."""
        is_new = self._connection is None
        try:
            return self._send_once(body.encode())
        except (OSError, HTTPException) as fault:
            self.close()
            if is_new:
                raise NotCosigned(AWAY, f"{type(fault).__name__}: {fault}") from fault
        return self._send(body)

    def _send_once(self, body: bytes) -> Answer:
        if self._connection is None:
            self._connection = self._connect()
        path = f"{self._address.path.rstrip('/')}/add-checkpoint"
        self._connection.request("POST", path, body, {"Content-Type": "text/plain; charset=utf-8"})
        answer = self._connection.getresponse()
        content = answer.read(ANSWER_BYTES_MAX)
        if not answer.isclosed():
            self.close()
        return Answer(answer.status, content.decode(errors="replace"))

    def _connect(self) -> HTTPConnection:
        kind = HTTPSConnection if self._address.scheme == "https" else HTTPConnection
        assert self._address.hostname is not None
        connection = kind(self._address.hostname, self._address.port, timeout=ANSWER_SECONDS_MAX)
        connection.connect()
        # Head and body are two packets; waiting to send them as one would cost forty milliseconds.
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def interrupt(self) -> None:
        """Whoever waits for an answer waits no longer. May be called from another thread."""
        connection = self._connection
        if connection is not None and connection.sock is not None:
            with suppress(OSError):
                connection.sock.shutdown(socket.SHUT_RDWR)


class Desk:
    """A witness and the thread that asks it: always for the newest checkpoint, never for two at once."""

    def __init__(self, witness: WitnessAt, store: TreeStore, now: Callable[[], datetime]) -> None:
        self.name: Final = parse_key(witness.key).name
        self._asker, self._store, self._now = Asker(witness, store), store, now
        self._wanted: Signed | None = None
        self._is_answered = threading.Event()
        self._is_answered.set()
        self._has_work, self._lock, self._is_closing = threading.Event(), threading.Lock(), False
        self._thread = threading.Thread(target=self._run, name=f"witness-{self.name}", daemon=True)
        self._thread.start()

    def offer(self, signed: Signed) -> None:
        """Asks for this one next. Nobody waits."""
        with self._lock:
            self._wanted = signed
            self._is_answered.clear()
        self._has_work.set()

    def wait(self, seconds: float) -> bool:
        """Until the witness has answered or refused what was offered last, so long at most; whether it has."""
        return self._is_answered.wait(seconds)

    def close(self) -> None:
        """Ends the thread. What it still hears is not written any more."""
        self._is_closing = True
        self._has_work.set()
        self._asker.interrupt()
        self._thread.join(ANSWER_SECONDS_MAX)

    def _run(self) -> None:
        while True:
            self._has_work.wait()
            self._has_work.clear()
            if self._is_closing:
                self._asker.close()
                return
            with self._lock:
                wanted = self._wanted
            if wanted is not None:
                try:
                    self._ask(wanted)
                except Exception:
                    # The tree is away or takes nothing: what the witness said is lost, and it is asked again.
                    log.exception("cannot keep what a witness said", witness=self.name)
            with self._lock:
                if self._wanted is wanted:
                    self._is_answered.set()

    def _ask(self, signed: Signed) -> None:
        known = self._store.witness(self.name)
        try:
            signature = self._asker.ask(signed)
        except NotCosigned as refusal:
            self._note(known, refusal.trouble, str(refusal))
        except Exception as fault:
            log.exception("cannot ask a witness", witness=self.name)
            self._note(known, REFUSES, type(fault).__name__)
        else:
            if not self._is_closing:
                at, size = microseconds(self._now()), signed.checkpoint.size
                self._store.note_witness(Standing(self.name, size, signed.text, signature, at))

    def _note(self, known: Standing, trouble: Trouble, reason: str) -> None:
        """Its last cosignature stays; since when something is the matter is the first time in a row."""
        since = known.since if known.trouble == trouble else microseconds(self._now())
        if self._is_closing or (known.trouble, known.reason) == (trouble, reason):
            return
        say = log.error if trouble == OTHER_HISTORY else log.warning
        say("a witness does not cosign", witness=self.name, trouble=trouble, reason=reason)
        self._store.note_witness(known._replace(trouble=trouble, reason=reason, since=since))
