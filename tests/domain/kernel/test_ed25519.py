"""Weak public keys: the curve is computed independently, by the formulas of RFC 8032."""

from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.ed25519 import PRIME, SIGN, SMALL_ORDER, weakness_of

D: Final = -121665 * pow(121666, -1, PRIME) % PRIME
GROUP_ORDER: Final = 2**252 + 27742317777372353535851937790883648493
Point = tuple[int, int]


def add(first: Point, second: Point) -> Point:
    (x1, y1), (x2, y2) = first, second
    product = D * x1 * x2 * y1 * y2
    return (
        (x1 * y2 + x2 * y1) * pow(1 + product, -1, PRIME) % PRIME,
        (y1 * y2 + x1 * x2) * pow(1 - product, -1, PRIME) % PRIME,
    )


def multiply(factor: int, point: Point) -> Point:
    result = (0, 1)
    while factor:
        if factor & 1:
            result = add(result, point)
        point, factor = add(point, point), factor >> 1
    return result


def find_x(y: int) -> int | None:
    """Return a root of the curve's equation; None if y belongs to no point (RFC 8032, 5.1.3)."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, PRIME) % PRIME
    root = pow(square, (PRIME + 3) // 8, PRIME)
    if root * root % PRIME != square:
        root = root * pow(2, (PRIME - 1) // 4, PRIME) % PRIME
    return root if root * root % PRIME == square else None


def encode(point: Point) -> bytes:
    x, y = point
    return (y | (SIGN if x & 1 else 0)).to_bytes(32, "little")


def test_the_table_has_all_points_of_small_order() -> None:
    found = set[bytes]()
    for y in range(2, 40):
        if (x := find_x(y)) is not None:
            small = multiply(GROUP_ORDER, (x, y))
            found |= {encode(multiply(factor, small)) for factor in range(8)}

    assert found == SMALL_ORDER


def test_a_constant_signature_by_the_neutral_point_fits_every_text() -> None:
    """The forgery that registration has to prevent: R is the neutral point as well, and s is 0."""
    neutral = (1).to_bytes(32, "little")
    for text in (b"I resign", b"I do not resign"):
        Ed25519PublicKey.from_public_bytes(neutral).verify(neutral + bytes(32), text)

    assert weakness_of(neutral) == "it is a point of small order"


@pytest.mark.parametrize("public", sorted(SMALL_ORDER))
def test_points_of_small_order_are_weak_in_every_encoding(public: bytes) -> None:
    number = int.from_bytes(public, "little")
    y = number % SIGN
    encodings = {public, (y | SIGN).to_bytes(32, "little")}
    encodings |= {
        (again | sign).to_bytes(32, "little") for again in range(y + PRIME, SIGN, PRIME) for sign in (0, SIGN)
    }

    assert all(map(weakness_of, encodings))


@given(st.integers(PRIME, 2**255 - 1), st.sampled_from([0, SIGN]))
def test_coordinates_above_the_prime_are_not_canonical(y: int, sign: int) -> None:
    assert weakness_of((y | sign).to_bytes(32, "little")) == "it is not a canonical encoding"


@given(st.binary(min_size=32, max_size=32))
def test_generated_keys_are_sound(seed: bytes) -> None:
    assert not weakness_of(Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw())
