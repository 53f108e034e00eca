"""A verifiable random function, ECVRF-RISTRETTO255-SHA512 (C2SP vrf-r255, draft-irtf-cfrg-vrf-11).

The holder of a secret key computes an output of a text and a proof of it. With the public key everyone can check the
proof. Without a proof, an output cannot be told from random bytes, so it confirms no guess of the text.
"""

import hashlib
from typing import Final

from domain.transparency.errors import FalseProof
from domain.transparency.ristretto import base_multiple, difference, element_of, is_element, multiple, reduce

SUITE: Final = b"\xffc2sp.org/vrf-r255"
GROUP_ORDER: Final = 2**252 + 27742317777372353535851937790883648493
POINT_BYTES: Final = 32
CHALLENGE_BYTES: Final = 16
PROOF_BYTES: Final = POINT_BYTES + CHALLENGE_BYTES + 32
OUTPUT_BYTES: Final = 64
SEED_BYTES: Final = 64
IDENTITY: Final = bytes(POINT_BYTES)
CHALLENGE, OUTPUT, NONCE, ENCODE = b"\x02", b"\x03", b"\x81", b"\x82"
"""Prefixes that separate the uses of the hash."""


class VrfKey:
    """A secret key, derived from 64 secret bytes."""

    def __init__(self, seed: bytes) -> None:
        assert len(seed) == SEED_BYTES
        self._secret: Final[bytes] = reduce(seed)
        self.public: Final[bytes] = base_multiple(self._secret)
        """The public key, 32 bytes."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VrfKey) and other.public == self.public

    def __hash__(self) -> int:
        return hash(self.public)

    def output(self, text: bytes) -> bytes:
        """Return the output of a text, 64 bytes, without a proof."""
        return output_of(multiple(self._secret, point_of(self.public, text)))

    def prove(self, text: bytes) -> bytes:
        """Return the proof of the output of a text, 80 bytes; `output_of` returns the output."""
        point = point_of(self.public, text)
        gamma = multiple(self._secret, point)
        nonce = reduce(digest(NONCE, self._secret, point))
        challenge = challenge_of(self.public, point, gamma, *both_multiples(nonce, point))
        answer = (number(nonce) + number(challenge) * number(self._secret)) % GROUP_ORDER
        return gamma + challenge + scalar(answer)


def output_of(proof: bytes) -> bytes:
    """Return the output that belongs to a proof, 64 bytes; the proof itself is not checked."""
    return digest(OUTPUT, proof[:POINT_BYTES], b"\x00")


def verify_output(public: bytes, text: bytes, proof: bytes) -> bytes:
    """Return the output of a text, or raise `FalseProof` if the proof is not by this key over this text."""
    if len(proof) != PROOF_BYTES:
        raise FalseProof(f"a proof of a label has {PROOF_BYTES} bytes, not {len(proof)}")
    gamma, challenge, answer = proof[:32], proof[32:48], proof[48:]
    if number(answer) >= GROUP_ORDER or not (is_point(public) and is_point(gamma)):
        raise FalseProof("the proof of a label or its key is malformed")
    point, padded = point_of(public, text), challenge + bytes(POINT_BYTES - CHALLENGE_BYTES)
    try:
        base, other = both_multiples(answer, point)
        first = difference(base, multiple(padded, public))
        second = difference(other, multiple(padded, gamma))
    except RuntimeError:  # Multiples that are the identity occur in forged proofs only.
        raise FalseProof("the proof of a label is false") from None
    if challenge_of(public, point, gamma, first, second) != challenge:
        raise FalseProof("the proof of a label is false")
    return output_of(proof)


def is_point(encoded: bytes) -> bool:
    """Return whether these bytes are the canonical encoding of an element other than the identity."""
    return len(encoded) == POINT_BYTES and encoded != IDENTITY and is_element(encoded)


def point_of(public: bytes, text: bytes) -> bytes:
    """Hash a text to an element of the group (`ECVRF_encode_to_curve`)."""
    return element_of(digest(ENCODE, public, text))


def both_multiples(factor: bytes, point: bytes) -> tuple[bytes, bytes]:
    """Return the multiples of the generator and of an element."""
    return base_multiple(factor), multiple(factor, point)


def challenge_of(*points: bytes) -> bytes:
    """Return the challenge over five elements (`ECVRF_challenge_generation`)."""
    return digest(CHALLENGE, *points, b"\x00")[:CHALLENGE_BYTES]


def digest(use: bytes, *parts: bytes) -> bytes:
    """Return the SHA-512 of the parts for one of the uses."""
    return hashlib.sha512(b"".join((SUITE, use, *parts))).digest()


def number(encoded: bytes) -> int:
    """Decode a number, the lowest byte first."""
    return int.from_bytes(encoded, "little")


def scalar(value: int) -> bytes:
    """Encode a number below the order of the group."""
    return value.to_bytes(POINT_BYTES, "little")
