"""Weak Ed25519 public keys, whose signatures anyone can make (RFC 8032, 5.1.3 and 5.1.7)."""

from typing import Final

PRIME: Final = 2**255 - 19
SIGN: Final = 1 << 255
"""The bit of an encoding with the sign of the x-coordinate."""
X_IS_ZERO: Final = frozenset({1, PRIME - 1})
"""The y-coordinates of the two points whose x-coordinate is 0, which has no sign."""
SMALL_ORDER: Final = frozenset(
    bytes.fromhex(encoding)
    for encoding in (
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    )
)
"""The eight points whose order divides the cofactor: the first has order 1, then one of 2, two of 4 and four of 8."""


def weakness_of(public: bytes) -> str:
    """Return why a public key of 32 bytes must be refused; empty for a sound one.

    A key of small order accepts one constant signature for many texts. A second encoding of a point would be a second
    name of one key. Whether the bytes encode a point at all shows with the first signature.
    """
    number = int.from_bytes(public, "little")
    y = number & ~SIGN
    if y >= PRIME or (y in X_IS_ZERO and number & SIGN):
        return "it is not a canonical encoding"
    return "it is a point of small order" if public in SMALL_ORDER else ""
