"""Evidence that a log has broken its promises, which anyone can check again without the log.

Specified in `docs/operate/monitor.md`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from domain.kernel.values import Value
from domain.transparency.checkpoints import Checkpoint, parse_checkpoint
from domain.transparency.errors import FalseProof, Malformed
from domain.transparency.keys import signatures_of
from domain.transparency.leaf_rules import read_leaf
from domain.transparency.merkle import PROOF_MAX, check_consistency, check_inclusion, leaf_hash
from domain.transparency.notes import VerifierKey, parse_key, parse_note

FORMAT: Final = "esporles.evidence/1"
BYTES_MAX: Final = 1_000_000
TWO_TREES: Final = "two_trees"
DOUBLE_LABEL: Final = "double_label"
LEAF: Final = "leaf"
ROLLBACK: Final = "rollback"
SERVED: Final = "served"
"""Kinds of evidence."""


class EvidentLeaf(Value, frozen=True):
    """A leaf with its inclusion proof in the first checkpoint; bytes in hexadecimal digits."""

    index: int
    content: str
    path: tuple[str, ...]


class Evidence(Value, frozen=True, omit_defaults=True):
    """Signed checkpoints, and data that contradicts them."""

    format: str
    kind: str
    reason: str
    keys: tuple[str, ...]
    """The key of the log for each checkpoint."""
    checkpoints: tuple[str, ...]
    leaves: tuple[EvidentLeaf, ...] = ()
    prefix: str = ""
    """The root of the first leaves of the second checkpoint, as many as the first checkpoint has."""
    path: tuple[str, ...] = ()
    """The proof from that root to the second checkpoint."""


class SignedCheckpoint(NamedTuple):
    """A checkpoint with the key that has signed it."""

    key: VerifierKey
    checkpoint: Checkpoint


def encode_evidence(evidence: Evidence) -> bytes:
    """Return the file of evidence."""
    return msgspec.json.format(msgspec.json.encode(evidence), indent=2) + b"\n"


def parse_evidence(data: bytes) -> Evidence:
    """Parse a file of evidence, unverified; raise `Malformed` if it is not in the format or too large."""
    if len(data) > BYTES_MAX:
        raise Malformed(f"more than {BYTES_MAX:,} bytes")
    try:
        evidence = msgspec.json.decode(data, type=Evidence)
    except (msgspec.MsgspecError, ValueError, RecursionError) as fault:
        raise Malformed(f"evidence cannot be read: {fault}") from fault
    if evidence.format != FORMAT:
        raise Malformed(f"the format {evidence.format[:60]!r} must be {FORMAT}")
    return evidence


def check_evidence(evidence: Evidence) -> str:
    """Return what evidence proves about the owner of its keys; whose they are must be known from elsewhere.

    Raise `Malformed`, `NotSigned` or `FalseProof` if it does not prove anything.
    """
    if len(evidence.keys) != len(evidence.checkpoints):
        raise Malformed(f"{len(evidence.checkpoints)} checkpoints have {len(evidence.keys)} keys")
    signed = [check_signed(key, note) for key, note in zip(evidence.keys, evidence.checkpoints, strict=True)]
    if evidence.kind not in CHECKS:
        raise FalseProof("the log has not signed what it returned, so others cannot check it")
    check, count = CHECKS[evidence.kind]
    if len(signed) != count or len({each.checkpoint.origin for each in signed}) != 1:
        raise Malformed(f"{evidence.kind} must have checkpoints of one log: {count}")
    return check(evidence, signed)


def check_signed(key: str, note: str) -> SignedCheckpoint:
    """Return a signed checkpoint; raise `Malformed` or `NotSigned` otherwise."""
    log, parsed = parse_key(key), parse_note(note.encode())
    checkpoint = parse_checkpoint(parsed.text)
    signatures_of(parsed, [log])
    if checkpoint.origin != log.name:
        raise Malformed(f"the checkpoint is from {checkpoint.origin[:60]!r}, not from {log.name[:60]!r}")
    return SignedCheckpoint(log, checkpoint)


def hash_of(text: str) -> bytes:
    """Parse hexadecimal digits; raise `Malformed` otherwise."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise Malformed(f"{text[:60]!r} is not hexadecimal") from None


