"""A witness (C2SP tlog-witness): stores the latest tree of every watched log and cosigns consistent extensions."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import CheckConstraint, Column, MetaData, Table, bindparam, delete, select

from domain.matches.entropy import Entropy
from domain.transparency.checkpoints import parse_checkpoint
from domain.transparency.keys import SEED_BYTES, Signer
from domain.transparency.notes import COSIGNATURE, ED25519, Note, VerifierKey, parse_key, parse_note
from domain.transparency.witness_resets import tree_after
from domain.transparency.witnessing import CosignRefusal, SeenTree, SignedRequest, check_cosignable, verify_request
from ops.transparency import witness_refusals, witness_resets
from ops.transparency.witness_refusals import Refusals, RefusedRequest
from ops.transparency.witness_resets import ROOT, LogChanges, RootsByOrigin
from projections.platform.database import SqliteDatabase
from projections.platform.statements import insert_row, upsert
from projections.platform.tables import BYTES, NUMBER, TEXT, creation_of

METADATA: Final = MetaData()
WITNESS: Final = Table(
    "witness",
    METADATA,
    Column("id", NUMBER, CheckConstraint("id = 1"), primary_key=True),
    Column("name", TEXT, nullable=False),
    Column("seed", BYTES, nullable=False),
)
LOGS: Final = Table(
    "logs",
    METADATA,
    Column("origin", TEXT, primary_key=True),
    Column("note", TEXT, nullable=False),
)
READ_WITNESS: Final = select(WITNESS.c.name, WITNESS.c.seed)
ADD_WITNESS: Final = insert_row(WITNESS)
READ_LOGS: Final = select(LOGS.c.origin, LOGS.c.note)
READ_NOTE: Final = select(LOGS.c.note).where(LOGS.c.origin == bindparam("origin"))
FORGET_NOTE: Final = delete(LOGS).where(LOGS.c.origin == bindparam("origin"))
WRITE_NOTE: Final = upsert(LOGS)
SIZE_TYPE: Final = "text/x.tlog.size"
TEXT_TYPE: Final = "text/plain; charset=utf-8"
JSON_TYPE: Final = "application/json"
SHOWN_MAX: Final = 100
"""Refused requests in one response."""

WatchedLogs = Mapping[str, Sequence[VerifierKey]]
"""The keys of each watched log, by its origin."""


class NameMissing(Exception):
    """The error of a new witness without a name."""


class NameMismatch(Exception):
    """The error of a name that differs from the witness's, by which its key is known."""


class Answer(NamedTuple):
    """An HTTP response: status, body and type."""

    status: int
    body: str
    content_type: str = TEXT_TYPE


def parse_logs(lines: Sequence[str]) -> WatchedLogs:
    """Parse a list of services, one verifier key per line, with the log's origin if it differs from the key's name.

    Returns the keys by origin, without empty lines, comments (`#`) and root keys. Raises `Malformed` for a bad key.
    """
    keys_by_origin = dict[str, list[VerifierKey]]()
    for line in lines:
        key, _, origin = line.strip().partition(" ")
        if key and not key.startswith("#") and key != ROOT.strip():
            parsed = parse_key(key, [ED25519])
            keys_by_origin.setdefault(origin.strip() or parsed.name, []).append(parsed)
    return keys_by_origin


def hash_of(origin: str) -> str:
    """Return the SHA-256 of the origin of a log, as in the addresses of a witness."""
    return hashlib.sha256(origin.encode()).hexdigest()


def unix_seconds() -> int:
    """Return the current Unix time in seconds."""
    return int(time.time())


