"""Requests to a witness and its answers (C2SP tlog-witness, `add-checkpoint`); no I/O here."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from domain.transparency.checkpoints import Checkpoint, parse_checkpoint, parse_hash, parse_size
from domain.transparency.errors import FalseProof, Malformed, NotSigned
from domain.transparency.keys import signatures_of
from domain.transparency.merkle import EMPTY_ROOT, PROOF_MAX, check_consistency
from domain.transparency.notes import Note, Signature, VerifierKey, decode_text, encode, parse_note

OLD: Final = "old "
REQUEST_BYTES_MAX: Final = 200_000
"""Size limit: a proof, and a checkpoint with a few signatures of any type."""


class AddCheckpoint(NamedTuple):
    """A request to cosign: the old size, the new checkpoint and the consistency proof between them."""

    old_size: int
    proof: tuple[bytes, ...]
    note: Note

    def __str__(self) -> str:
        lines = [f"{OLD}{self.old_size}", *map(encode, self.proof), ""]
        return "".join(f"{line}\n" for line in lines) + str(self.note)


def parse_request(data: bytes) -> AddCheckpoint:
    """Parse a request without verifying it; raise `Malformed` if it is too long or not in the format."""
    if len(data) > REQUEST_BYTES_MAX:
        raise Malformed(f"more than {REQUEST_BYTES_MAX:,} bytes")
    head, gap, checkpoint = decode_text(data).partition("\n\n")
    first, *proof = head.split("\n")
    if not gap or not first.startswith(OLD) or len(proof) > PROOF_MAX:
        raise Malformed(f"a request must have `{OLD}N`, at most {PROOF_MAX} hashes, an empty line and a checkpoint")
    old_size = parse_size(first.removeprefix(OLD))
    return AddCheckpoint(old_size, tuple(map(parse_hash, proof)), parse_note(checkpoint.encode()))


class SeenTree(NamedTuple):
    """The latest tree of a log that a witness has cosigned."""

    size: int
    root: bytes


NOTHING_SEEN: Final = SeenTree(0, EMPTY_ROOT)


class CosignRefusal(NamedTuple):
    """A refusal to cosign: an HTTP status and a reason; for a conflict, the known size."""

    status: int
    reason: str
    known_size: int | None = None


class SignedRequest(NamedTuple):
    """A request with valid format and signature."""

    checkpoint: Checkpoint
    signatures: tuple[Signature, ...]
    """Signatures of the log."""
    request: AddCheckpoint


def verify_request(data: bytes, logs: Mapping[str, Sequence[VerifierKey]]) -> SignedRequest | CosignRefusal:
    """Parse a request, and verify that a known log has signed it; `logs`: keys by origin.

    Return a refusal with a status of HTTP instead: 400 for a bad request, 404 for an unknown log, 403 if it has
    not signed.
    """
    try:
        request = parse_request(data)
        checkpoint = parse_checkpoint(request.note.text)
    except Malformed as fault:
        return CosignRefusal(400, str(fault))
    if checkpoint.origin not in logs:
        return CosignRefusal(404, "this witness does not watch this log")
    try:
        signatures = signatures_of(request.note, logs[checkpoint.origin])
    except NotSigned as fault:
        return CosignRefusal(403, str(fault))
    if request.old_size > checkpoint.size:
        return CosignRefusal(400, "the old size is larger than the checkpoint")
    return SignedRequest(checkpoint, signatures, request)


def check_cosignable(signed: SignedRequest, seen: SeenTree) -> CosignRefusal | None:
    """Return None if a witness may cosign: the tree it has seen is a prefix of the new one.

    Otherwise return a refusal: 409 with the seen size if the request is about another, 422 for a false proof.
    """
    checkpoint, request = signed.checkpoint, signed.request
    if request.old_size != seen.size:
        return CosignRefusal(409, "this witness has cosigned another size", seen.size)
    try:
        check_consistency(request.old_size, checkpoint.size, seen.root, checkpoint.root, request.proof)
    except FalseProof as fault:
        return CosignRefusal(422, str(fault))
    return None