def hashes_of(texts: Sequence[str]) -> list[bytes]:
    """Parse the hashes of a proof; raise `Malformed` if there are too many."""
    if len(texts) > PROOF_MAX:
        raise Malformed("the proof is too long")
    return [hash_of(text) for text in texts]


def check_two_trees(evidence: Evidence, signed: Sequence[SignedCheckpoint]) -> str:
    """Check that a log has signed two trees of which none is a prefix of the other."""
    (_, first), (_, second) = signed
    if first.size == second.size:
        if first.root == second.root:
            raise FalseProof("both checkpoints have the same root")
        return f"{first.origin} has signed two trees of {first.size} leaves"
    prefix = hash_of(evidence.prefix)
    check_consistency(first.size, second.size, prefix, second.root, hashes_of(evidence.path))
    if prefix == first.root:
        raise FalseProof("the first tree is a prefix of the second one")
    return f"{first.origin} has signed a tree of {first.size} leaves that is no prefix of its tree of {second.size}"


def included_leaves(evidence: Evidence, checkpoint: Checkpoint) -> list[tuple[int, bytes]]:
    """Return index and content of the leaves; raise `FalseProof` unless all are in the tree."""
    leaves = [(leaf.index, hash_of(leaf.content)) for leaf in evidence.leaves]
    for (index, content), leaf in zip(leaves, evidence.leaves, strict=True):
        check_inclusion(index, checkpoint.size, leaf_hash(content), hashes_of(leaf.path), checkpoint.root)
    return leaves


def check_double_label(evidence: Evidence, signed: Sequence[SignedCheckpoint]) -> str:
    """Check that two leaves after the announcement of labels have the same label."""
    checkpoint = signed[0].checkpoint
    leaves = included_leaves(evidence, checkpoint)
    if len(leaves) != 3:
        raise Malformed("a double label needs the announcement of labels and two leaves")
    (announced, announcement), (first, content), (second, other) = leaves
    if not read_leaf(announced, announcement, None).begins_labels or not announced < first < second:
        raise FalseProof("the first leaf does not announce labels for the two others")
    labels = [read_leaf(index, each, announced).label for index, each in ((first, content), (second, other))]
    if not labels[0] or labels[0] != labels[1]:
        raise FalseProof("the two leaves have different labels")
    return f"{checkpoint.origin} has signed two leaves for one entry or record: {first} and {second}"


def check_leaf(evidence: Evidence, signed: Sequence[SignedCheckpoint]) -> str:
    """Check that no leaf of this number may have its content, with or without an announcement of labels before it."""
    checkpoint = signed[0].checkpoint
    leaves = included_leaves(evidence, checkpoint)
    if not 1 <= len(leaves) <= 2:
        raise Malformed("a wrong leaf needs itself, and before it the announcement of labels if there is one")
    labelled_from = None
    if len(leaves) == 2:
        labelled_from, announcement = leaves[0]
        if not read_leaf(labelled_from, announcement, None).begins_labels or labelled_from >= leaves[1][0]:
            raise FalseProof("the first leaf does not announce labels for the other")
    number, content = leaves[-1]
    for assumed in (labelled_from,) if labelled_from is not None else (number, None):
        try:
            read_leaf(number, content, assumed)
        except Malformed as fault:
            reason = fault
        else:
            raise FalseProof(f"the leaf {number} may be valid")
    return f"{checkpoint.origin} has signed a tree with the wrong leaf {number}: {reason}"


def check_rollback(evidence: Evidence, signed: Sequence[SignedCheckpoint]) -> str:
    """Check that both checkpoints are signed and have different sizes; which one was shown later is not signed."""
    del evidence
    sizes = sorted(each.checkpoint.size for each in signed)
    if sizes[0] == sizes[1]:
        raise FalseProof("both checkpoints have the same size")
    origin = signed[0].checkpoint.origin
    return f"{origin} has signed trees of {sizes[0]} and {sizes[1]} leaves; which it showed later is not signed"


Check = Callable[[Evidence, Sequence[SignedCheckpoint]], str]
CHECKS: Final[Mapping[str, tuple[Check, int]]] = {
    TWO_TREES: (check_two_trees, 2),
    DOUBLE_LABEL: (check_double_label, 1),
    LEAF: (check_leaf, 1),
    ROLLBACK: (check_rollback, 2),
}
"""The check of each kind that others can repeat, and its number of checkpoints."""
