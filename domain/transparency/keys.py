"""Ed25519 signatures (RFC 8032) of notes, and cosignatures of checkpoints."""

import struct
from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from domain.transparency.errors import NotSigned
from domain.transparency.notes import COSIGNATURE, ED25519, Note, Signature, VerifierKey, require_name

TIME: Final = struct.Struct(">Q")
TIME_MAX: Final = 2**63 - 1
SEED_BYTES: Final = 32
SKEW_SECONDS: Final = 3_600
"""Clocks of witnesses and readers may differ by this much."""


def cosigned_message(text: str, seconds: int) -> bytes:
    """Return the message that a witness signs (C2SP tlog-cosignature, `cosignature/v1`), at a Unix time."""
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


class Signer:
    """A named private key. `seed`: its 32 secret bytes."""

    def __init__(self, name: str, seed: bytes, kind: bytes = ED25519) -> None:
        assert len(seed) == SEED_BYTES
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.key: Final = VerifierKey(require_name(name), kind, self._private.public_key().public_bytes_raw())

    def sign(self, text: str) -> Signature:
        """Sign the text of a note."""
        assert self.key.kind == ED25519
        return Signature(self.key.name, self.key.key_id, self._private.sign(text.encode()))

    def cosign(self, text: str, seconds: int) -> Signature:
        """Cosign the text of a checkpoint at a Unix time; raise `AssertionError` for a key of another kind."""
        assert self.key.kind == COSIGNATURE
        signed = TIME.pack(seconds) + self._private.sign(cosigned_message(text, seconds))
        return Signature(self.key.name, self.key.key_id, signed)


class FormerKey(NamedTuple):
    """The former key of a log, which signs checkpoints in addition to its successor before a time."""

    signer: Signer
    until: datetime

    def sign(self, text: str, at: datetime) -> Signature | None:
        """Return the signature of a checkpoint, or None after the overlap."""
        return self.signer.sign(text) if at < self.until else None


def is_signed(key: VerifierKey, text: str, signature: Signature) -> bool:
    """Return whether the signature is by this key over this text."""
    if not key.is_claimed_by(signature):
        return False
    message, signed = text.encode(), signature.signature
    if key.kind == COSIGNATURE:
        if len(signed) < TIME.size or cosignature_seconds(signature) > TIME_MAX:
            return False
        message, signed = cosigned_message(text, cosignature_seconds(signature)), signed[TIME.size :]
    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(signed, message)
    except InvalidSignature:
        return False
    return True


def cosignature_seconds(signature: Signature) -> int:
    """Return the Unix time stated in a cosignature."""
    (seconds,) = TIME.unpack_from(signature.signature)
    return int(seconds)


def cosignature_times(note: Note, keys: Iterable[VerifierKey], now: float) -> dict[VerifierKey, int]:
    """Return the Unix time of the latest valid cosignature by each of these witnesses, if it has one.

    A cosignature that is dated more than `SKEW_SECONDS` after `now` does not count: it would look new for ever.
    """
    times = dict[VerifierKey, int]()
    for key in keys:
        for signature in note.signatures:
            if is_signed(key, note.text, signature) and cosignature_seconds(signature) <= now + SKEW_SECONDS:
                times[key] = max(times.get(key, 0), cosignature_seconds(signature))
    return times


def signatures_of(note: Note, keys: Iterable[VerifierKey]) -> tuple[Signature, ...]:
    """Return the first signature by each known key, in the order of keys; unknown keys' signatures are ignored.

    Raise `NotSigned` if there is none, or if a signature that claims a known key is false.
    """
    by_key = dict[VerifierKey, Signature]()
    for key in keys:
        for signature in note.signatures:
            if not key.is_claimed_by(signature):
                continue
            if not is_signed(key, note.text, signature):
                raise NotSigned(f"invalid signature of {key.name}")
            by_key.setdefault(key, signature)
    if not by_key:
        raise NotSigned("not signed with a known key")
    return tuple(by_key.values())
