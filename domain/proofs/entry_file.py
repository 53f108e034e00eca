"""The proof of a single entry (C2SP tlog-proof) with the data to compute its leaf; specified in `proof.md`."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec

from domain.kernel.values import Value, replace
from domain.matches.errors import LogFault
from domain.matches.log.entries import Entry, digest
from domain.matches.log.log_files import LINES, entry_of_line, line_of
from domain.matches.log.log_files import LogLine as EntryLine
from domain.matches.verification.proof_report import ProofShown
from domain.matches.verification.verify import VerifyFault
from domain.proofs.labels import AnnouncedLog, NamedLeaves, label_entries, read_log, unlabelled_statement, with_labels
from domain.proofs.match import NOT_IN_TREE, Trust, examine_note, unproven_signatures
from domain.proofs.match_file import KIND, LabelLine, LogLine, bytes_in
from domain.proofs.service_keys import chain_in
from domain.transparency.checkpoints import parse_signed
from domain.transparency.errors import FalseProof, Malformed
from domain.transparency.leaves import SALT_BYTES, PlacedLeaf, hash_leaves
from domain.transparency.merkle import PROOF_MAX, check_inclusion
from domain.transparency.proofs import FORMAT as TLOG_PROOF
from domain.transparency.proofs import LogProof, parse_proof

EXTRA: Final = "esporles.entry/1"
BEGINNING: Final = f"{TLOG_PROOF}\n".encode()
ALONE: Final = "the rest of the match: the file contains a single entry"
OTHER_STREAM: Final = "the other entries of the match {stream}, which stores this entry as one of an imported fork"
ENCODER: Final = msgspec.json.Encoder()


class AnnouncedLeaf(Value, frozen=True):
    """An announcement of the log: its leaf, its text, and its inclusion proof in hex."""

    leaf: int
    text: str
    path: tuple[str, ...]


class EntryExtra(Value, frozen=True):
    """The `extra` data of a proof: everything that the leaf is computed from, and the keys of the signatures.

    `stream` stores the entry. `labels` is the proof of its labels, or empty for a leaf without a label.
    """

    format: str
    entry: EntryLine
    stream: UUID
    salt: str
    labels: tuple[LabelLine, ...]
    log: tuple[AnnouncedLeaf, ...]
    keys: tuple[str, ...]


class EntryReport(Value, frozen=True, kw_only=True):
    """The report on the proof of a single entry."""

    fault: VerifyFault | None
    match: str | None = None
    entry: int = 0
    at: str = ""
    body: str = ""
    proof: ProofShown | None = None
    unchecked: tuple[str, ...] = ()

    @property
    def is_good(self) -> bool:
        """Whether no fault was found."""
        return self.fault is None


def is_entry_proof(content: bytes) -> bool:
    """Return whether the content begins like the proof of a single entry."""
    return content.startswith(BEGINNING)


def encode_entry_proof(proof: LogProof, extra: EntryExtra) -> bytes:
    """Return the file of a proof with its extra data."""
    return str(proof._replace(extra=ENCODER.encode(extra))).encode()


def verify_entry_proof(content: bytes, trust: Trust = None) -> EntryReport:
    """Verify the proof of a single entry and return the report, even if it is unreadable."""
    try:
        return examine_entry_proof(content, trust)
    except LogFault as fault:
        return EntryReport(fault=VerifyFault(fault.entry, fault.kind, fault.why))


def examine_entry_proof(content: bytes, trust: Trust) -> EntryReport:
    """Verify the proof of a single entry; raise `LogFault` for the first fault."""
    try:
        proof = parse_proof(content)
        extra = read_extra(proof)
        note, checkpoint, keys = parse_signed(str(proof.checkpoint), extra.keys)
    except Malformed as fault:
        raise LogFault(None, KIND, str(fault)) from fault
    entry, size = read_entry(extra.entry), checkpoint.size
    log = read_announced(extra.log, size, checkpoint.root)
    salt = bytes_in(extra.salt, SALT_BYTES, entry.version)
    leaf = PlacedLeaf(proof.leaf, salt, extra.stream, entry.version, digest(entry))
    leaves = label_entries(log, [leaf], extra.labels)
    shown = examine_note(note, checkpoint, keys, trust, chain_in(log, keys[0]))
    require_included(proof.leaf, hash_leaves(leaves)[proof.leaf], proof.path, size, checkpoint.root)
    shown = with_labels(shown, NamedLeaves("entry {}", "entries {} to {}", leaves))
    included = f"inclusion: entry {entry.version} is leaf {proof.leaf} of the tree of {checkpoint.origin}"
    return EntryReport(
        fault=None,
        match=str(entry.originator_id),
        entry=entry.version,
        at=f"{entry.timestamp:%Y-%m-%d %H:%M:%S} UTC",
        body=bytes(entry.body).decode(),
        proof=replace(shown, leaves_checked=1, checked=(included, *shown.checked)),
        unchecked=(
            ALONE if extra.stream == entry.originator_id else OTHER_STREAM.format(stream=extra.stream),
            *unlabelled_statement(shown.unlabelled),
            *unproven_signatures(shown, trust),
        ),
    )


def read_extra(proof: LogProof) -> EntryExtra:
    """Return the extra data of a proof; raise `LogFault` unless it is ours and in canonical form."""
    try:
        extra = msgspec.json.decode(proof.extra or b"", type=EntryExtra)
        encoded = ENCODER.encode(extra)
    except (msgspec.MsgspecError, ValueError, RecursionError) as fault:
        raise LogFault(None, KIND, f"the extra data of the proof is not that of an entry: {fault}") from fault
    if extra.format != EXTRA or encoded != proof.extra:
        raise LogFault(None, KIND, f"the extra data of the proof is not {EXTRA} in canonical form")
    return extra


def read_entry(line: EntryLine) -> Entry:
    """Return the entry of a line; raise `LogFault` unless the line is canonical and has its digest."""
    try:
        entry = entry_of_line(LINES.decode(ENCODER.encode(line)), b"", None)
    except (msgspec.MsgspecError, ValueError, OverflowError) as fault:
        raise LogFault(line.version, "line", f"the line is not an entry: {fault}") from fault
    if line_of(entry) != line:
        raise LogFault(line.version, "line", "the line is not the canonical encoding of an entry and its digest")
    return entry


def read_announced(announced: Sequence[AnnouncedLeaf], size: int, root: bytes) -> AnnouncedLog:
    """Return the announcements; raise `LogFault` unless all are well-formed and in the tree."""
    log = read_log([LogLine(each.leaf, each.text) for each in announced], size)
    for each in announced:
        path = [bytes_in(text, 32, None) for text in each.path[: PROOF_MAX + 1]]
        require_included(each.leaf, log.leaves[each.leaf], path, size, root)
    return log


def require_included(leaf: int, found: bytes, path: Sequence[bytes], size: int, root: bytes) -> None:
    """Raise `LogFault` unless a leaf hash is in the tree at this index."""
    try:
        check_inclusion(leaf, size, found, path, root)
    except FalseProof as fault:
        raise LogFault(None, KIND, NOT_IN_TREE.format(fault=fault)) from fault
