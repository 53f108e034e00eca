"""A monitor: follows a log, recomputes its tree, and keeps evidence of every broken promise."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple

from domain.kernel.values import Value
from domain.transparency.bundles import entries_in
from domain.transparency.checkpoints import Checkpoint, parse_checkpoint
from domain.transparency.errors import FalseProof, Malformed, NotSigned, TransparencyFault
from domain.transparency.evidence import FORMAT as EVIDENCE
from domain.transparency.evidence import ROLLBACK, SERVED, TWO_TREES, Evidence, EvidentLeaf, encode_evidence
from domain.transparency.keys import cosignature_times, signatures_of
from domain.transparency.merkle import leaf_hash
from domain.transparency.notes import Note, VerifierKey, parse_note
from domain.transparency.policy import Policy
from domain.transparency.tiles import WIDTH, Tile, Tiles, width_of
from ops.transparency.log_client import LogClient, Unreachable
from ops.transparency.monitor_keys import LogKeys
from ops.transparency.monitor_leaves import LeafReader
from ops.transparency.monitor_state import Finding, Followed, MonitorState

STALE_SECONDS: Final = 24 * 60 * 60
"""A newest cosignature of a trusted witness, or without witnesses a newest change, must not be older."""
QUORUM_SECONDS: Final = 10 * 60
"""A log may show checkpoints that the quorum has not cosigned yet for this time."""
BUNDLES_AT_ONCE: Final = 400
"""Bundles that one look fetches at most; the next one continues."""
LEAVES_MAX: Final = 50_000_000
FREE_BYTES_MIN: Final = 1_000_000_000
"""A log that grows without end does not fill the disk: nothing is fetched below this."""
COMPARED_AT_ONCE: Final = 8
"""Tiles that one look fetches again, in turn, to find rewritten ones."""
EVIDENCE_FOLDER: Final = "evidence"
SHORT: Final = 12

UNREACHABLE: Final = "unreachable"
INVALID: Final = "invalid"
STALE: Final = "stale"
BELOW_QUORUM: Final = "below_quorum"
UNKNOWN_KEY: Final = "the checkpoint is signed with an unknown key; its leaves are searched for an announcement of it"

Progress = Literal["followed", "behind", "refused"]
FOLLOWED: Final = "followed"
BEHIND: Final = "behind"
"""Leaves of the checkpoint are missing; the next look continues."""
REFUSED: Final = "refused"


class Condition(Value, frozen=True):
    """A problem of the log now, which may pass: its kind and the reason."""

    kind: str
    reason: str


class Look(Value, frozen=True):
    """The result of looking at a log once, at a Unix time."""

    seconds: int
    origin: str
    size: int
    root: str
    is_complete: bool
    """Whether all leaves of the latest checkpoint are verified; otherwise the next look continues."""
    conditions: tuple[Condition, ...]
    findings: tuple[Finding, ...]
    is_good: bool
    """Whether nothing is wrong now, and no promise was ever broken."""


class SignedNote(NamedTuple):
    """A checkpoint that a known log has signed."""

    key: VerifierKey
    checkpoint: Checkpoint
    note: Note


def find_signer(content: bytes, keys: Sequence[VerifierKey]) -> SignedNote:
    """Return a checkpoint with the key of its log that signed it, one of these; raise `Malformed` or `NotSigned`."""
    note = parse_note(content)
    checkpoint = parse_checkpoint(note.text)
    for key in keys:
        if key.name == checkpoint.origin and any(key.is_claimed_by(each) for each in note.signatures):
            signatures_of(note, [key])
            return SignedNote(key, checkpoint, note)
    raise NotSigned(f"the checkpoint of {checkpoint.origin[:60]!r} is not signed with a trusted key")


class Monitor:
    """The monitor of one log. `now` returns Unix time in seconds."""

    def __init__(
        self,
        client: LogClient,
        folder: Path,
        policy: Policy,
        now: Callable[[], int],
        bundles_at_once: int = BUNDLES_AT_ONCE,
    ) -> None:
        self._bundles_at_once = bundles_at_once
        self._client, self._folder, self._policy, self._now = client, folder, policy, now
        self._state = MonitorState(folder / "monitor.db")
        self._leaves, self._keys = LeafReader(self._state), LogKeys(self._state, policy)

    def close(self) -> None:
        """Close the connection and the database."""
        self._client.close()
        self._state.close()

    def look(self) -> Look:
        """Check the log once: verify its checkpoint, fetch and verify new leaves, and compare some old tiles again."""
        conditions = list[Condition]()
        progress: Progress = REFUSED
        try:
            signed = self._latest_note()
            if signed is None:
                progress = BEHIND
                conditions.append(Condition(INVALID, UNKNOWN_KEY))
            else:
                progress = self._follow(signed)
            if progress == FOLLOWED:
                self._compare_old_tiles()
        except Unreachable as fault:
            conditions.append(Condition(UNREACHABLE, str(fault)))
        except TransparencyFault as fault:
            conditions.append(Condition(INVALID, str(fault)[:300]))
        if progress != BEHIND:
            conditions += self._age_conditions()
        followed = self._state.latest
        checkpoint = parse_checkpoint(parse_note(followed.note.encode()).text) if followed.note else None
        return Look(
            self._now(),
            checkpoint.origin if checkpoint else "",
            followed.size,
            checkpoint.root.hex() if checkpoint else "",
            progress != BEHIND,
            tuple(conditions),
            findings := self._state.findings(),
            not conditions and not findings,
        )

    def _latest_note(self) -> SignedNote | None:
        """Return the checkpoint that the log shows; raise `Malformed` or `NotSigned` otherwise.

        A new key of the log is announced in the leaves of the first checkpoint that it signs. Return None if some of
        them are missing, so that the next look continues.
        """
        content, known = self._client.checkpoint(), self._state.latest.size
        try:
            return self._signed_note(content)
        except NotSigned:
            size = parse_checkpoint(parse_note(content).text).size
            if size <= known:
                raise
            try:
                return self._signed_note(content) if self._fetch_leaves(size) else None
            except TransparencyFault:
                self._state.forget_from(known)
                raise

    def _signed_note(self, content: bytes) -> SignedNote:
        """Return a checkpoint of a known log; raise `Malformed` or `NotSigned` otherwise."""
        checkpoint = parse_checkpoint(parse_note(content).text)
        return find_signer(content, self._keys.for_checkpoint(checkpoint))

    def _last_note(self) -> SignedNote:
        """Return the followed checkpoint, which may be signed with an earlier key."""
        return find_signer(self._state.latest.note.encode(), self._keys.ever())

    def _follow(self, signed: SignedNote) -> Progress:
        """Compare a checkpoint with the followed one, and follow it if it continues it."""
        known, size = self._state.latest, signed.checkpoint.size
        if known.note:
            last = self._last_note()
            if size <= known.size:
                return self._compare(last, signed)
        if not self._fetch_leaves(size):
            return BEHIND
        try:
            self._verify(signed)
        except FalseProof:
            try:
                self._explain_mismatch(known, signed)
            finally:
                self._state.forget_from(known.size)
            return REFUSED
        return FOLLOWED

    def _compare(self, last: SignedNote, signed: SignedNote) -> Progress:
        """Compare a checkpoint that is not larger with our tree: it is the same, older, or another one."""
        size, followed = signed.checkpoint.size, self._state.latest
        root = self._state.tiles.root(size)
        if root != signed.checkpoint.root:
            path = self._state.tiles.consistency(size, followed.size) if size < followed.size else []
            self._report_two_trees(signed, last, root if size < followed.size else b"", path)
        elif size < followed.size:
            reason = (
                f"it shows {size} leaves after {followed.size}: the tree of {last.checkpoint.origin} was rolled back"
            )
            self._report(ROLLBACK, reason, signed, last)
        else:
            with self._state.transaction():
                quorum = self._quorum_time(signed.note, followed.quorum)
                self._state.store_followed(followed._replace(note=self._newer(signed.note), quorum=quorum))
            return FOLLOWED
        return REFUSED

    def _newer(self, note: Note) -> str:
        """Return the followed note or this one of the same tree, whichever has the newer cosignatures."""
        followed = self._state.latest.note
        return (
            str(note)
            if self._newest_cosignature(note) >= self._newest_cosignature(parse_note(followed.encode()))
            else followed
        )

    def _fetch_leaves(self, size: int) -> bool:
        """Fetch and store leaves up to a size; return False if more remain for the next look."""
        if size > LEAVES_MAX:
            raise Malformed(f"the checkpoint has {size:,} leaves; a monitor follows at most {LEAVES_MAX:,}")
        if (free := shutil.disk_usage(self._folder).free) < FREE_BYTES_MIN:
            raise Unreachable(f"the disk of the monitor has only {free:,} bytes left, so it fetches nothing")
        for _ in range(self._bundles_at_once):
            start = self._state.leaf_count
            if start >= size:
                return True
            number, skipped = divmod(start, WIDTH)
            tile = Tile(number, width_of(0, number, size))
            entries = entries_in(self._client.bundle(tile))[: tile.width]
            if len(entries) < tile.width:
                raise Malformed(f"the bundle {tile.path} has {len(entries)} entries")
            self._state.stage(start, entries[skipped:])
        return self._state.leaf_count >= size

    def _verify(self, signed: SignedNote) -> None:
        """Compute the tree of a checkpoint from the stored leaves and store it; raise `FalseProof` if it differs."""
        followed, size = self._state.latest, signed.checkpoint.size
        self._leaves.begin()
        with self._state.transaction():
            growth = self._state.growth(followed.size)
            while growth.size < size:
                first = growth.size
                contents = self._state.contents(first, min(first + WIDTH, size))
                growth.add([leaf_hash(content) for content in contents])
                self._state.store_tiles(growth.take_changed_tiles().items())
                for number, content in enumerate(contents, first):
                    self._leaves.read(number, content)
            if self._state.tiles.root(size) != signed.checkpoint.root:
                raise FalseProof("the leaves do not give the root of the checkpoint")
            quorum = self._quorum_time(signed.note, followed.quorum)
            changed = Followed(str(signed.note), size, self._now(), quorum, followed.compared)
            self._state.store_followed(changed)
            # In this transaction, because these leaves are not read again.
            for wrong in self._leaves.wrong:
                self._store_finding(wrong.kind, wrong.reason, signed, leaves=self._leaves.evident(wrong, size))

    def _explain_mismatch(self, known: Followed, signed: SignedNote) -> None:
        """Report why leaves do not give the root: the log has another tree, or its tiles or bundles are false."""
        size, root = signed.checkpoint.size, signed.checkpoint.root
        remote = Tiles(lambda level, number: self._client.tile(level, Tile(number, width_of(level, number, size))))
        if remote.root(size) != root:
            self._report(SERVED, f"the tiles do not give the root {root.hex()[:SHORT]} of {size} leaves", signed)
            return
        prefix = remote.root(known.size)
        if known.note and prefix != self._state.tiles.root(known.size):
            last = self._last_note()
            self._report_two_trees(last, signed, prefix, remote.consistency(known.size, size))
        else:
            reason = f"the entry bundles do not give the root {root.hex()[:SHORT]} of {size} leaves"
            self._report(SERVED, reason, signed)

    def _compare_old_tiles(self) -> None:
        """Fetch the next few tiles again and report tiles that differ from the verified tree."""
        followed = self._state.latest
        count = -(-followed.size // WIDTH)
        for step in range(min(COMPARED_AT_ONCE, count)):
            number, level = (followed.compared + step) % count, 0
            tile = Tile(number, width_of(0, number, followed.size))
            self._compare_bundle(tile)
            while width := width_of(level, number, followed.size):
                self._compare_tile(level, Tile(number, width))
                level, number = level + 1, number // WIDTH
        with self._state.transaction():
            compared = (followed.compared + COMPARED_AT_ONCE) % max(count, 1)
            self._state.store_followed(followed._replace(compared=compared))

    def _compare_bundle(self, tile: Tile) -> None:
        first = tile.number * WIDTH
        if entries_in(self._client.bundle(tile))[: tile.width] != self._state.contents(first, first + tile.width):
            self._report_rewritten(f"tile/entries/{tile.path}")

    def _compare_tile(self, level: int, tile: Tile) -> None:
        own = self._state.tile(level, tile.number) or b""
        length = tile.width * len(leaf_hash(b""))
        if self._client.tile(level, tile)[:length] != own[:length]:
            self._report_rewritten(f"tile/{level}/{tile.path}")

    def _report_rewritten(self, address: str) -> None:
        signed = self._last_note()
        self._report(SERVED, f"{address} was rewritten: it differs from the verified tree", signed)

    def _report_two_trees(self, first: SignedNote, second: SignedNote, prefix: bytes, path: Sequence[bytes]) -> None:
        """Report two trees, the smaller one first; `prefix` and `path` lead from its size to the larger one."""
        roots = f"{first.checkpoint.root.hex()[:SHORT]} and {second.checkpoint.root.hex()[:SHORT]}"
        sizes = f"{first.checkpoint.size} and {second.checkpoint.size} leaves"
        reason = f"two trees of {sizes}, with the roots {roots}, have different histories"
        self._report(TWO_TREES, reason, first, second, prefix=prefix.hex(), path=tuple(each.hex() for each in path))

    def _report(
        self, kind: str, reason: str, *signed: SignedNote, prefix: str = "", path: tuple[str, ...] = ()
    ) -> None:
        """Store a finding with its evidence, unless it is known."""
        with self._state.transaction():
            self._store_finding(kind, reason, *signed, prefix=prefix, path=path)

    def _store_finding(
        self,
        kind: str,
        reason: str,
        *signed: SignedNote,
        leaves: tuple[EvidentLeaf, ...] = (),
        prefix: str = "",
        path: tuple[str, ...] = (),
    ) -> None:
        """Store a finding with its evidence, unless it is known; use it in a transaction of the state."""
        if any((kind, reason) == (each.kind, each.reason) for each in self._state.findings()):
            return
        keys, notes = tuple(str(each.key) for each in signed), tuple(str(each.note) for each in signed)
        content = encode_evidence(Evidence(EVIDENCE, kind, reason, keys, notes, leaves, prefix, path))
        folder = self._folder / EVIDENCE_FOLDER
        folder.mkdir(exist_ok=True, mode=0o700)
        file = folder / f"{kind}-{hashlib.sha256(content).hexdigest()[:SHORT]}.json"
        file.write_bytes(content)
        self._state.store_finding(Finding(kind, reason, self._now(), file.name))

    def _quorum_time(self, note: Note, before: int) -> int:
        """Return the time at which the quorum was last seen: now if this note has it."""
        return self._now() if self._policy.is_met(self._cosigned(note)) else before

    def _newest_cosignature(self, note: Note) -> int:
        """Return the time of the latest trusted cosignature of a note, 0 without one."""
        return max(self._cosigned(note).values(), default=0)

    def _cosigned(self, note: Note) -> dict[VerifierKey, int]:
        return cosignature_times(note, self._policy.witness_keys, self._now())

    def _age_conditions(self) -> list[Condition]:
        """Return the faults of the age of the followed checkpoint, or of its cosignatures."""
        followed, now = self._state.latest, self._now()
        if not followed.note:
            return []
        conditions = []
        newest = self._newest_cosignature(parse_note(followed.note.encode())) or followed.changed
        if now - newest > STALE_SECONDS:
            hours = (now - newest) // 3600
            conditions.append(Condition(STALE, f"the newest signature is {hours} hours old"))
        if now - followed.quorum > QUORUM_SECONDS:
            quorum = self._policy.describe_quorum()
            conditions.append(Condition(BELOW_QUORUM, f"the checkpoint lacks a cosignature of {quorum}"))
        return conditions