class Witness:
    """The witness of a folder; thread-safe, and concurrent requests are serialised."""

    def __init__(
        self,
        path: Path,
        name: str,
        houses: WatchedLogs,
        entropy: Entropy,
        now: Callable[[], int],
        roots: RootsByOrigin | None = None,
    ) -> None:
        """Open the witness; an empty `name` means the stored one. `now` returns Unix time in seconds.

        `roots`: the root keys of logs, which may change their keys.
        """
        self._database = SqliteDatabase(path, is_durable=True)
        self._lock, self._now, self.houses = threading.Lock(), now, houses
        try:
            with self._transaction():
                for table in (
                    *METADATA.sorted_tables,
                    *witness_resets.METADATA.sorted_tables,
                    *witness_refusals.METADATA.sorted_tables,
                ):
                    for definition in creation_of(table, if_not_exists=True):
                        self._database.change(definition)
                self._signer: Final = self._find_signer(name, entropy)
            self._refusals: Final = Refusals(self._database)
            self.changes: Final = LogChanges(self._database, houses, roots or {})
        except BaseException:
            self.close()
            raise
        self.key: Final = self._signer.key

    def _find_signer(self, name: str, entropy: Entropy) -> Signer:
        """Return the stored signer, or create one with this name; raise `NameMissing` or `NameMismatch`."""
        rows = self._database.rows(READ_WITNESS)
        if not rows:
            if not name:
                raise NameMissing("a new witness requires a name, such as witness.example.org/club")
            signer = Signer(name, seed := entropy(SEED_BYTES, "witness"), COSIGNATURE)
            self._database.change(ADD_WITNESS, id=1, name=name, seed=seed)
            return signer
        ((stored_name, seed),) = rows
        if name not in ("", stored_name):
            raise NameMismatch(f"the witness in this folder is named {stored_name}; its name cannot change")
        return Signer(stored_name, seed, COSIGNATURE)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Open an exclusive, durable transaction."""
        with self._lock, self._database.transaction():
            yield

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            self._database.close()

    def add_checkpoint(self, data: bytes) -> Answer:
        """Cosign a checkpoint after storing it and return the line; otherwise return a refusal with its status.

        A refusal for another tree size has the known size as its body.
        """
        with self._lock:
            logs = {origin: log.keys for origin, log in self.changes.logs(self._now()).items()}
        checked = verify_request(data, logs)
        if isinstance(checked, SignedRequest):
            # Check and store in one transaction, so that a concurrent request sees the new tree.
            with self._transaction():
                seen = self._latest_tree(checked.checkpoint.origin)
                refusal = check_cosignable(checked, seen)
                if refusal is None:
                    self._refusals.forget(checked)
                    return self._cosign(checked)
                self._refusals.keep(checked, refusal, seen, self._now())
            checked = refusal
        if checked.known_size is not None:
            return Answer(checked.status, f"{checked.known_size}\n", SIZE_TYPE)
        return Answer(checked.status, f"{checked.reason}\n")

    def _cosign(self, signed_request: SignedRequest) -> Answer:
        """Cosign a checked checkpoint, store the note with all its signatures, and return the new line."""
        text = signed_request.request.note.text
        cosigned = self._signer.cosign(text, self._now())
        note = str(Note(text, (*signed_request.signatures, cosigned)))
        self._database.change(WRITE_NOTE, origin=signed_request.checkpoint.origin, note=note)
        return Answer(200, cosigned.line)

    def _latest_tree(self, origin: str) -> SeenTree:
        """Return the latest cosigned tree of a log, or where it continues after a reset."""
        rows = self._database.rows(READ_NOTE, origin=origin)
        if not rows:
            return self.changes.find_start(origin)
        checkpoint = parse_checkpoint(parse_note(rows[0][0].encode()).text)
        return SeenTree(checkpoint.size, checkpoint.root)

    def reset(self, data: bytes) -> Answer:
        """Replace the key of a log by a note that its root key has signed, and continue from the tree that it names.

        The last checkpoint of a tree that is taken back is kept as evidence.
        """
        with self._transaction():
            seen_trees = {origin: self._latest_tree(origin) for origin in self.houses}
            change = self.changes.reset(data, seen_trees, self._now())
            if isinstance(change, CosignRefusal):
                return Answer(change.status, f"{change.reason}\n")
            origin = change.old.name
            if tree_after(seen_trees[origin], change) is not None:
                for (note,) in self._database.rows(READ_NOTE, origin=origin):
                    self.changes.store_evidence(origin, note, self._now())
                self._database.change(FORGET_NOTE, origin=origin)
            size = self._latest_tree(origin).size
            return Answer(200, f"the key of {origin} is {change.new}, and it continues from {size} leaves\n")

    def refused_requests(self) -> tuple[RefusedRequest, ...]:
        """Return the signed requests that conflict with the trees seen, latest first."""
        with self._lock:
            return self._refusals.list()

    def serve_refused(self, origin_hash: str) -> Answer:
        """Return the latest `SHOWN_MAX` refused requests of a log as JSON, by the SHA-256 of its origin in hex."""
        for origin in self.houses:
            if hash_of(origin) == origin_hash:
                with self._lock:
                    shown = self._refusals.list(origin)[:SHOWN_MAX]
                return Answer(200, msgspec.json.encode(shown).decode(), JSON_TYPE)
        return Answer(404, "this witness does not watch this log\n")

    def checkpoint(self, origin_hash: str) -> Answer:
        """Return the latest cosigned checkpoint of a log by the SHA-256 of its origin in hex, or a 404."""
        with self._lock:
            rows = self._database.rows(READ_LOGS)
        for origin, note in rows:
            if hash_of(origin) == origin_hash:
                return Answer(200, note)
        return Answer(404, "no cosigned checkpoint of this log\n")
