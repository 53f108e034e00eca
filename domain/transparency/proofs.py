"""Inclusion proofs as text files (C2SP tlog-proof)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from domain.transparency.checkpoints import Checkpoint, parse_checkpoint, parse_hash, parse_size
from domain.transparency.errors import Malformed, NotSigned
from domain.transparency.keys import signatures_of
from domain.transparency.merkle import PROOF_MAX, check_inclusion, leaf_hash
from domain.transparency.notes import Note, Signature, VerifierKey, decode, decode_text, encode, parse_note

FORMAT: Final = "c2sp.org/tlog-proof@v1"
EXTRA: Final = "extra "
INDEX: Final = "index "


class LogProof(NamedTuple):
    """The index of a leaf, its inclusion proof and the signed checkpoint; `extra` is not interpreted."""

    leaf: int
    path: tuple[bytes, ...]
    checkpoint: Note
    extra: bytes | None = None

    def __str__(self) -> str:
        extra = [] if self.extra is None else [f"{EXTRA}{encode(self.extra)}"]
        lines = [FORMAT, *extra, f"{INDEX}{self.leaf}", *map(encode, self.path), ""]
        return "".join(f"{line}\n" for line in lines) + str(self.checkpoint)


def parse_proof(data: bytes) -> LogProof:
    """Parse a proof without verifying it; raise `Malformed` if it is not in the format."""
    head, gap, checkpoint = decode_text(data).partition("\n\n")
    first, *lines = head.split("\n")
    if first != FORMAT or not gap:
        raise Malformed(f"a proof must begin with {FORMAT} and have an empty line before its checkpoint")
    extra = decode(lines.pop(0).removeprefix(EXTRA)) if lines and lines[0].startswith(EXTRA) else None
    if not lines or not lines[0].startswith(INDEX):
        raise Malformed("a proof must state the index of its leaf")
    index = parse_size(lines[0].removeprefix(INDEX))
    if len(lines) - 1 > PROOF_MAX:
        raise Malformed("the proof is too long")
    return LogProof(index, tuple(map(parse_hash, lines[1:])), parse_note(checkpoint.encode()), extra)


class VerifiedProof(NamedTuple):
    """The result of a verified proof: the checkpoint, and the cosignatures of known witnesses."""

    checkpoint: Checkpoint
    witnesses: tuple[Signature, ...]


def check_proof(
    proof: LogProof, entry: bytes, log: VerifierKey, witnesses: Sequence[VerifierKey] = ()
) -> VerifiedProof:
    """Verify that an entry is in the log; return the checkpoint and the witnesses' signatures.

    Raise `Malformed` for a checkpoint of another log, `NotSigned` if the log has not signed or a signature is
    false, and `FalseProof` if the entry is not included. The caller decides how many witnesses are enough.
    """
    checkpoint = parse_checkpoint(proof.checkpoint.text)
    if checkpoint.origin != log.name:
        raise Malformed(f"the checkpoint is from {checkpoint.origin[:60]!r}, not from {log.name!r}")
    signed = signatures_of(proof.checkpoint, (log, *witnesses))
    if not any(log.is_claimed_by(each) for each in signed):
        raise NotSigned("the checkpoint is not signed by the log")
    check_inclusion(proof.leaf, checkpoint.size, leaf_hash(entry), proof.path, checkpoint.root)
    return VerifiedProof(checkpoint, tuple(each for each in signed if not log.is_claimed_by(each)))
