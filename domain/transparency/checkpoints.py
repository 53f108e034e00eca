"""Checkpoints (C2SP tlog-checkpoint): a log's size and root, as the text of a signed note."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from domain.transparency.errors import Malformed
from domain.transparency.merkle import HASH_BYTES, SIZE_MAX
from domain.transparency.notes import COSIGNATURE, ED25519, Note, VerifierKey, decode, encode, parse_key, parse_note

SIZE: Final = re.compile(r"0|[1-9][0-9]{0,18}")


class Checkpoint(NamedTuple):
    """The origin of a log, its number of leaves and its root; extension lines are not interpreted."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text of the note."""
        return "".join(f"{line}\n" for line in (self.origin, str(self.size), encode(self.root), *self.extensions))


def parse_size(text: str) -> int:
    """Parse a number of leaves in canonical form; raise `Malformed` otherwise, or above `SIZE_MAX`."""
    if SIZE.fullmatch(text) is None or int(text) > SIZE_MAX:
        raise Malformed(f"{text[:60]!r} is not a number of leaves")
    return int(text)


def parse_hash(text: str) -> bytes:
    """Parse a base64 hash of 32 bytes; raise `Malformed` otherwise."""
    digest = decode(text)
    if len(digest) != HASH_BYTES:
        raise Malformed("a hash has 32 bytes")
    return digest


def parse_checkpoint(text: str) -> Checkpoint:
    """Parse the text of a note as a checkpoint: origin, size, root, extensions; raise `Malformed` otherwise."""
    lines = text.split("\n")
    if len(lines) < 4 or lines[-1] or not all(lines[:-1]):
        raise Malformed("a checkpoint must have at least three lines, none of them empty")
    origin, size, root, *extensions = lines[:-1]
    return Checkpoint(origin, parse_size(size), parse_hash(root), tuple(extensions))


def parse_signed(text: str, keys: Sequence[str]) -> tuple[Note, Checkpoint, tuple[VerifierKey, ...]]:
    """Return a signed checkpoint and the keys of its signatures: the log's first, then the witnesses'.

    Raise `Malformed` if the keys do not match the signatures, the first is not the log's, or the checkpoint has
    extension lines, which this service never writes. No signature is verified.
    """
    note = parse_note(text.encode())
    checkpoint = parse_checkpoint(note.text)
    if checkpoint.extensions:
        raise Malformed("it does not have three lines")
    if len(keys) != len(note.signatures):
        raise Malformed(f"it has {len(note.signatures)} signatures, but {len(keys)} keys are listed")
    verifier_keys = tuple(parse_key(key, [COSIGNATURE] if index else [ED25519]) for index, key in enumerate(keys))
    are_claimed = [key.is_claimed_by(signature) for key, signature in zip(verifier_keys, note.signatures, strict=True)]
    if not all(are_claimed) or len(set(verifier_keys)) != len(verifier_keys):
        raise Malformed("the keys do not match its signatures in order")
    if verifier_keys[0].name != checkpoint.origin:
        raise Malformed(
            f"the first signature is from {verifier_keys[0].name[:60]!r}, not from {checkpoint.origin[:60]!r}"
        )
    return note, checkpoint, verifier_keys
